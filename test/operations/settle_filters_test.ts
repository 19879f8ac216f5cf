/** Settlement checks the filters again, because the index of the search may have lagged behind. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import type { MeteredAction } from "../../src/operations/action.ts";
import { isWhole } from "../../src/operations/answer.ts";
import { claim, isLease } from "../../src/operations/claim.ts";
import { settle } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type Recorded, type TestCaller } from "../support/factories.ts";
import { assertSettled, entryOf, fixedAction, runContext } from "../support/operations.ts";

const action = fixedAction([]) as unknown as MeteredAction;

/** Settles a search that found these records. Returns the ids of the delivered companies. */
async function deliver(
  sql: Sql,
  who: TestCaller,
  { records, inputs, listing = action }: {
    records: Recorded[];
    inputs: object;
    listing?: MeteredAction;
  },
): Promise<number[]> {
  const lease = await claim(runContext(sql), {
    action: listing,
    caller: who.caller,
    request_key: JSON.stringify(inputs),
    request: { inputs: { query: "q", limit: 10, ...inputs }, cursor: null, background: false },
    deadline_seconds: 900,
  });
  assert.ok(isLease(lease));
  const entries = records.map(entryOf);
  const work = { entries, facts: {} };
  const { caller } = who;
  const answer = await settle(runContext(sql), { action, lease, caller, limit: 10, work });
  assert.ok(isWhole(answer));
  const { result, operation } = answer;
  assert.equal(operation.delivered_units, result!.entries.length);
  return result!.entries.map(({ company_id }) => company_id);
}

databaseTest("settle() delivers only records that match every filter", async ({ sql }) => {
  const who = await createCaller(sql);
  const records = await record(sql, [
    { company: { name: "North", domains: ["north.example"] } },
    {
      company: { name: "South", domains: ["south.example"] },
      country: "US",
      kind: "procurement_request",
      demand_class: "explicit_request",
      occurred_at: "2026-05-01T00:00:00Z",
      observed_at: "2026-05-02T00:00:00Z",
    },
  ]);
  const [north, south] = records.map(({ company_id }) => company_id) as [number, number];
  const cases: [filters: object, delivered: number[]][] = [
    [{}, [north, south]],
    [{ countries: ["CA"] }, [north]],
    [{ countries: ["CA", "US"] }, [north, south]],
    [{ kinds: ["procurement_request"] }, [south]],
    [{ demand_classes: ["proxy"] }, [north]],
    [{ occurred_after: "2026-03-01T00:00:00Z" }, [south]],
    [{ occurred_after: "2026-02-28T23:59:59.999Z" }, [north, south]],
    [{ observed_after: "2026-05-02T00:00:00Z" }, []],
    [{ observed_after: "2026-05-01T23:59:59.999Z" }, [south]],
    [{ company_ids: [south] }, [south]],
    [{ exclude_company_ids: [south] }, [north]],
    [{ domains: ["north.example"] }, [north]],
    [{ exclude_domains: ["north.example"] }, [south]],
    [{ domains: ["north.example"], exclude_domains: ["north.example"] }, []],
    [{ countries: [], kinds: [], company_ids: [], domains: [], exclude_domains: [] }, [
      north,
      south,
    ]],
  ];
  for (const [filters, delivered] of cases) {
    const shown = JSON.stringify(filters);
    assert.deepEqual(await deliver(sql, who, { records, inputs: { filters } }), delivered, shown);
  }
  const undated = await record(sql, [{ kind: "company_profile", occurred_at: null }]);
  const dated = { filters: { occurred_after: "2020-01-01T00:00:00Z" } };
  assert.deepEqual(await deliver(sql, who, { records: undated, inputs: dated }), []);
  // An action may take its filters from inputs other than `filters`.
  const inputs = { kinds: ["procurement_request"], domains: ["south.example"] };
  const listing = { ...action, filters: () => ({ kinds: inputs.kinds }) };
  assert.deepEqual(await deliver(sql, who, { records, inputs, listing }), [south]);
  await assertSettled(sql);
});

databaseTest("settle() checks the present hostnames of a company", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const records = await record(sql, [
    { company: { name: "North", domains: ["north.example"] } },
    { company: { name: "South", domains: ["south.example"] } },
  ]);
  const [, south] = records.map(({ company_id }) => company_id) as [number, number];
  await sql`
    update company_domains set active = false
    where domain_id = (select id from domains where hostname = 'north.example')
  `;
  const inputs = { filters: { domains: ["north.example", "south.example"] } };
  assert.deepEqual(await deliver(sql, who, { records, inputs }), [south]);
});

databaseTest("settle() leaves out an observation that was moved to another company", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const records = await record(sql, [{}, {}]);
  const [north, south] = records as [Recorded, Recorded];
  await sql`
    update observations set company_id = ${south.company_id} where id = ${north.observation_id}
  `;
  assert.deepEqual(await deliver(sql, who, { records, inputs: {} }), [south.company_id]);
  await assertSettled(sql);
});
