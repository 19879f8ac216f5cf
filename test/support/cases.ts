/**
 * The contract as one table of cases for every door. It omits cases that only one door can have,
 * such as methods and media types.
 */
import assert from "node:assert/strict";
import type { FailureCode } from "../../src/failures.ts";
import { type ActionName, type Case, good, METERED, type Metered, READS } from "./calls.ts";
import { inputCases, limitCases, pageCases } from "./input_cases.ts";
import { untilEnded } from "./waiting.ts";
import { STORED_CODES, type StoredCode, type World } from "./world.ts";

/** Inputs of each action that differ from those of good(). */
const OTHER: Record<Exclude<Metered, "diagnostic">, object> = {
  search_companies: { query: "freezer warehouse", limit: 3 },
  search_observations: { query: "freezer warehouse", limit: 3 },
  get_companies: { domains: ["north.example"] },
  list_observations: { domains: ["north.example"], since: "2020-01-02T00:00:00Z" },
};

const INVALID: Record<Metered, FailureCode> = {
  search_companies: "invalid_search",
  get_companies: "invalid_lookup",
  list_observations: "invalid_search",
  search_observations: "invalid_search",
  diagnostic: "invalid_search",
};

/** All cases of the contract. */
export const CASES: Case[] = [
  ...[...METERED, ...READS].flatMap(ofEveryAction),
  ...METERED.flatMap(ofMeteredAction),
  ...METERED.flatMap((action) =>
    STORED_CODES.filter((code) => action.startsWith("search_") || code.startsWith("usage_"))
      .flatMap((code) => ofStoredFailure(action, code))
  ),
  ...inputCases(),
  ...limitCases(),
  ...pageCases(),
  backgroundCase("search_companies"),
  backgroundCase("search_observations"),
];

function ofEveryAction(action: ActionName): Case[] {
  const withKey = (key: (world: World) => string | undefined): Case["ask"] => (world, door) =>
    door({ ...good(world, action), key: key(world) });
  const withFault = (sqlstate: string): Case["ask"] => async (world, door) => {
    const call = good(world, action);
    await using _ = await world.fault(sqlstate);
    return await door(call);
  };
  const name = (claim: string) => `${action}: ${claim}` as const;
  return [
    {
      claim: name("answers a paying account"),
      ask: withKey(({ keys }) => keys.entitled),
      status: 200,
    },
    { claim: name("answers a trial"), ask: readOnTrial(action), status: 200 },
    {
      claim: name("without a key"),
      ask: withKey(() => undefined),
      status: 401,
      code: "invalid_api_key",
    },
    {
      claim: name("with a revoked key"),
      ask: withKey(({ keys }) => keys.revoked),
      status: 401,
      code: "invalid_api_key",
    },
    {
      claim: name("with a lapsed subscription"),
      ask: withKey(({ keys }) => keys.lapsed),
      status: 402,
      code: "subscription_required",
    },
    {
      claim: name("while the database is stopping"),
      ask: withFault("57P01"),
      status: 503,
      code: "unavailable",
    },
    { claim: name("after a defect"), ask: withFault("XX000"), status: 500, code: "internal_error" },
  ];
}

/** Returns a function that calls an action with a trial's key. A poll reads its new operation. */
function readOnTrial(action: ActionName): Case["ask"] {
  return async (world, door) => {
    const call = { ...good(world, action), key: world.keys.trialing };
    if (action !== "get_operation") return await door(call);
    const answer = await door({ ...good(world, "get_companies"), key: call.key });
    return await door({ ...call, inputs: { id: answer.body.usage.id } });
  };
}

