/** Dialogues of a caller that follows descriptions and error messages literally. */
import assert from "node:assert/strict";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { type Answer, LiteralReader, type ToolCall } from "../support/literal_reader.ts";
import { listTools, request, rpc, toolCall } from "../support/mcp.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld, type World } from "../support/world.ts";

/** Max number of calls that the caller needs after a first call that does not satisfy it. */
const STEPS_MAX = 2;

interface Dialogue {
  claim: string;
  first: (world: World) => ToolCall;
  /** Returns whether an answer satisfies the caller. */
  ends: (answer: Answer) => boolean;
  /** Fault of the first call: its answer is lost, or the service is unavailable. */
  fault?: "cut" | "unavailable";
  /** Number of calls that the caller needs after the first one. */
  steps: 1 | 2;
}

const QUERY = "freezer warehouse";
const key = () => crypto.randomUUID();
const companies = ({ body }: Answer) => body.companies?.length > 0;
const observations = ({ body }: Answer) => body.observations?.length > 0;
const call = (name: string, args: Record<string, unknown>): ToolCall => ({ name, args });

const search = (args: Record<string, unknown>) => () =>
  call("search_companies", { query: QUERY, request_key: key(), ...args });
const observationSearch = (args: Record<string, unknown>) => () =>
  call("search_observations", { query: QUERY, request_key: key(), ...args });

const DIALOGUES: Dialogue[] = [
  {
    claim: "a search without a key",
    first: () => call("search_companies", { query: QUERY }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a lookup without a key",
    first: ({ north }) => call("get_companies", { ids: [north.company_id] }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a queued search without a key",
    first: () => call("create_usage", { query: QUERY }),
    ends: observations,
    steps: 2,
  },
  {
    claim: "a filter of cities",
    first: search({ filters: { city: "Laval" } }),
    ends: companies,
    steps: 1,
  },
  { claim: "a city as an argument", first: search({ city: "Laval" }), ends: companies, steps: 1 },
  {
    claim: "a kind that is no filter",
    first: search({ filters: { kinds: ["funding_round"] } }),
    ends: companies,
    // The kind that the message proposes finds nothing, so the filter is dropped next.
    steps: 2,
  },
  {
    claim: "a URL as a hostname",
    first: search({ filters: { domains: ["https://north.example/about"] } }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a date without a time",
    first: search({ filters: { observed_after: "2020-01-01" } }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a filter of companies on observations",
    first: observationSearch({ filters: { domains: ["north.example"] } }),
    ends: observations,
    steps: 1,
  },
  {
    claim: "too large a page of companies",
    first: search({ limit: 40 }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "too large a page of observations",
    first: observationSearch({ limit: 100 }),
    ends: observations,
    steps: 1,
  },
  {
    claim: "the last page of companies",
    first: search({ limit: 1 }),
    ends: ({ body }) => body.next_cursor === null,
    steps: 2,
  },
  {
    claim: "the last page of observations",
    first: observationSearch({ limit: 1 }),
    ends: ({ body }) => body.next_cursor === null,
    steps: 2,
  },
  {
    claim: "a cursor of another search",
    first: search({ cursor: "c".repeat(32) }),
    ends: companies,
    steps: 1,
  },
  { claim: "a cut connection", first: search({}), ends: companies, fault: "cut", steps: 1 },
  {
    claim: "a service that cannot answer",
    first: search({}),
    ends: companies,
    fault: "unavailable",
    steps: 1,
  },
  {
    claim: "a search in the background",
    first: search({ background: true }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a queued observation search",
    first: () => call("create_usage", { query: QUERY, request_key: key() }),
    ends: observations,
    steps: 1,
  },
  {
    claim: "another account's operation",
    first: ({ delivered }) => call("get_usage", { id: delivered.id }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a company that does not exist",
    first: () => call("get_company", { id: Number.MAX_SAFE_INTEGER }),
    ends: ({ body }) => body.company?.id > 0,
    steps: 1,
  },
  {
    claim: "a search without a result",
    first: search({ filters: { domains: ["nobody.example"] } }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "ids and domains at once",
    first: ({ north }) =>
      call("get_companies", {
        ids: [north.company_id],
        domains: ["north.example"],
        request_key: key(),
      }),
    ends: companies,
    steps: 1,
  },
  {
    claim: "a key of another question",
    first: search({ limit: 2, request_key: "the key of the first search" }),
    ends: companies,
    steps: 1,
  },
];

oneEngineTest("a caller that follows messages makes the right call in two steps", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const ask = async ({ name, args }: ToolCall, key = world.keys.entitled): Promise<Answer> => {
      const { body } = await rpc(app, toolCall(name, args), { key });
      return { body: body.result.structuredContent };
    };
    const reader = new LiteralReader(await listTools(app, world.keys.entitled));
    const first = { query: QUERY, request_key: "the key of the first search" };
    const earlier = await ask(call("search_companies", first));
    const foreign = await ask(call("search_companies", first), world.keys.trialing);
    world.delivered = foreign.body.usage;
    const counts: [string, number][] = [];
    for (const { claim, first, ends, fault } of DIALOGUES) {
      let called = first(world);
      let answer: Answer | undefined;
      if (fault === "unavailable") {
        await using _ = await world.fault("57P01");
        answer = await ask(called);
      } else answer = await ask(called);
      if (fault === "cut") answer = undefined;
      let steps = 0;
      while (answer === undefined || !ends(answer)) {
        assert.ok(steps++ < STEPS_MAX, `${claim}: ${JSON.stringify(answer)}`);
        called = reader.next({ call: called, answer, earlier });
        while (await drain(app.context, app.actions.metered) > 0);
        answer = await ask(called);
      }
      counts.push([claim, steps]);
    }
    assert.deepEqual(counts, DIALOGUES.map(({ claim, steps }) => [claim, steps]));
  });
  await assertSettled(sql);
});

oneEngineTest("the instructions explain every limitation that an answer can have", async (t) => {
  const { db, sql } = t;
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const { body } = await rpc(
      app,
      request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      }),
      { key: world.keys.entitled },
    );
    const { instructions } = body.result;
    assert.ok(instructions.length < 2_048, `${instructions.length} characters`);
    const paths = ["components.schemas.CompanySearchResult", "components.schemas.Company"];
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    for (const path of paths) {
      const shape = path.split(".").reduce((at, name) => at[name], document);
      const { description } = shape.properties.limitations;
      const values = description.match(/[a-z]+_[a-z_]+/g);
      assert.ok(values.length >= 3, description);
      for (const value of values) assert.ok(instructions.includes(value), value);
    }
  });
});
