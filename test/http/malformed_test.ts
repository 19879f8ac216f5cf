/** Malformed requests are refused. A request's Host is not logged and does not affect routing. */
import assert from "node:assert/strict";
import { createKey } from "../../src/accounts/credential.ts";
import { ErrorEnvelope } from "../../src/contract/operation.ts";
import { serveHttp } from "../../src/http/server.ts";
import { createLog } from "../../src/log.ts";
import { withApp } from "../support/app.ts";
import { type DatabaseCase, oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { sendRaw } from "../support/raw_http.ts";
import { eventually } from "../support/waiting.ts";

interface Listening {
  url: string;
  key: string;
  /** Log lines of all levels so far. */
  lines: string[];
}

/** Serves on loopback, as the command `start` does, while `use` runs. */
async function whileListening(
  { db, sql }: DatabaseCase,
  use: (listening: Listening) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    await using server = serveHttp({ handler: app.fetch, hostname: "127.0.0.1", port: 0, log });
    await use({ url: `http://127.0.0.1:${server.addr.port}`, key, lines });
  }, { log });
}

/** Returns a request head. `fields` are whole lines. */
function head(first: string, ...fields: string[]): string {
  return [first, ...fields, "Content-Length: 0", "", ""].join("\r\n");
}

const MARK = "m4rk";

/** First line and Host line of requests whose target or Host does not parse. */
const MALFORMED: [string, string | undefined][] = [
  [`GET /docs?${MARK} HTTP/1.1`, undefined],
  ...[
    `${MARK}:99999`,
    `${MARK}^b`,
    "%",
    `%41${MARK}`,
    "",
    `${MARK}/docs#`,
    `${MARK}/docs?`,
    `a@${MARK}`,
    `${MARK} b`,
    `${MARK}\\b`,
    `[${MARK}]`,
    "[::1",
    "999.1.1.1",
    "a, b",
  ].map((host): [string, string] => [`GET /docs?${MARK} HTTP/1.1`, `Host: ${host}`]),
  [`GET http://${MARK}:99999/docs HTTP/1.1`, "Host: x"],
  [`GET http://${MARK}^/docs HTTP/1.1`, "Host: x"],
  [`GET ${MARK}://x/docs HTTP/1.1`, "Host: x"],
  [`GET /docs#${MARK} HTTP/1.1`, "Host: x"],
  [`CONNECT ${MARK}:80 HTTP/1.1`, "Host: x"],
];

