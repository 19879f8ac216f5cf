/** The front proxy of deploy/nginx.conf. It ends slow requests, and serves others meanwhile. */
import assert from "node:assert/strict";
import { findNginx, startNginx } from "../support/nginx.ts";
import { type RawAnswer, RawConnection, sendRaw } from "../support/raw_http.ts";
import { eventually } from "../support/waiting.ts";
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

const nginx = findNginx();

function nginxTest(
  name: string,
  body: (t: Proxied) => Promise<void>,
  { quick = false, below = false } = {},
): void {
  const start = (upstream: string) => startNginx(nginx!, { upstream, quick, below });
  const env = { BASE_PATH: below ? "/evidence" : "" };
  proxiedTest(name, nginx === undefined ? undefined : start, body, { env });
}

nginxTest("the proxy cuts slow headers, slow bodies and idle connections", async ({ proxy }) => {
  const { url } = proxy;
  const cutting = Promise.all([
    cut(url, ""),
    cut(url, `${SEARCH}X-Slow: `),
    cut(url, `${SEARCH}Content-Length: 1000\r\n\r\n{`),
    cut(url, `${SEARCH}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
    cut(url, `GET /healthz HTTP/1.1\r\nHost: ${MARK}\r\n\r\n`),
  ]);
  assert.ok(await servedDuring(url, cutting) > 0);
  const [nothing, headers, declared, chunked, idle] = await cutting;
  assert.deepEqual([nothing, headers, declared, chunked], ["", "", "", ""]);
  assert.match(idle, /^HTTP\/1\.1 200 /);
  assert.ok(!proxy.logs().includes(MARK));
}, { quick: true });

nginxTest("the proxy passes a body of one-byte chunks on", async ({ proxy, key }) => {
  const answer = await sendRaw(
    proxy.url,
    [
      "POST /api/companies/search HTTP/1.1",
      "Host: 127.0.0.1",
      "Content-Type: application/json",
      `Authorization: Bearer ${key}`,
      "Idempotency-Key: k",
      "Transfer-Encoding: chunked",
      "",
      [...`{"query":"freezer"${" ".repeat(2_000)}}`].map((byte) => `1\r\n${byte}\r\n`).join("") +
      "0\r\n\r\n",
    ].join("\r\n"),
  );
  assert.equal(answer.status, 200, answer.text);
});

nginxTest("a dripping body occupies a connection, but never reaches the service", async (t) => {
  const { proxy: { url }, searches } = t;
  const CONNECTIONS = 64;
  // Longer than the 10 seconds that nginx waits between two reads.
  const DRIPPED_MILLISECONDS = 12_000;
  const over = Promise.withResolvers<void>();
  let refused = 0;
  const first = Promise.withResolvers<RawAnswer>();
  // The proxy serves 64 connections of an address and refuses one of these 65. No other request is
  // sent before that, because it would take one of the 64.
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS + 1 }, () => RawConnection.open(url)),
  );
  const dripping = connections.map(async (connection) => {
    void connection.readAnswer().then((answer) => {
      refused++;
      first.resolve(answer);
    }, () => {});
    await connection.write(`${SEARCH}Content-Length: 1000\r\n\r\n{`);
    return await drip(connection, { byte: " ", pause_milliseconds: 200, until: over.promise });
  });
  assert.equal((await first.promise).status, 503);
  await new Promise((resolve) => setTimeout(resolve, DRIPPED_MILLISECONDS));
  const health = `GET /healthz HTTP/1.1\r\nHost: ${MARK}\r\n\r\n`;
  await assertRefused(url, health, { status: 503, code: "unavailable" });
  assert.equal(refused, 1);
  over.resolve();
  await Promise.all(dripping);
  assert.equal(searches(), 0);
  for (const connection of connections) connection[Symbol.dispose]();
  await eventually(
    "the address is served again",
    async () => (await sendRaw(url, health)).status === 200,
  );
});

const HOST = "Host: 127.0.0.1\r\n";
const LONG = "x".repeat(70_000);
const MALFORMED = { status: 400, code: "malformed_request" };
const JSON_TYPE = "Content-Type: application/json\r\n";

/** Requests that nginx itself refuses, with status and error code. */
const REFUSED: [string, { status: number; code: string }][] = [
  [`GET /${LONG} HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  [`GET / HTTP/1.1\r\n${HOST}X: ${LONG}\r\n\r\n`, MALFORMED],
  ["GET / HTTP/1.1\r\n\r\n", MALFORMED],
  [`GET / HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`, MALFORMED],
  [`get / HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  [`GET x HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  [`GET / HTTP/2.0\r\n${HOST}\r\n`, MALFORMED],
  [`GET / HTTP/9.9\r\n${HOST}\r\n`, MALFORMED],
  [`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`, MALFORMED],
  [`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n`, MALFORMED],
  [`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, MALFORMED],
  ["\x16\x03\x01\r\n\r\n", MALFORMED],
  [`GET /refused/unavailable HTTP/1.1\r\n${HOST}\r\n`, { status: 404, code: "not_found" }],
  [`TRACE / HTTP/1.1\r\n${HOST}\r\n`, { status: 405, code: "method_not_allowed" }],
  [
    `POST /mcp HTTP/1.1\r\n${HOST}Content-Length: 262145\r\n${JSON_TYPE}\r\n`,
    { status: 413, code: "payload_too_large" },
  ],
];

nginxTest("the proxy's refusals have the error envelope", async ({ proxy: { url }, service }) => {
  for (const [request, expected] of REFUSED) {
    const answer = await assertRefused(url, request, expected);
    assert.match(answer.headers.get("request-id")!, /^[0-9a-f]{32}$/);
    if (expected.status === 405) assert.equal(answer.headers.get("allow"), "GET, HEAD, POST");
  }
  await service[Symbol.asyncDispose]();
  const request = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
  const away = await assertRefused(url, request, { status: 503, code: "unavailable" });
  assert.equal(away.headers.get("retry-after"), "1");
});

nginxTest("a service with a BASE_PATH answers below it behind the proxy", assertBelowEvidence, {
  below: true,
});
