/** The rules of the transport (Model Context Protocol 2025-11-25, Streamable HTTP). */
import assert from "node:assert/strict";
import { MAX_BODY_BYTES } from "../../src/doors/request.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { request, rpc } from "../support/mcp.ts";
import { countRows } from "../support/operations.ts";

const PING = request("ping");
const PONG = { jsonrpc: "2.0", id: 1, result: {} };
const ALLOWED = "https://app.example";
const EXTENSION = "moz-extension://4f7a2d9c";

/** Address of the service in the request, origin of the page, and expected status. */
const ORIGINS: [string, string | undefined, number][] = [
  ["http://127.0.0.1:8080", undefined, 200],
  ["http://service.example", undefined, 200],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080", 200],
  ["http://localhost:8080", "http://localhost:8080", 200],
  ["http://[::1]:8080", "http://[::1]:8080", 200],
  ["http://127.0.0.1", "http://127.0.0.1", 200],
  ["http://127.0.0.1:8080", ALLOWED, 200],
  ["http://service.example", ALLOWED, 200],
  ["http://service.example", EXTENSION, 200],
  ["http://127.0.0.1:8080", "https://evil.example", 403],
  ["http://127.0.0.1:8080", "null", 403],
  ["http://127.0.0.1:8080", "", 403],
  ["http://127.0.0.1:8080", "http://127.0.0.1:3000", 403],
  ["http://127.0.0.1:8080", "http://localhost:8080", 403],
  ["http://127.0.0.1:8080", "http://127.0.0.1.evil.example:8080", 403],
  ["http://127.0.0.1:8080", "http://app.example", 403],
  ["http://127.0.0.1:8080", "https://127.0.0.1:8080", 403],
  ["http://127.0.0.1", "https://127.0.0.1", 403],
  ["http://127.0.0.1", "http://127.0.0.1:80", 403],
  ["http://127.0.0.1:8080", "ws://127.0.0.1:8080", 403],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/mcp", 403],
  ["http://127.0.0.1:8080", `${ALLOWED}:8443`, 403],
  ["http://127.0.0.1:8080", `${ALLOWED}.evil.example`, 403],
  // The owner of this name may have pointed it at this machine (DNS rebinding).
  ["http://evil.example:8080", "http://evil.example:8080", 403],
  ["http://localhost.evil.example", "http://localhost.evil.example", 403],
];

const FORBIDDEN = {
  error: { code: "forbidden_origin", message: "This origin may not call the service." },
};

oneEngineTest("/mcp admits its own and allowed origins, and no other", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const [address, origin, status] of ORIGINS) {
      const headers: Record<string, string> = origin === undefined ? {} : { origin };
      const claim = `${origin} at ${address}`;
      const answer = await rpc(app, PING, { key, headers, url: `${address}/mcp` });
      assert.deepEqual(
        [answer.status, answer.body],
        status === 200 ? [200, PONG] : [403, FORBIDDEN],
        claim,
      );
      const readable = answer.headers.get("access-control-allow-origin");
      assert.equal(readable, status === 200 ? origin ?? null : null, claim);
      // A browser sends no preflight without an origin.
      if (origin === undefined) continue;
      const preflight = await app.fetch(
        new Request(`${address}/mcp`, { method: "OPTIONS", headers }),
      );
      await preflight.body?.cancel();
      assert.equal(preflight.status, status === 200 ? 204 : 403, claim);
    }
    // The origin is checked before the key, so that a page learns nothing about the key.
    const keyless = await rpc(app, PING, { headers: { origin: "https://evil.example" } });
    assert.deepEqual([keyless.status, keyless.body], [403, FORBIDDEN]);
  }, { env: { ALLOWED_ORIGINS: `${ALLOWED} ${EXTENSION}` } });
});

oneEngineTest("/mcp tells an allowed page which headers it may send and read", async ({ db }) => {
  await withApp(db, async ({ app }) => {
    const preflight = await app.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "OPTIONS",
        headers: {
          "origin": ALLOWED,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
        },
      }),
    );
    assert.equal(await preflight.text(), "");
    const { headers } = preflight;
    assert.deepEqual([
      preflight.status,
      headers.get("access-control-allow-origin"),
      headers.get("access-control-allow-methods"),
      headers.get("access-control-allow-credentials"),
      headers.get("vary")?.toLowerCase().includes("origin"),
    ], [204, ALLOWED, "POST", null, true]);
    const may = headers.get("access-control-allow-headers")!.toLowerCase().split(",");
    for (
      const name of ["authorization", "content-type", "idempotency-key", "mcp-protocol-version"]
    ) {
      assert.ok(may.includes(name), name);
    }
    // A refusal is readable as well, so that a page can show the reason.
    const refused = await rpc(app, PING, { headers: { origin: ALLOWED } });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get("access-control-allow-origin"), ALLOWED);
    assert.match(refused.headers.get("access-control-expose-headers")!, /Request-Id/);
    assert.match(refused.headers.get("access-control-expose-headers")!, /\bRetry-After\b/);
  }, { env: { ALLOWED_ORIGINS: ALLOWED } });
});

