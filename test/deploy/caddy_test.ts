/** The front proxy of deploy/Caddyfile. It ends slow requests, and serves others meanwhile. */
import assert from "node:assert/strict";
import { ErrorEnvelope } from "../../src/contract/operation.ts";
import { findCaddy, startCaddy } from "../support/caddy.ts";
import { RawConnection } from "../support/raw_http.ts";
import {
  assertBelowEvidence,
  assertRefused,
  cut,
  drip,
  MARK,
  type Proxied,
  proxiedTest,
  SEARCH,
  servedDuring,
} from "./proxied.ts";

const caddy = findCaddy();

function caddyTest(
  name: string,
  body: (t: Proxied) => Promise<void>,
  { below = false } = {},
): void {
  const start = (upstream: string) => startCaddy(caddy!, { upstream, below });
  const env = { BASE_PATH: below ? "/evidence" : "" };
  proxiedTest(name, caddy === undefined ? undefined : start, body, { env });
}

/** Sends a head, and then a blank of the body every 500 ms until the answer. Returns the answer. */
async function dripBody(url: string, head: string): Promise<string> {
  using connection = await RawConnection.open(url);
  await connection.write(`${head}Content-Length: 1000\r\n\r\n{`);
  const answered = connection.readToEnd();
  await drip(connection, { byte: " ", pause_milliseconds: 500, until: answered });
  return await answered;
}

function assertEnvelope(answer: string, { status, code }: { status: number; code: string }): void {
  assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), answer);
  const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  assert.equal(ErrorEnvelope.parse(JSON.parse(body)).error.code, code, answer);
}

caddyTest("Caddy cuts slow headers and idle connections", async ({ proxy }) => {
  const { url } = proxy;
  const cutting = Promise.all([
    cut(url, ""),
    cut(url, `${SEARCH}X-Slow: `),
    cut(url, `GET /healthz?${MARK} HTTP/1.1\r\nHost: ${MARK}\r\n\r\n`),
  ]);
  assert.ok(await servedDuring(url, cutting) > 0);
  const [nothing, headers, idle] = await cutting;
  assert.deepEqual([nothing, headers], ["", ""]);
  assert.match(idle, /^HTTP\/1\.1 200 /);
  assert.ok(!proxy.logs().includes(MARK), proxy.logs());
});

caddyTest("the service answers 408 through Caddy to bodies that stall or drip", async (t) => {
  const { proxy: { url }, key } = t;
  const head = SEARCH.replaceAll(MARK, "127.0.0.1").replace(/\?\S+/, "") +
    `Content-Type: application/json\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: k\r\n`;
  const cutting = Promise.all([
    cut(url, `${head}Content-Length: 1000\r\n\r\n{`),
    cut(url, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
    dripBody(url, head),
  ]);
  assert.ok(await servedDuring(url, cutting) > 0);
  for (const answer of await cutting) {
    assertEnvelope(answer, { status: 408, code: "request_timeout" });
  }
});

caddyTest("Caddy's refusals have the error envelope, and no log contains a request", async (t) => {
  const { proxy, service } = t;
  const { url } = proxy;
  const stranger = `${SEARCH}Content-Type: application/json\r\nIdempotency-Key: k\r\n`;
  await assertRefused(url, `${stranger}Content-Length: 1000\r\n\r\n{`, {
    status: 401,
    code: "invalid_api_key",
  });
  await service[Symbol.asyncDispose]();
  const request = `GET /${MARK} HTTP/1.1\r\nHost: ${MARK}\r\nX: ${MARK}\r\n\r\n`;
  const away = await assertRefused(url, request, { status: 503, code: "unavailable" });
  assert.equal(away.headers.get("retry-after"), "1");
  assert.ok(!proxy.logs().includes(MARK), proxy.logs());
});

caddyTest("a service with a BASE_PATH answers below it behind Caddy", assertBelowEvidence, {
  below: true,
});
