import assert from "node:assert/strict";
import fc from "fast-check";
import type { SourceRecord } from "../../src/contract/record.ts";
import type { Sql } from "../../src/db/connect.ts";
import {
  listMerges,
  mergeCompanies,
  splitCompany,
} from "../../src/ingest/record/company_merges.ts";
import {
  setSource,
  suppressCompany,
  withdrawEvidence,
  withdrawObservation,
} from "../../src/ingest/record/withdraw.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { AMPLE, createCaller } from "../support/factories.ts";
import { Poller, type Seen } from "../support/poller.ts";
import { raw, record } from "../support/recording.ts";

const HOSTNAMES = ["a.example", "b.example", "c.example"];
const SOURCES = ["one", "two", "three"];
const RECORD_IDS = ["1", "2", "3", "4"];

/**
 * Random records. Fields have few values, so that records are revised and companies share names.
 */
const RECORD = fc.record({
  source: fc.constantFrom(...SOURCES),
  external_id: fc.constantFrom(...RECORD_IDS),
  company: fc.record<SourceRecord["company"]>({
    name: fc.constantFrom("Acme", "Globex", "Initech"),
    external_id: fc.option(fc.constantFrom("a", "b"), { freq: 1 }),
    domains: fc.uniqueArray(fc.constantFrom(...HOSTNAMES), { maxLength: 2 }),
    identifiers: fc.option(fc.record({ cik: fc.constantFrom("1", "2") }), { freq: 1 }),
  }),
  observed_fact: fc.constantFrom("A hall is built.", "A hall is open.", "A hall is closed."),
});
const NUMBER = fc.nat({ max: 1_000 });

const STEP = fc.oneof(
  { weight: 8, arbitrary: step("record", fc.array(RECORD, { minLength: 1, maxLength: 3 })) },
  { weight: 8, arbitrary: step("poll", NUMBER) },
  { weight: 3, arbitrary: step("permit", fc.tuple(fc.constantFrom(...SOURCES), fc.boolean())) },
  { weight: 2, arbitrary: step("merge", fc.tuple(NUMBER, NUMBER)) },
  { weight: 2, arbitrary: step("split", NUMBER) },
  { weight: 2, arbitrary: step("withdraw", NUMBER) },
  { weight: 1, arbitrary: step("suppress", NUMBER) },
  {
    weight: 1,
    arbitrary: step(
      "withdraw_evidence",
      fc.tuple(fc.constantFrom(...SOURCES), fc.constantFrom(...RECORD_IDS)).map(([s, e]) =>
        uriOf(s, e)
      ),
    ),
  },
);
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

function step<Name extends string, Value>(name: Name, value: fc.Arbitrary<Value>) {
  return value.map((value) => ({ name, value }));
}

function uriOf(source: string, external_id: string): string {
  return `https://news.example/${source}/${external_id}`;
}

/** Deletes the rows of a run. `dataset_clock` is kept, so the times of later records still grow. */
async function clear(sql: Sql): Promise<void> {
  await sql`
    truncate companies, company_external_ids, company_identifiers, company_names, company_domains,
      company_merges, observations, observation_domains, evidence, withdrawn_evidence_uris cascade
  `;
  await sql`update sources set permitted = true`;
}

/** Applies a change. The database may refuse a merge or split. */
async function apply(sql: Sql, { name, value }: Exclude<Step, { name: "poll" }>) {
  switch (name) {
    case "record":
      return await record(
        sql,
        ...value.map((part) =>
          raw(part.external_id, {
            ...part,
            evidence: [{ source_uri: uriOf(part.source, part.external_id), excerpt: "The hall" }],
          })
        ),
      );
    case "permit":
      return await setSource(sql, ...value);
    case "withdraw_evidence":
      return await withdrawEvidence(sql, value);
    case "withdraw":
      return await withdrawObservation(sql, await pick(sql, "observations", value));
    case "suppress":
      return await suppressCompany(sql, await pick(sql, "companies", value));
    case "merge": {
      const [kept, merged] = [
        await pick(sql, "companies", value[0]),
        await pick(sql, "companies", value[1]),
      ];
      const reason = "at random";
      return await unlessRefused(mergeCompanies(sql, { kept, merged, reason }));
    }
    case "split": {
      const merges = (await listMerges(sql, 1_000)).filter((merge) => merge.undone_at === null);
      if (merges.length > 0) {
        return await unlessRefused(splitCompany(sql, merges[value % merges.length]!.merge));
      }
    }
  }
}

/** Returns the id of a row; 1 if there is no row. */
async function pick(sql: Sql, table: string, at: number): Promise<number> {
  const rows = await sql.unsafe<{ id: number }[]>(`select id from ${table} order by id`);
  return rows[at % rows.length]?.id ?? 1;
}

async function unlessRefused(change: Promise<unknown>): Promise<void> {
  const refusal =
    /with itself|was merged into|two by their identifiers|merged further|there is no company/;
  await change.catch((error) => assert.match(String(error), refusal));
}

/** Creates a poller for each hostname, and two for several hostnames. The last one uses cursors. */
function createPollers(app: TestApp, key: string): { hostnames: string[]; poller: Poller }[] {
  const base = { app, key, limit: 2 };
  return [
    ...HOSTNAMES.map((hostname) => ({ hostnames: [hostname], cursors: false })),
    { hostnames: HOSTNAMES.slice(1), cursors: false },
    { hostnames: HOSTNAMES, cursors: true },
  ].map(({ hostnames, cursors }) => ({
    hostnames,
    poller: new Poller({ ...base, hostnames, cursors }),
  }));
}

/** Returns the last state of each observation that a poller received. */
const lastSeen = (seen: readonly Seen[]) => new Map(seen.map((one) => [one.id, one]));

oneEngineTest(
  "a poller that follows as_of ends with the observations of a fresh poll, whatever changed",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql, { terms: AMPLE });
    await withApp(db, async (app) => {
      await fc.assert(
        fc.asyncProperty(fc.array(STEP, { minLength: 6, maxLength: 24 }), async (steps) => {
          await clear(sql);
          const pollers = createPollers(app, key);
          for (const step of steps) {
            if (step.name !== "poll") await apply(sql, step);
            else await pollers[step.value % pollers.length]!.poller.poll();
          }
          for (const { hostnames, poller } of pollers) {
            await poller.drain();
            const fresh = new Poller({ app, key, hostnames, limit: 100, cursors: true });
            const seen = lastSeen(poller.seen);
            for (const shown of await fresh.drain()) {
              assert.deepEqual(seen.get(shown.id), shown, `${hostnames}`);
            }
            if (hostnames.length < HOSTNAMES.length) continue;
            const slow = new Poller({ app, key, hostnames, limit: 1 });
            assert.deepEqual(await slow.drain(), fresh.seen, "with pages of one observation");
          }
        }),
        // A counterexample is not shrunk, because a run takes hundreds of statements.
        { numRuns: 12, endOnFailure: true },
      );
    });
  },
);
