/**
 * An answer uses the cached text of an observation only for the present revision, and only if the
 * observation may be shown.
 */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { getCompany, getObservation } from "../../src/dataset/reads.ts";
import {
  suppressCompany,
  withdrawEvidence,
  withdrawObservation,
} from "../../src/ingest/record/withdraw.ts";
import { type ObservationBody, ObservationTexts } from "../../src/operations/observation_text.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type Recorded, type TestCaller } from "../support/factories.ts";
import { fixedAction, runContext, writtenBody } from "../support/operations.ts";

const SOURCE = { external_id: "a-17", company: { name: "North", external_id: "north" } };
const EVIDENCE = ["one", "two"].map((name) => ({
  source_uri: `https://news.example/${name}`,
  excerpt: `Excerpt ${name}.`,
  observed_at: "2026-03-02T09:00:00Z",
}));

interface Shown {
  fact: string;
  excerpts: string[];
  company: string;
}

/** Returns a function for each way to read an observation. They share one cache of texts. */
function readers(
  context: RunContext,
  { caller }: TestCaller,
  { company_id, observation_id }: Recorded,
): Record<string, () => Promise<Shown | undefined>> {
  const action = {
    ...fixedAction([{ company_id, observation_ids: [observation_id] }]),
    present: (
      { observations }: { observations: { json: unknown; company_name: string }[] | null },
    ) => ({ rows: observations!.map(({ json, company_name: name }) => ({ json, name })) }),
  };
  const asked = async (request_key: string) => {
    const { rows: [row] } = writtenBody(
      await run(context, action, caller, () => ({ request_key, inputs: {} })),
    );
    return row && shown(row.json, row.name);
  };
  let searches = 0;
  return {
    search: () => asked(`search ${++searches}`),
    replay: () => asked("replay"),
    observation: async () => {
      const { observation } = writtenBody(
        await getObservation().read(context, caller, { id: observation_id }),
      );
      return shown(observation, observation.company.name);
    },
    company: async () => {
      const { company } = writtenBody(await getCompany().read(context, caller, { id: company_id }));
      return shown(company.observations[0], company.name);
    },
  };
}

// deno-lint-ignore no-explicit-any -- an observation of an answer
function shown({ observed_fact, evidence }: any, company: string): Shown {
  // deno-lint-ignore no-explicit-any -- evidence of an answer
  return { fact: observed_fact, excerpts: evidence.map((one: any) => one.excerpt), company };
}

async function prepare(sql: Sql) {
  const [recorded] = await record(sql, [{
    ...SOURCE,
    observed_fact: "Before.",
    evidence: EVIDENCE,
  }]);
  const reads = readers(runContext(sql), await createCaller(sql), recorded!);
  const before = { fact: "Before.", excerpts: ["Excerpt one.", "Excerpt two."], company: "North" };
  // The second round reads the cached texts.
  for (const _ of [1, 2]) {
    for (const [name, read] of Object.entries(reads)) assert.deepEqual(await read(), before, name);
  }
  return { recorded: recorded!, reads };
}

async function assertShown(
  reads: Record<string, () => Promise<Shown | undefined>>,
  expected: Shown,
): Promise<void> {
  for (const [name, read] of Object.entries(reads)) assert.deepEqual(await read(), expected, name);
}

databaseTest("no answer shows an observation as it was before a revision", async ({ sql }) => {
  const { reads } = await prepare(sql);
  const [, two] = EVIDENCE;
  // Each round revises the observation and reads it once. The cache then has only the former text.
  for (const [name, read] of Object.entries(reads)) {
    const fact = `After, for ${name}.`;
    await record(sql, [{ ...SOURCE, observed_fact: fact, evidence: [two!] }]);
    const expected = { fact, excerpts: ["Excerpt two."], company: "North" };
    assert.deepEqual(await read(), expected, name);
  }
});

databaseTest("no answer shows an excerpt withdrawn after it was cached", async ({ sql }) => {
  const { reads } = await prepare(sql);
  await withdrawEvidence(sql, "https://news.example/one");
  await assertShown(reads, { fact: "Before.", excerpts: ["Excerpt two."], company: "North" });
});

