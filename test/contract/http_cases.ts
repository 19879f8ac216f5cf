/** Cases that only HTTP has: methods, paths, parameters, media types, sizes and bytes. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import type { FailureCode } from "../../src/failures.ts";
import { contractPath } from "../../src/http/openapi.ts";
import { MAX_BODY_BYTES } from "../../src/doors/request.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { eventually } from "../support/waiting.ts";
import type { World } from "../support/world.ts";
import type { HttpAnswer, HttpDoor } from "./http_door.ts";

interface CaseContext {
  world: World;
  sql: Sql;
  send: HttpDoor["send"];
}

interface HttpCase {
  claim: string;
  ask(context: CaseContext): Promise<HttpAnswer>;
  status: number;
  code?: FailureCode;
}

const PATHS = [...new Set(ROUTES.map(({ path }) => path)), "/healthz", "/readyz", "/openapi.json"];

/**
 * The only method of each metered path. HEAD is refused, because it would be charged although its
 * answer has no body.
 */
const METERED_PATHS: Record<string, string> = {
  "/api/companies/search": "POST",
  "/api/companies": "GET",
  "/api/observations": "GET",
};

export const HTTP_CASES: HttpCase[] = [
  ...PATHS.flatMap((path): HttpCase[] => {
    const method = path === "/api/companies/search" ? "GET" : "DELETE";
    return [{
      claim: `${method} ${contractPath(path)}`,
      async ask({ send }) {
        const answer = await send(path.replace(":id", "1"), { method });
        const allowed = METERED_PATHS[path] ?? "GET, HEAD";
        assert.equal(answer.headers.get("allow"), allowed);
        return answer;
      },
      status: 405,
      code: "method_not_allowed",
    }];
  }),
  ...["/api", "/api/companies/", "/api/companies/1/2", "/api/observations/1/", "/api/usages/"]
    .map((path): HttpCase => ({
      claim: `GET ${path}`,
      ask: ({ send }) => send(path),
      status: 404,
      code: "not_found",
    })),
  ...["get_company", "get_observation", "get_operation", "get_usage", "search_companies"]
    .map((action): HttpCase => ({
      claim: `${action}: an unknown query parameter`,
      async ask({ world, send }) {
        const route = ROUTES.find((one) => one.action === action)!;
        const answer = await send(`${route.path.replace(":id", "1")}?page=2`, {
          method: route.method,
          headers: headers(world),
          ...route.method === "POST" && { body: '{"query":"x"}' },
        });
        assert.match(answer.body.error.message, /^page: /);
        return answer;
      },
      status: 422,
      code: action === "get_company" ? "invalid_lookup" : "invalid_search",
    })),
  ...PATHS.map((path): HttpCase => ({
    claim: `${contractPath(path)} with a Host that does not parse`,
    ask: ({ send }) =>
      send(path.replace(":id", "1"), {
        method: path === "/api/companies/search" ? "POST" : "GET",
        headers: { host: "a^b" },
      }),
    status: 400,
    code: "malformed_request",
  })),
  ...bodyCases(),
  ...operationalCases(),
];

function headers(world: World): Record<string, string> {
  return {
    "authorization": `Bearer ${world.keys.entitled}`,
    "content-type": "application/json",
    "idempotency-key": world.newKey(),
  };
}