oneEngineTest("/mcp accepts only POST", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"]) {
      const response = await app.fetch(
        new Request("http://127.0.0.1/mcp", {
          method,
          headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
        }),
      );
      const text = await response.text();
      assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"], method);
      if (method === "HEAD") assert.equal(text, "");
      else assert.equal(JSON.parse(text).error.code, "method_not_allowed", method);
    }
    const elsewhere = await rpc(app, PING, { key, url: "http://127.0.0.1/mcp/sse" });
    assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [404, "not_found"]);
  });
});

oneEngineTest("/mcp accepts JSON of at most 256 KiB", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const text = JSON.stringify(PING);
  await withApp(db, async ({ app }) => {
    for (const type of ["text/plain", "application/jsonx", "text/event-stream", ""]) {
      const { status, body } = await rpc(app, text, { key, headers: { "content-type": type } });
      assert.deepEqual([status, body.error.code], [415, "unsupported_media_type"], type);
    }
    const parameters = ['; charset="UTF-8"; v=1', ";charset=us-ascii", '; p="x/charset=latin1"'];
    for (
      const type of [...parameters.map((text) => `application/json${text}`), "Application/JSON"]
    ) {
      const { status, body } = await rpc(app, text, { key, headers: { "content-type": type } });
      assert.deepEqual([status, body], [200, PONG], type);
    }
    assert.equal(MAX_BODY_BYTES, 256 * 1024);
    const full = await rpc(app, text.padEnd(256 * 1024), { key });
    assert.deepEqual([full.status, full.body], [200, PONG]);
    const over = await rpc(app, text.padEnd(256 * 1024 + 1), { key });
    assert.deepEqual([over.status, over.body.error.code], [413, "payload_too_large"]);
    const declared = await rpc(app, text, { key, headers: { "content-length": "262145" } });
    assert.deepEqual([declared.status, declared.body.error.code], [413, "payload_too_large"]);
  });
});

const bytes = (...codes: number[]) => new Uint8Array(codes);
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const MALFORMED: [string | Uint8Array, number][] = [
  ["", -32700],
  ["{", -32700],
  ["ping", -32700],
  [bytes(0x22, 0xff, 0x22), -32700],
  ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"\\u0061":2}}', -32700],
  [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested(31)}}}`, -32700],
  ["[]", -32600],
  [JSON.stringify([PING]), -32600],
  [JSON.stringify([PING, PING]), -32600],
  ["{}", -32600],
  ["null", -32600],
  ['"ping"', -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
  ['{"id":1,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":5}', -32600],
  ['{"jsonrpc":"2.0","id":1}', -32600],
];

oneEngineTest("/mcp answers 400 to a body that is not a single message", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    for (const [text, code] of MALFORMED) {
      const { status, body } = await rpc(app, text, { key });
      const { message, ...error } = body.error;
      assert.deepEqual(
        [status, { ...body, error }],
        [400, { jsonrpc: "2.0", id: null, error: { code } }],
        String(text),
      );
      assert.ok(message.length > 0);
    }
    const deepest = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested(30)}}}`;
    assert.deepEqual((await rpc(app, deepest, { key })).body, PONG);
  });
});

/** Revisions that start with a handshake, the latest first. */
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

oneEngineTest("/mcp refuses an unknown version in the header", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app }) => {
    const withVersion = (version: string) =>
      rpc(app, PING, { key, headers: { "mcp-protocol-version": version } });
    for (const version of ["1999-01-01", "2026-01-01", "latest", ""]) {
      const { status, body } = await withVersion(version);
      assert.deepEqual([status, body.id, body.error.code, body.error.data], [400, 1, -32022, {
        supported: ["2026-07-28", ...LEGACY],
        requested: version,
      }], version);
    }
    for (const version of LEGACY) {
      assert.deepEqual((await withVersion(version)).body, PONG, version);
    }
    assert.deepEqual((await rpc(app, PING, { key })).body, PONG);
  });
});

oneEngineTest("/mcp accepts notifications and responses, and does nothing", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const call = { name: "search_companies", arguments: { query: "q", request_key: "k" } };
  await withApp(db, async ({ app }) => {
    for (
      const message of [
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
        { jsonrpc: "2.0", method: "tools/call", params: call },
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: "a", error: { code: -32601, message: "unknown" } },
      ]
    ) {
      const { status, headers, body } = await rpc(app, message, { key });
      assert.deepEqual([status, body], [202, undefined], JSON.stringify(message));
      assert.match(headers.get("request-id")!, /^[0-9a-f-]{36}$/);
    }
  });
  assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
});
