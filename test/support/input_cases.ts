/** Cases of inputs: invalid ones, those at the limits, and pages. */
import assert from "node:assert/strict";
import type { FailureCode } from "../../src/failures.ts";
import { type ActionName, type Case, good, METERED } from "./calls.ts";
import type { World } from "./world.ts";

type Inputs = Record<string, unknown>;

type Refused = [ActionName, FailureCode, status: number, Inputs];

/** Returns cases of invalid inputs, and of inputs with special outcomes. */
export function inputCases(): Case[] {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  const since = "2020-01-01T00:00:00Z";
  const refusals: Refused[] = [
    ["search_companies", "invalid_search", 422, {}],
    ["search_companies", "invalid_search", 422, { query: "" }],
    ["search_companies", "invalid_search", 422, { query: "x".repeat(501) }],
    ["search_companies", "invalid_search", 422, { query: "x\u0000" }],
    ["search_companies", "invalid_search", 422, { query: "x", limit: 0 }],
    ["search_companies", "invalid_search", 422, { query: "x", limit: 1e300 }],
    ["search_companies", "invalid_search", 422, { query: "x", city: "Quebec" }],
    ["search_companies", "invalid_search", 422, { query: "x", filters: { company_ids: ids(101) } }],
    ["search_companies", "invalid_search", 422, {
      query: "x",
      filters: { kinds: ["partnership"] },
    }],
    ["search_companies", "unsupported_request", 422, { query: "e-mail addresses of the buyers" }],
    ["search_companies", "result_limit_reached", 422, { query: "x", limit: 26 }],
    ["search_companies", "invalid_cursor", 422, { query: "x", cursor: "x" }],
    ["search_companies", "invalid_cursor", 422, { query: "x", cursor: "c".repeat(32) }],
    ["search_observations", "invalid_search", 422, {}],
    ["search_observations", "invalid_search", 422, { query: "x", background: false }],
    ...["company_ids", "exclude_company_ids", "domains", "exclude_domains"]
      .map((field): Refused => ["search_observations", "invalid_search", 422, {
        query: "x",
        filters: { [field]: [] },
      }]),
    ["search_observations", "invalid_cursor", 422, { query: "x", cursor: "c".repeat(32) }],
    ["search_observations", "result_limit_reached", 422, { query: "x", limit: 26 }],
    ["diagnostic", "invalid_search", 422, { query: "x" }],
    ["get_companies", "invalid_lookup", 422, {}],
    ["get_companies", "invalid_lookup", 422, { ids: [1], domains: ["north.example"] }],
    ["get_companies", "invalid_lookup", 422, { ids: [1], limit: 5 }],
    ["get_companies", "invalid_lookup", 422, { ids: ids(21) }],
    ["get_companies", "invalid_lookup", 422, { ids: [0] }],
    ["get_companies", "invalid_lookup", 422, { domains: ["https://north.example/"] }],
    ["list_observations", "invalid_search", 422, { since }],
    ["list_observations", "invalid_search", 422, { domains: ["north.example"] }],
    ["list_observations", "invalid_search", 422, {
      domains: ids(101).map((n) => `d${n}.example`),
      since,
    }],
    ["list_observations", "invalid_search", 422, { domains: ["a.example"], since, limit: 101 }],
    ["list_observations", "invalid_search", 422, { domains: ["a.example"], since, kinds: ["x"] }],
    ["list_observations", "invalid_cursor", 422, {
      domains: ["a.example"],
      since,
      cursor: "c".repeat(32),
    }],
    ["get_company", "invalid_lookup", 422, { id: 0 }],
    ["get_company", "company_not_found", 404, { id: Number.MAX_SAFE_INTEGER }],
    ["get_observation", "invalid_search", 422, { id: -1 }],
    ["get_observation", "observation_not_found", 404, { id: Number.MAX_SAFE_INTEGER }],
    ["get_operation", "invalid_search", 422, { id: 1.5 }],
    ["get_operation", "usage_not_found", 404, { id: Number.MAX_SAFE_INTEGER }],
  ];
  const cases = refusals.map(([action, code, status, inputs]): Case => ({
    claim: `${action}: ${code} for ${JSON.stringify(inputs).slice(0, 80)}`,
    async ask(world, door) {
      const before = await world.countOperations();
      const metered = (METERED as readonly string[]).includes(action);
      const answer = await door({
        action,
        inputs,
        key: world.keys.entitled,
        ...metered && { request_key: world.newKey() },
      });
      assert.equal(await world.countOperations(), before, "a refusal leaves no row");
      return answer;
    },
    status,
    code,
  }));
  const withdrawn = ["get_company", "get_observation"] as const;
  return [
    ...cases,
    ...withdrawn.map((action): Case => ({
      claim: `${action}: a withdrawn row`,
      ask: (world, door) =>
        door({
          action,
          key: world.keys.entitled,
          inputs: {
            id: action === "get_company" ? world.gone.company_id : world.gone.observation_id,
          },
        }),
      status: 404,
      code: action === "get_company" ? "company_not_found" : "observation_not_found",
    })),
    {
      claim: "get_operation: an operation of another account",
      ask: (world, door) => door({ ...good(world, "get_operation"), key: world.keys.trialing }),
      status: 404,
      code: "usage_not_found",
    },
    {
      claim: "get_companies: one outcome per target",
      async ask(world, door) {
        const answer = await door({
          ...good(world, "get_companies"),
          inputs: { domains: ["NORTH.example.", "shared.example", "none.example"] },
        });
        assert.deepEqual(answer.body.lookups, [
          { hostname: "none.example", status: "not_found" },
          { hostname: "north.example", status: "found", company_id: world.north.company_id },
          { hostname: "shared.example", status: "ambiguous" },
        ]);
        return answer;
      },
      status: 200,
    },
    {
      claim: "search_companies: a query that only excludes fails without a charge",
      async ask(world, door) {
        const inputs = { query: "not construction" };
        const answer = await door({ ...good(world, "search_companies"), inputs });
        assert.deepEqual([answer.body.usage.status, answer.body.usage.request_units], [
          "failed",
          0,
        ]);
        return answer;
      },
      status: 422,
      code: "unsupported_request",
    },
    {
      claim: "search_companies: an empty result is a success",
      async ask(world, door) {
        const answer = await door({
          ...good(world, "search_companies"),
          inputs: { query: "zeppelin hangars" },
        });
        assert.deepEqual(answer.body.companies, []);
        return answer;
      },
      status: 200,
    },
  ];
}

