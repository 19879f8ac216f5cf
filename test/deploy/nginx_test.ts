/** The front proxy of deploy/nginx.conf: what is slow is cut, and others are served. */
import assert from "node:assert/strict";
import { ErrorEnvelope } from "../../src/contract/operation.ts";
import { serveHttp } from "../../src/http/server.ts";
import { withApp } from "../support/app.ts";
import { type DatabaseCase, embeddedTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { findNginx, type Nginx, startNginx } from "../support/nginx.ts";
import { silent } from "../support/operations.ts";
import { RawConnection, sendRaw } from "../support/raw_http.ts";

const nginx = findNginx();

/** Registers a case behind nginx; skipped by name if there is no nginx. */
function nginxTest(
  name: string,
  body: (t: { proxy: Nginx; key: string; service: AsyncDisposable }) => Promise<void>,
): void {
  if (nginx === undefined) return Deno.test({ name, ignore: true, fn() {} });
  embeddedTest(name, async ({ db, sql }: DatabaseCase) => {
    const { key } = await createCaller(sql);
    await withApp(db, async ({ app }) => {
      const options = { handler: app.fetch, hostname: "127.0.0.1", port: 0, log: silent };
      await using service = serveHttp(options);
      const upstream = `http://127.0.0.1:${service.addr.port}`;
      await using proxy = await startNginx(nginx, { upstream });
      await body({ proxy, key, service });
    });
  });
}

const MARK = "m4rk";

/** Sends what is never completed, and waits until the proxy closes the connection. */
async function cut(url: string, parts: string): Promise<string> {
  using connection = await RawConnection.open(url);
  await connection.write(parts);
  return await connection.readToEnd();
}

nginxTest("the proxy cuts slow headers, slow bodies and idle connections", async ({ proxy }) => {
  const { url } = proxy;
  let open = true;
  let served = 0;
  const others = (async () => {
    while (open) {
      const response = await fetch(`${url}/healthz`);
      assert.deepEqual(await response.json(), { status: "alive" });
      served++;
    }
  })();
  const head = `POST /api/companies/search HTTP/1.1\r\nHost: ${MARK}\r\n`;
  const [nothing, headers, declared, chunked, idle] = await Promise.all([
    cut(url, ""),
    cut(url, `${head}X-Slow: `),
    cut(url, `${head}Content-Length: 1000\r\n\r\n{`),
    cut(url, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
    cut(url, `GET /healthz HTTP/1.1\r\nHost: ${MARK}\r\n\r\n`),
  ]).finally(() => open = false);
  await others;
  assert.deepEqual([nothing, headers, declared, chunked], ["", "", "", ""]);
  assert.match(idle, /^HTTP\/1\.1 200 /);
  assert.ok(served > 0);
  assert.ok(!proxy.logs().includes(MARK));
});

nginxTest("a body of one-byte chunks reaches the service in one piece", async ({ proxy, key }) => {
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

nginxTest("the proxy's own refusals have the envelope", async ({ proxy, service }) => {
  const long = "x".repeat(70_000);
  const refused = async (request: string, status: number, code: string) => {
    const answer = await sendRaw(proxy.url, request);
    assert.equal(answer.status, status, answer.text);
    assert.equal(ErrorEnvelope.parse(JSON.parse(answer.text)).error.code, code);
    assert.match(answer.headers.get("request-id")!, /^[0-9a-f]{32}$/);
    return answer;
  };
  const host = "Host: 127.0.0.1";
  await refused(`GET /${long} HTTP/1.1\r\n${host}\r\n\r\n`, 400, "malformed_request");
  await refused(`GET / HTTP/1.1\r\n${host}\r\nX: ${long}\r\n\r\n`, 400, "malformed_request");
  await refused("GET / HTTP/1.1\r\n\r\n", 400, "malformed_request");
  const large = "Content-Length: 262145\r\nContent-Type: application/json";
  await refused(`POST /mcp HTTP/1.1\r\n${host}\r\n${large}\r\n\r\n`, 413, "payload_too_large");
  await service[Symbol.asyncDispose]();
  const away = await refused(`GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`, 503, "unavailable");
  assert.equal(away.headers.get("retry-after"), "1");
});
