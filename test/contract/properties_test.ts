import assert from "node:assert/strict";
import fc from "fast-check";
import type { Sql } from "../../src/db/connect.ts";
import { PAGES } from "../../src/http/pages.ts";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { createAnswerJudge, errorCode } from "../support/contract.ts";
import { embeddedTest } from "../support/database.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld, type World } from "../support/world.ts";
import { type GeneratedRequest, generatedRequests, type Known } from "./requests.ts";

const REQUESTS = 4000;

embeddedTest("whatever is asked, the answer is one that the contract tells of", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    const judge = createAnswerJudge(document);
    const known = await collectKnown(app.fetch, world);
    const statuses = new Map<string, number>();
    let rows = await countStored(sql);
    const ask = async (generated: GeneratedRequest) => {
      const request = requestOf(generated);
      // What no client can send.
      fc.pre(request !== undefined);
      const { method, url } = request;
      const response = await app.fetch(request);
      const { status, headers } = response;
      const text = await readText(response);
      const path = decoded(new URL(url).pathname);
      // Pages for people are no part of the contract.
      if (path !== "/openapi.json" && (PAGES.has(path) || path === "/")) return;
      assert.notEqual(status, 500, text);
      const body = text === "" ? undefined : JSON.parse(text);
      const { faults, operation } = judge({ method, path, status, headers, body });
      assert.deepEqual(faults, [], `${status} ${text.slice(0, 300)}`);
      const after = await countStored(sql);
      if (status >= 400) assert.equal(after, rows, `a refusal left a row: ${text}`);
      rows = after;
      const kind = [operation, status, errorCode(body)].filter(Boolean).join(" ");
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    };
    await fc.assert(fc.asyncProperty(generatedRequests(known), ask), {
      seed: 20260301,
      numRuns: REQUESTS,
      endOnFailure: true,
    });
    // The generator reaches what it is there for.
    for (const kind of REACHED) assert.ok(statuses.get(kind)! >= 5, `${kind}: ${show(statuses)}`);
    // What was asked for in the background; between the requests it would leave rows of its own.
    while (await drain(app.context, app.actions.metered, 50) > 0);
  });
  await assertSettled(sql);
});

const REACHED = [
  "POST /api/companies/search 200",
  "POST /api/companies/search 202",
  "POST /api/companies/search 413 payload_too_large",
  "POST /api/companies/search 415 unsupported_media_type",
  "POST /api/companies/search 422 idempotency_conflict",
  "POST /api/companies/search 422 invalid_cursor",
  "POST /api/companies/search 422 invalid_search",
  "POST /api/companies/search 422 result_limit_reached",
  "GET /api/companies 200",
  "GET /api/companies 422 invalid_lookup",
  "GET /api/observations 200",
  "GET /api/observations 422 invalid_search",
  "GET /api/companies/{id} 200",
  "GET /api/companies/{id} 404 company_not_found",
  "GET /api/observations/{id} 200",
  "GET /api/usages/{id} 200",
  "GET /api/usages/{id} 404 usage_not_found",
  "GET /api/usage 200",
  "GET /api/usage 401 invalid_api_key",
  "GET /api/usage 405 method_not_allowed",
];

const show = (statuses: Map<string, number>) => JSON.stringify(Object.fromEntries(statuses));

/** Ids, hostnames and cursors that mean something, beside some that do not. */
async function collectKnown(
  fetch: (request: Request) => Promise<Response> | Response,
  world: World,
): Promise<Known> {
  const { keys, north, gone } = world;
  const headers = { "authorization": `Bearer ${keys.entitled}`, "idempotency-key": world.newKey() };
  const query = "domains[]=north.example&since=2020-01-01T00:00:00Z&limit=1";
  const page = await fetch(
    new Request(`http://127.0.0.1/api/observations?${query}`, { headers }),
  );
  const { next_cursor } = await page.json();
  return {
    keys: [
      keys.entitled,
      keys.entitled,
      keys.entitled,
      keys.trialing,
      keys.requestless,
      keys.lapsed,
    ],
    ids: [1, 2, 3, north.company_id, north.observation_id, gone.company_id, 999_999],
    hostnames: ["north.example", " SHARED.example.", "east.example", "gone.example", "münchen.de"],
    cursors: [next_cursor, "c".repeat(32)],
  };
}

function requestOf({ method, path, headers, body }: GeneratedRequest): Request | undefined {
  try {
    return new Request(`http://127.0.0.1${path}`, { method, headers, body });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function readText(response: Response): Promise<string> {
  const { body, headers } = response;
  if (body === null || headers.get("content-encoding") === null) return await response.text();
  return await new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** As the router reads it: a path may be written with escapes. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

async function countStored(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from operations)
      + (select count(*) from hostname_refreshes) + (select count(*) from shortlists) as count
  `;
  return row!.count;
}