const PAGED = ["search_companies", "list_observations", "search_observations"] as const;

/** Returns cases of later pages and of wrong cursors. */
export function pageCases(): Case[] {
  return PAGED.flatMap((action): Case[] => {
    const page = (world: World) => {
      const call = good(world, action);
      return { ...call, inputs: { ...call.inputs, limit: 1 } };
    };
    return [
      {
        claim: `${action}: the next page`,
        async ask(world, door) {
          const first = await door(page(world));
          const call = page(world);
          const cursor = first.body.next_cursor;
          assert.equal(typeof cursor, "string");
          const next = await door({ ...call, inputs: { ...call.inputs, cursor } });
          const list = action === "search_companies" ? "companies" : "observations";
          assert.equal(next.body[list].length, 1);
          assert.notEqual(next.body[list][0].id, first.body[list][0].id);
          return next;
        },
        status: 200,
      },
      {
        claim: `${action}: the cursor of another search`,
        async ask(world, door) {
          const first = await door(page(world));
          const call = good(world, action);
          const cursor = first.body.next_cursor;
          return await door({ ...call, inputs: { ...call.inputs, limit: 2, cursor } });
        },
        status: 422,
        code: "invalid_cursor",
      },
      {
        claim: `${action}: the cursor of another account`,
        async ask(world, door) {
          const first = await door(page(world));
          const call = page(world);
          const cursor = first.body.next_cursor;
          const key = world.keys.trialing;
          return await door({ ...call, key, inputs: { ...call.inputs, cursor } });
        },
        status: 422,
        code: "invalid_cursor",
      },
    ];
  });
}

/** Returns cases of inputs at the limits of the specification (section 8), and of defaults. */
export function limitCases(): Case[] {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  const query = "freezer";
  const accepted: [ActionName, Inputs][] = [
    ["search_observations", { query: "freezer ".padEnd(500, "x") }],
    ["search_companies", { query: "freezer ".padEnd(500, "x") }],
    ["search_companies", { query, filters: { company_ids: ids(100) } }],
    ["get_companies", { ids: ids(20) }],
    ["get_companies", { domains: ids(20).map((n) => `d${n}.example`) }],
    ["list_observations", {
      domains: ids(100).map((n) => `d${n}.example`),
      since: "2020-01-01T00:00:00Z",
      limit: 100,
    }],
  ];
  const pages = [["builder", 25], ["professional", 50]] as const;
  const defaults = [
    ["search_companies", 10],
    ["search_observations", 10],
    ["list_observations", 25],
  ] as const;
  return [
    ...accepted.map(([action, inputs]): Case => ({
      claim: `${action}: inputs at the limits: ${JSON.stringify(inputs).slice(0, 60)}`,
      ask: (world, door) =>
        door({ action, inputs, key: world.keys.entitled, request_key: world.newKey() }),
      status: 200,
    })),
    ...pages.flatMap(([plan, max]) =>
      [max, max + 1].map((limit): Case => ({
        claim: `search_companies: pages of ${limit} on the plan ${plan}`,
        ask: (world, door) =>
          door({
            action: "search_companies",
            inputs: { query, limit },
            key: world.keys[plan],
            request_key: world.newKey(),
          }),
        ...limit > max ? { status: 422, code: "result_limit_reached" } : { status: 200 },
      }))
    ),
    ...defaults.map(([action, limit]): Case => ({
      claim: `${action}: pages of ${limit} by default`,
      async ask(world, door) {
        const call = good(world, action);
        const { limit: _, ...inputs } = call.inputs!;
        await door({ ...call, inputs });
        // The key is accepted again only because the inputs are equal.
        return await door({ ...call, inputs: { ...inputs, limit } });
      },
      status: 200,
    })),
  ];
}