databaseTest("a cached text is shown with the present name of its company", async ({ sql }) => {
  const { reads } = await prepare(sql);
  await record(sql, [{ company: { name: "North Foods", external_id: "north" } }]);
  const { fact, company } = (await reads.observation!())!;
  assert.deepEqual([fact, company], ["Before.", "North Foods"]);
  assert.equal((await reads.replay!())!.company, "North Foods");
});

databaseTest("no cached text of a withdrawn observation is shown", async ({ sql }) => {
  const { reads, recorded } = await prepare(sql);
  await withdrawObservation(sql, recorded.observation_id);
  assert.equal(await reads.search!(), undefined);
  assert.equal(await reads.replay!(), undefined);
  await assert.rejects(reads.observation!(), { code: "observation_not_found" });
  await assert.rejects(reads.company!(), { code: "company_not_found" });
});

databaseTest("no cached text of a suppressed company is shown", async ({ sql }) => {
  const { reads, recorded } = await prepare(sql);
  await suppressCompany(sql, recorded.company_id);
  assert.equal(await reads.search!(), undefined);
  assert.equal(await reads.replay!(), undefined);
  await assert.rejects(reads.observation!(), { code: "observation_not_found" });
});

databaseTest("an unchanged record that is seen again gets a last_seen_at", async ({ sql }) => {
  const { recorded } = await prepare(sql);
  const context = runContext(sql);
  const { caller } = await createCaller(sql);
  const read = async () =>
    writtenBody(await getObservation().read(context, caller, { id: recorded.observation_id }))
      .observation
      .evidence[0].last_seen_at;
  assert.equal(await read(), undefined);
  await record(sql, [{ ...SOURCE, observed_fact: "Before.", evidence: EVIDENCE }]);
  const first = await read();
  assert.ok(first !== undefined);
  await record(sql, [{ ...SOURCE, observed_fact: "Before.", evidence: EVIDENCE }]);
  assert.ok(await read() > first);
});

const BODY: ObservationBody = {
  source_id: 1,
  kind: "funding_round",
  observed_fact: "A fact.",
  why_it_may_matter: "A reason.",
  demand_class: "proxy",
  country: "CA",
  confidence: 0.5,
  occurred_at: null,
  observed_at: "2026-03-02T09:00:00.000Z",
  expires_at: null,
  last_seen_at: null,
  categories: [],
  evidence: [{
    source_uri: "https://news.example/",
    excerpt: "An excerpt.",
    occurred_at: null,
    observed_at: "2026-03-02T09:00:00.000Z",
  }],
};

Deno.test("ObservationTexts keeps its max size and drops the least recently used text", () => {
  const texts = new ObservationTexts(10_000);
  for (let id = 1; id <= 1_000; id++) {
    texts.write(id, "1", BODY);
    texts.find(1);
    assert.ok(texts.bytes <= 10_000);
  }
  assert.ok(texts.find(1) !== undefined);
  assert.equal(texts.find(2), undefined);
  assert.ok(texts.find(1_000) !== undefined);
});

Deno.test("ObservationTexts keeps a new text even if all others are in use", () => {
  const texts = new ObservationTexts(10_000);
  for (let id = 1; id <= 100; id++) {
    texts.write(id, "1", BODY);
    for (let used = 1; used < id; used++) texts.find(used);
    assert.ok(texts.find(id) !== undefined);
  }
});

Deno.test("ObservationTexts keeps one revision per observation", () => {
  const texts = new ObservationTexts();
  texts.write(1, "1", BODY);
  const { bytes } = texts;
  texts.write(1, "2", BODY);
  assert.deepEqual([texts.bytes, texts.find(1)!.revision], [bytes, "2"]);
});

Deno.test("ObservationTexts keeps no text whose excerpt has to be shortened", () => {
  const texts = new ObservationTexts();
  const [evidence] = BODY.evidence;
  texts.write(1, "1", BODY);
  texts.write(1, "2", { ...BODY, evidence: [{ ...evidence!, excerpt: "é".repeat(601) }] });
  assert.deepEqual([texts.find(1), texts.bytes], [undefined, 0]);
});