function ofMeteredAction(action: Metered): Case[] {
  const withKey = (key: (world: World) => string): Case["ask"] => (world, door) =>
    door({ ...good(world, action), key: key(world) });
  return [
    {
      claim: `${action}: the first answer, a retry and a poll are one body`,
      async ask(world, door) {
        const call = good(world, action);
        const first = await door(call);
        const retry = await door(call);
        assert.deepEqual([first.replayed, retry.replayed], [false, true]);
        assert.deepEqual(retry.body, first.body);
        const poll = await door({
          action: "get_operation",
          key: call.key,
          inputs: { id: first.body.usage.id },
        });
        assert.deepEqual(poll.body, first.body);
        return poll;
      },
      status: 200,
    },
    ...action === "diagnostic" ? [] : [
      {
        claim: `${action}: a request key with other inputs`,
        async ask(world, door) {
          const call = good(world, action);
          await door(call);
          return await door({ ...call, inputs: OTHER[action] as Record<string, unknown> });
        },
        status: 422,
        code: "idempotency_conflict",
      } satisfies Case,
    ],
    {
      claim: `${action}: a request key of another action`,
      async ask(world, door) {
        const other_action = METERED.find((one) => one !== action && door.supports(one))!;
        const call = good(world, other_action);
        await door(call);
        return await door({ ...good(world, action), request_key: call.request_key });
      },
      status: 422,
      code: "idempotency_conflict",
    },
    ...[undefined, "k".repeat(256)].map((request_key): Case => ({
      claim: `${action}: ${
        request_key === undefined ? "without a" : "with an overlong"
      } request key`,
      ask: (world, door) => door({ ...good(world, action), request_key }),
      status: 422,
      code: INVALID[action],
    })),
    {
      claim: `${action}: no requests left`,
      ask: withKey(({ keys }) => keys.without_requests),
      status: 429,
      code: "request_limit_reached",
    },
    {
      claim: `${action}: no deliveries left`,
      ask: withKey(({ keys }) => keys.without_deliveries),
      // A diagnostic delivers nothing.
      ...action === "diagnostic"
        ? { status: 200 }
        : { status: 429, code: "delivery_limit_reached" },
    },
    {
      claim: `${action}: while another process performs the operation`,
      async ask(world, door) {
        const call = good(world, action);
        const { id } = await world.claim(call);
        const retry = await door(call);
        assert.deepEqual([retry.status, retry.body.usage.status], [202, "processing"]);
        assert.deepEqual([retry.body.usage.request_units, retry.body.usage.delivered_units], [
          0,
          0,
        ]);
        return await door({ action: "get_operation", key: call.key, inputs: { id } });
      },
      status: 202,
    },
    {
      claim: `${action}: a result past its retention`,
      async ask(world, door) {
        const call = good(world, action);
        const { body } = await door(call);
        await world.retire(body.usage.id);
        const poll = await door({
          action: "get_operation",
          key: call.key,
          inputs: { id: body.usage.id },
        });
        const retry = await door(call);
        assert.deepEqual(retry.body, poll.body);
        // The settled units do not change.
        assert.deepEqual(poll.body.usage, body.usage);
        return retry;
      },
      status: 422,
      code: "usage_expired",
    },
  ];
}

/** Returns the case of an operation that failed. Retries and polls of it return that failure. */
function ofStoredFailure(action: Metered, code: StoredCode): Case[] {
  const status = code.endsWith("unavailable") ? 503 : 422;
  return [{
    claim: `${action}: an operation that failed with ${code}`,
    async ask(world, door) {
      const call = good(world, action);
      const { id } = await world.claim(call, { end: code });
      const poll = await door({ action: "get_operation", key: call.key, inputs: { id } });
      assert.deepEqual([poll.status, poll.body.error.code], [status, code]);
      const retry = await door(call);
      assert.deepEqual(retry.body, poll.body);
      assert.deepEqual(retry.body.usage, {
        id,
        status: "failed",
        request_key: call.request_key,
        request_units: 0,
        delivered_units: 0,
        fresh_evidence_units: 0,
      });
      assert.ok(retry.body.request_allowance);
      assert.equal(retry.replayed, true);
      return retry;
    },
    status,
    code,
  }];
}

/** Returns a case that runs one search in both modes. Only ids, keys, cursors and times differ. */
function backgroundCase(action: "search_companies" | "search_observations"): Case {
  return {
    claim: `${action}: the background gives the same answer as a direct request`,
    async ask(world, door) {
      const call = good(world, action);
      const background = { ...call, background: true } as const;
      const accepted = await door(background);
      assert.deepEqual([accepted.status, accepted.body.usage.status], [202, "pending"]);
      const { id } = accepted.body.usage;
      const poll = { action: "get_operation", key: call.key, inputs: { id } } as const;
      const done = await untilEnded(() => door(poll));
      assert.deepEqual((await door(call)).body, done.body);
      assert.deepEqual((await door(background)).body, done.body);
      const atOnce = await door({ ...call, request_key: world.newKey() });
      assert.deepEqual(anonymous(atOnce.body), anonymous(done.body));
      return done;
    },
    status: 200,
  };
}

/** Returns a body without the ids, keys, times and allowances that differ between operations. */
// deno-lint-ignore no-explicit-any -- any delivered body
function anonymous({ usage, next_cursor, as_of: _, request_allowance: __, ...body }: any) {
  const identity = {
    usage: { ...usage, id: 0, request_key: "" },
    next_cursor: next_cursor !== null,
  };
  return { ...body, ...identity };
}
