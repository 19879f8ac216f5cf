/** Statements of the previous version, whose processes still serve during an upgrade. */
import assert from "node:assert/strict";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled } from "../support/operations.ts";

const LEASE = "00000000-0000-4000-8000-000000000001";

databaseTest("statements of the previous version get answers in that version's form", async (t) => {
  const { sql } = t;
  const { caller: { key_hash } } = await createCaller(sql);
  const recorded = await record(sql, [
    { company: { name: "North", domains: ["north.example"] } },
    { country: "US" },
    {},
  ]);
  const [north, , last] = recorded;
  const hash = new Uint8Array(32);
  const inputs = { query: "q", limit: 2, filters: { countries: ["CA"], kinds: [] } };
  const claim = (request_key: string, cursor: string | null) =>
    sql`
      select claim_operation(
        ${key_hash}, 'search_companies', ${request_key}, ${hash}, ${hash}, ${sql.json(inputs)},
        false, 1, ${cursor}, 1, ${LEASE}, 30, 900, null
      ) as answer
    `.then(([row]) => row!.answer);
  const settle = (operation_id: number, entries: unknown) =>
    sql`
      select settle_operation(
        ${key_hash}, ${operation_id}, ${LEASE}, ${sql.json(entries as never)}, 1, 'company',
        ${sql.json({ retrieval: "lexical" })}, ${`cursor of ${operation_id}`}, null, '{}', '{}',
        null
      ) as answer
    `.then(([row]) => row!.answer);
  const entries = recorded.map(({ company_id, observation_id }) => ({
    company_id,
    observation_ids: [observation_id],
  }));

  const claimed = await claim("1", null);
  const first = await settle(claimed.operation_id, entries);
  assert.deepEqual(
    [first.outcome, first.result.entries, first.operation.delivered_units],
    ["settled", [entries[0]], 1],
  );
  const [row] = first.observations;
  assert.deepEqual(
    [
      row.id,
      row.company_id,
      row.company_name,
      row.observed_fact,
      row.evidence.length,
      row.domains,
    ],
    [
      north!.observation_id,
      north!.company_id,
      "North",
      "A second cold storage hall is being built.",
      1,
      null,
    ],
  );
  assert.deepEqual((await claim("1", null)).observations, first.observations);
  const [polled] = await sql`
    select read_operation(${key_hash}, ${claimed.operation_id}, null) as answer
  `;
  assert.deepEqual(polled!.answer.observations, first.observations);

  // The later page starts from the shortlist in the form of the previous version.
  const second = await claim("2", first.next_cursor);
  assert.deepEqual(second.shortlist, { retrieval: "lexical", entries });
  const rest = await settle(second.operation_id, second.shortlist.entries);
  assert.deepEqual(rest.result.entries, [entries[2]]);
  assert.deepEqual(rest.observations[0].id, last!.observation_id);

  const [company] = await sql`
    select read_company(${key_hash}, ${north!.company_id}, null) as answer
  `;
  assert.deepEqual(company!.answer.observation_ids, [north!.observation_id]);
  assert.equal(company!.answer.observations[0].domains[0].hostname, "north.example");
  const [observation] = await sql`
    select read_observation(${key_hash}, ${north!.observation_id}, null) as answer
  `;
  assert.deepEqual(observation!.answer.observation, row);
  const [usage] = await sql`select read_usage(${key_hash}, null) as answer`;
  const { outcome, counts } = usage!.answer;
  assert.deepEqual([outcome, counts.slice(0, 3)], ["found", [2, 2, 2]]);
  const [unknown] = await sql`select read_usage(${hash}, null) as answer`;
  assert.deepEqual(unknown!.answer, { outcome: "refused", code: "invalid_api_key" });
  await assertSettled(sql);
});

databaseTest("settle_operation() accepts arguments of the previous version", async ({ sql }) => {
  const { caller: { key_hash } } = await createCaller(sql);
  const [recorded] = await record(sql, [{}]);
  const hash = new Uint8Array(32);
  const [{ claimed }] = await sql<[{ claimed: { operation_id: number } }]>`
    select claim_operation(
      ${key_hash}, 'search_companies', '1', ${hash}, ${hash}, ${sql.json({ query: "q" })}, null,
      false, false, 1, null, 1, ${LEASE}, 30, 900, null
    ) as claimed
  `;
  const [{ answer }] = await sql<[{ answer: { outcome: string; shown: { ids: number[] } } }]>`
    select settle_operation(
      ${key_hash}, ${claimed.operation_id}, ${LEASE}, ${[recorded!.company_id]}, ${[1]},
      ${[recorded!.observation_id]}, '{}', 1, 'company', '{}', 'cursor', null, '{}', '{}', null
    ) as answer
  `;
  assert.deepEqual([answer.outcome, answer.shown.ids], ["settled", [recorded!.observation_id]]);
  await assertSettled(sql);
});