function bodyCases(): HttpCase[] {
  const post =
    (body: BodyInit, more: Record<string, string> = {}): HttpCase["ask"] =>
    async ({ world, send }) => {
      const before = await world.countOperations();
      const answer = await send("/api/companies/search", {
        method: "POST",
        headers: { ...headers(world), ...more },
        body,
      });
      assert.equal(await world.countOperations(), before, "a refusal leaves no row");
      return answer;
    };
  const text = (body: string) => new TextEncoder().encode(body);
  const deep = '{"query":"x","filters":'.padEnd(60_000, "[") + "]".repeat(59_977) + "}";
  const bad: Record<string, BodyInit> = {
    "invalid JSON": "{",
    "invalid UTF-8": new Uint8Array([0x22, 0xff, 0x22]),
    "an array": '["query"]',
    "zero bytes": "",
    "a member named twice": '{"query":"a","query":"b"}',
    "a member named twice, once by escapes": '{"query":"a","qu\\u0065ry":"b"}',
    "deeply nested JSON": deep,
    "\\u0000 in a text": '{"query":"a\\u0000b"}',
    "\\u0000 in a name": '{"query":"a","\\u0000":1}',
    "a lone surrogate": '{"query":"\\ud800"}',
    "a huge name": `{"query":"a","${"n".repeat(200_000)}":1}`,
    "a huge integer": '{"query":"a","limit":123456789012345678901234567890}',
    "a number that overflows": '{"query":"a","limit":1e999}',
    "a hidden member": '{"query":"a","__proto__":{"limit":1}}',
  };
  return [
    ...Object.entries(bad).map(([what, body]): HttpCase => ({
      claim: `a body of ${what}`,
      ask: post(typeof body === "string" ? text(body) : body),
      status: 422,
      code: "invalid_search",
    })),
    {
      claim: "a body that is too large",
      ask: post(`{"query":"${"x".repeat(MAX_BODY_BYTES)}"}`),
      status: 413,
      code: "payload_too_large",
    },
    {
      claim: "a body with the encoding gzip",
      ask: post('{"query":"x"}', { "content-encoding": "gzip" }),
      status: 415,
      code: "unsupported_media_type",
    },
    {
      claim: "a body with the encoding identity",
      ask: post('["query"]', { "content-encoding": "identity" }),
      status: 422,
      code: "invalid_search",
    },
    {
      claim: "two Idempotency-Key headers, as a server joins them",
      ask: post('{"query":"x"}', { "idempotency-key": "one, two" }),
      status: 422,
      code: "invalid_search",
    },
    {
      claim: "a body of the media type of a form",
      ask: post("query=x", { "content-type": "application/x-www-form-urlencoded" }),
      status: 415,
      code: "unsupported_media_type",
    },
  ];
}

function operationalCases(): HttpCase[] {
  const whileSchemaIs =
    (status: number, change: string, undo: string): HttpCase["ask"] => async ({ send, sql }) => {
      await sql.unsafe(change);
      try {
        let answer: HttpAnswer;
        // For a second, a process repeats the answer of the database.
        await eventually(`/readyz answers ${status}`, async () => {
          answer = await send("/readyz");
          return answer.status === status;
        });
        return answer!;
      } finally {
        await sql.unsafe(undo);
      }
    };
  return [
    { claim: "GET /healthz", ask: ({ send }) => send("/healthz"), status: 200 },
    { claim: "GET /readyz", ask: ({ send }) => send("/readyz"), status: 200 },
    {
      claim: "GET /readyz while migrations are not current",
      ask: whileSchemaIs(
        503,
        "update migrations set checksum = checksum || '!' where name = '0001_accounts'",
        "update migrations set checksum = rtrim(checksum, '!') where name = '0001_accounts'",
      ),
      status: 503,
    },
    {
      claim: "GET /readyz while a query fails by a defect",
      ask: whileSchemaIs(
        500,
        "alter table migrations rename column checksum to mislaid",
        "alter table migrations rename column mislaid to checksum",
      ),
      status: 500,
      code: "internal_error",
    },
    { claim: "GET /openapi.json", ask: ({ send }) => send("/openapi.json"), status: 200 },
    {
      claim: "GET /openapi.json with a matching ETag",
      async ask({ send }) {
        const { headers } = await send("/openapi.json");
        return await send("/openapi.json", { headers: { "if-none-match": headers.get("etag")! } });
      },
      status: 304,
    },
    { claim: "HEAD /api/usage", ask: headOfUsage, status: 200 },
  ];
}

async function headOfUsage({ world, send }: CaseContext): Promise<HttpAnswer> {
  const answer = await send("/api/usage", { method: "HEAD", headers: headers(world) });
  assert.equal(answer.body, undefined);
  return answer;
}