oneEngineTest("a Host, target or coding that does not parse gets 400", async (t) => {
  await whileListening(t, async ({ url, key, lines }) => {
    for (const [first, host] of MALFORMED) {
      const claim = `${first} / ${host}`;
      const answer = await sendRaw(
        url,
        head(first, ...host === undefined ? [] : [host], `Authorization: Bearer ${key}`),
      );
      // Deno's HTTP server itself refuses some of them, with an empty body and no log line.
      if (answer.status === 400 && answer.text === "") continue;
      assert.equal(answer.status, 400, `${claim}: ${answer.text}`);
      assert.equal(ErrorEnvelope.parse(JSON.parse(answer.text)).error.code, "malformed_request");
      assert.match(answer.headers.get("request-id")!, /^[0-9a-f-]{36}$/);
      const line = JSON.parse(lines.at(-1)!);
      assert.deepEqual([line.message, line.status, line.route], ["request", 400, null], claim);
    }
    const coded = ["GET /docs HTTP/1.1", "Host: x", "Transfer-Encoding: gzip, chunked", "", "0"];
    const { text } = await sendRaw(url, [...coded, "", ""].join("\r\n"));
    assert.match(text, /"malformed_request","message":"Transfer-Encoding: chunked is required/);
    for (const line of lines) assert.ok(!line.includes(MARK) && !line.includes(key), line);
    assert.ok(lines.length >= 15, "most of the requests reach the service");
  });
});

oneEngineTest("/mcp answers 400 to a Host that does not parse, with any Origin", async (t) => {
  await whileListening(t, async ({ url, key, lines }) => {
    for (const origin of ["http://127.0.0.1", "null", `http://${MARK}^`]) {
      const answer = await sendRaw(
        url,
        head(
          "POST /mcp HTTP/1.1",
          `Host: ${MARK}:99999`,
          `Origin: ${origin}`,
          `Authorization: Bearer ${key}`,
        ),
      );
      assert.equal(answer.status, 400);
      assert.equal(JSON.parse(answer.text).error.code, "malformed_request");
    }
    for (const line of lines) assert.ok(!line.includes(MARK) && !line.includes(key), line);
  });
});

oneEngineTest("the path decides about the route, whatever the host is", async (t) => {
  await whileListening(t, async ({ url, key }) => {
    const cases: [string, string, number][] = [
      ["GET /healthz HTTP/1.1", "service.example", 200],
      ["GET /healthz HTTP/1.1", "[::1]:80", 200],
      ["GET /healthz HTTP/1.1", "service.example:", 200],
      ["GET http://service.example/healthz HTTP/1.1", "other.example", 200],
      ["GET https://service.example:8443/api/usage?page=1 HTTP/1.1", "other.example", 422],
      ["GET //service.example/healthz HTTP/1.1", "x", 404],
      ["OPTIONS * HTTP/1.1", "x", 404],
    ];
    for (const [first, host, status] of cases) {
      const answer = await sendRaw(
        url,
        head(first, `Host: ${host}`, `Authorization: Bearer ${key}`),
      );
      assert.equal(answer.status, status, first);
    }
  });
});

oneEngineTest("a log line contains no unknown method, no path and no header", async (t) => {
  await whileListening(t, async ({ url, key, lines }) => {
    const marked = [`Host: x`, `X-${MARK}: ${MARK}`, `User-Agent: ${MARK}`];
    const methods = [[MARK.toUpperCase(), "OTHER"], ["get", "OTHER"], ["TRACE", "TRACE"]] as const;
    for (const [method, logged] of methods) {
      const answer = await sendRaw(url, head(`${method} /api/usage?${MARK} HTTP/1.1`, ...marked));
      assert.equal(answer.status, 405);
      assert.equal(JSON.parse(lines.at(-1)!).method, logged);
    }
    await sendRaw(
      url,
      head(`GET /api/usage?${MARK} HTTP/1.1`, ...marked, `Authorization: Bearer ${key}`),
    );
    await sendRaw(
      url,
      head(`GET /${MARK} HTTP/1.1`, ...marked, `Authorization: Bearer ${createKey()}`),
    );
    // A request is logged when its answer has been sent.
    await eventually(
      "all requests are logged",
      () => Promise.resolve(lines.length >= methods.length + 2),
    );
    const text = lines.join("").toLowerCase();
    assert.ok(!text.includes(MARK) && !text.includes(key.toLowerCase()), text);
    assert.equal(lines.length, methods.length + 2);
  });
});

oneEngineTest("two Idempotency-Key headers are refused at both doors", async (t) => {
  await whileListening(t, async ({ url, key, lines }) => {
    const send = (path: string, body: string) =>
      sendRaw(
        url,
        [
          `POST ${path} HTTP/1.1`,
          "Host: 127.0.0.1",
          "Content-Type: application/json",
          "Accept: application/json, text/event-stream",
          `Authorization: Bearer ${key}`,
          `Idempotency-Key: ${MARK}1`,
          `Idempotency-Key: ${MARK}2`,
          `Content-Length: ${body.length}`,
          "",
          body,
        ].join("\r\n"),
      );
    const http = await send("/api/companies/search", '{"query":"freezer"}');
    assert.equal(http.status, 422);
    assert.match(JSON.parse(http.text).error.message, /^Idempotency-Key: exactly one/);
    const params = { name: "diagnostic", arguments: {} };
    const mcp = await send(
      "/mcp",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    );
    const { result } = JSON.parse(mcp.text);
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent.error.code, "invalid_search");
    assert.ok(!lines.join("").includes(MARK));
  });
});
