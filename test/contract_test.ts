/**
 * Checks whole answers against the OpenAPI document that the service serves: status, headers and
 * body. The cases get every documented answer and every error code, except the few that other tests
 * cover.
 */
import assert from "node:assert/strict";
import { hashKey } from "../src/accounts/credential.ts";
import { createApp } from "../src/app.ts";
import { readSettings } from "../src/config.ts";
import type { ObservationSearchResult } from "../src/contract/search.ts";
import type { Sql } from "../src/db/connect.ts";
import { FAILURE_CODES } from "../src/failures.ts";
import { run } from "../src/operations/run.ts";
import { HTTP_CASES } from "./contract/http_cases.ts";
import { everyDoor } from "./contract/every_door.ts";
import { createHttpDoor, requestOf } from "./contract/http_door.ts";
import { createMcpDoor } from "./contract/mcp_door.ts";
import { withApp } from "./support/app.ts";
import { startBalancer } from "./support/balancer.ts";
import { CASES } from "./support/cases.ts";
import { createAnswerJudge, documentedAnswers, errorCode } from "./support/contract.ts";
import { embeddedTest, oneEngineTest, serverTest } from "./support/database.ts";
import { assertSettled, silent, writtenBody } from "./support/operations.ts";
import { startService, WORKING } from "./support/service.ts";
import { createWorld, type World } from "./support/world.ts";

type Fetch = (request: Request) => Promise<Response> | Response;

/** Runs all cases one after the other on a service with the data of the world. */
async function checkContract(
  { fetch, sql, world }: { fetch: Fetch; sql: Sql; world: World },
): Promise<void> {
  const served = await fetch(new Request("http://127.0.0.1/openapi.json"));
  const document = await served.json();
  const { door: http, send, seen } = createHttpDoor({ fetch, document });
  const key = world.keys.entitled;
  const door = everyDoor(
    http,
    await createMcpDoor({ fetch, key }),
    await createMcpDoor({ fetch, key, era: "modern" }),
  );
  const lookup = await door({
    action: "get_companies",
    inputs: { ids: [world.north.company_id] },
    key: world.keys.entitled,
    request_key: world.newKey(),
  });
  world.delivered = { id: lookup.body.usage.id };
  const cases = [
    ...CASES.map((one) => ({ ...one, answer: () => one.ask(world, door) })),
    ...HTTP_CASES.map((one) => ({ ...one, answer: () => one.ask({ world, sql, send }) })),
  ];
  for (const { claim, answer, status, code } of cases) {
    const { status: answered, body } = await answer().catch((error) => {
      error.message = `${claim}: ${error.message}`;
      throw error;
    });
    const shown = `${claim}: ${JSON.stringify(body)}`;
    assert.deepEqual([answered, errorCode(body)], [status, code], shown);
  }
  await world.finish();
  await assertSettled(sql);
  // test/operations/read_rates_test.ts covers the refusal of further reads.
  const missing = documentedAnswers(document)
    .filter((answer) => !seen.has(answer) && !answer.endsWith(" too_many_requests"));
  // test/http/attacks_test.ts covers this answer, which takes ten seconds.
  const slow = "POST /api/companies/search 408 request_timeout";
  assert.deepEqual(missing, [slow], "documented answers that no case gets");
  const codes = new Set([...seen].map((answer) => answer.split(" ").at(-1)));
  // test/mcp/endpoint_test.ts covers the refusal of an origin.
  assert.deepEqual(
    FAILURE_CODES.filter((code) => !codes.has(code)),
    ["too_many_requests", "request_timeout", "forbidden_origin"],
  );
}

// The next test asks the same of processes on a server.
embeddedTest("the service answers every case of the contract as documented", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    await checkContract({ fetch: app.fetch, sql, world });
  }, { workers: 1 });
});

serverTest("two replicas behind a load balancer and a worker keep the contract", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const world = await createWorld(sql);
  const env = { DATABASE_URL, WORKERS: "0", LOG_LEVEL: "error" };
  await using one = await startService({ env });
  await using two = await startService({ env });
  await using worker = await startService({ env, args: ["work"], ready: WORKING });
  await using balancer = startBalancer([one.url, two.url]);
  // Each request uses a new connection, so that the processes take turns.
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0, allowHost: true });
  await checkContract({
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(balancer.url + pathname + search, request), {
        client,
        redirect: "manual",
      });
    },
    sql,
    world,
  });
  for (const connections of balancer.connection_counts) {
    assert.ok(connections > 100, `${balancer.connection_counts}`);
  }
  for (const process of [one, two, worker]) await process.stop();
});

oneEngineTest("a service that still loads refuses only searches", async ({ db, sql }) => {
  const { keys, north, newKey } = await createWorld(sql);
  const app = createApp({ db, log: silent, settings: readSettings({ WORKERS: "0" }) });
  const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
  const { door, send } = createHttpDoor({ fetch: app.fetch, document });
  const search = await door({
    action: "search_companies",
    inputs: { query: "freezer" },
    key: keys.entitled,
    request_key: newKey(),
  });
  assert.deepEqual([search.status, search.body.error.code], [503, "unavailable"]);
  assert.equal((await send("/readyz")).status, 503);
  const read = await door({
    action: "get_company",
    inputs: { id: north.company_id },
    key: keys.entitled,
  });
  assert.equal(read.status, 200);
  await app.close();
});

oneEngineTest("an observation search is polled as the contract documents", async ({ db, sql }) => {
  const { keys, newKey } = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    const { door } = createHttpDoor({ fetch: app.fetch, document });
    // This action has no HTTP route.
    const action = app.actions.metered.get("search_observations")!;
    const caller = { key_hash: hashKey(keys.entitled) };
    const body = writtenBody(
      await run(app.context, action, caller, () => ({
        request_key: newKey(),
        inputs: { query: "freezer warehouse" },
      })),
    );
    const { usage } = body as ObservationSearchResult;
    const poll = await door({
      action: "get_operation",
      key: keys.entitled,
      inputs: { id: usage.id },
    });
    assert.deepEqual([poll.status, poll.body], [200, body]);
    assert.equal(poll.body.observations.length, usage.delivered_units);
    assert.ok(usage.delivered_units > 0);
  });
});

oneEngineTest("the judge of answers refuses undocumented answers", async ({ db, sql }) => {
  const { keys } = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const judge = createAnswerJudge(
      await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json(),
    );
    const { path, init } = requestOf({ action: "get_usage", key: keys.entitled });
    const response = await app.fetch(new Request(`http://127.0.0.1${path}`, init));
    const { status, headers } = response;
    const body = await response.json();
    const answer = { method: "GET", path, status, headers, body };
    assert.deepEqual(judge(answer).faults, []);
    const without = (name: string) => {
      const fewer = new Headers(headers);
      fewer.delete(name);
      return fewer;
    };
    const more = new Headers({ ...Object.fromEntries(headers), "allow": "GET" });
    const wrong = [
      { ...answer, status: 418 },
      { ...answer, status: 202 },
      { ...answer, path: "/api/nothing" },
      { ...answer, method: "PUT" },
      { ...answer, body: { ...body, surplus: 1 } },
      { ...answer, body: { ...body, usage: undefined } },
      { ...answer, body: undefined },
      { ...answer, headers: without("request-id") },
      { ...answer, headers: without("ratelimit") },
      { ...answer, headers: without("content-type") },
      { ...answer, headers: more },
      { ...answer, method: "HEAD" },
      { ...answer, status: 401, body: { error: { code: "not_found", message: "" } } },
    ];
    for (const one of wrong) assert.notDeepEqual(judge(one).faults, [], JSON.stringify(one));
  });
});
