/** Tests that joins of companies by name do not depend on the order and the batches of records. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { SourceRecord } from "../../../src/contract/record.ts";
import type { Sql } from "../../../src/db/connect.ts";
import { listMerges } from "../../../src/ingest/record/company_merges.ts";
import { oneEngineTest } from "../../support/database.ts";
import { companyOf, raw, record } from "../../support/recording.ts";

/** Statements of a source about a company. */
interface Stated {
  source: string;
  id: string;
  name: string;
  former: string[];
  region: string | undefined;
  industry: string | undefined;
  cik: string | undefined;
}

/** Statements with few distinct values, so that companies match, differ and form chains. */
const STATED: fc.Arbitrary<Stated> = fc.record({
  source: fc.constantFrom("one", "two", "three", "four"),
  id: fc.constantFrom("a", "b"),
  name: fc.constantFrom("Nvixia", "NVIXIA Corp", "Nvixia LLC", "Tesixa"),
  former: fc.constantFrom<string[]>([], ["Nvixia"], ["Tesixa"]),
  region: fc.constantFrom("CA", "CA", "NY", undefined),
  industry: fc.constantFrom("hardware", "semiconductor", "restaurants", undefined),
  cik: fc.constantFrom(undefined, undefined, undefined, "1", "2"),
});

const ALL = fc.uniqueArray(STATED, {
  minLength: 3,
  maxLength: 5,
  selector: ({ source, id }) => `${source}-${id}`,
});

function recordOf({ source, id, name, former, region, industry, cik }: Stated): SourceRecord {
  return raw(`${source}-${id}`, {
    source,
    country: "US",
    kind: "company_profile",
    categories: [],
    company: { name, external_id: id, identifiers: cik === undefined ? null : { cik } },
    facets: {
      place: region === undefined ? null : { country: "US", region },
      industry,
      former_names: former,
    },
  });
}

const clear = (sql: Sql) => sql`truncate companies, observations cascade`;

/** Returns groups of records that have the same company, sorted. */
async function groups(sql: Sql, all: readonly Stated[]): Promise<string[]> {
  const names = all.map(({ source, id }) => `${source}-${id}`).sort();
  const ids = await Promise.all(names.map((name) => companyOf(sql, name)));
  const byCompany = Map.groupBy(names, (_, place) => ids[place]);
  return [...byCompany.values()].map((group) => group.join(" ")).sort();
}

/**
 * Returns whether each identifier of a register is in at most one record. Companies with the same
 * identifier would be joined by the identifier, not by name.
 */
const distinctCiks = (all: readonly Stated[]) => {
  const ciks = all.flatMap(({ cik }) => cik ?? []);
  return new Set(ciks).size === ciks.length;
};

oneEngineTest(
  "record_observations() joins companies by name in any order of records",
  async ({ sql }) => {
    const cases = ALL.filter(distinctCiks).chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.nat({ max: all.length }),
      )
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([all, shuffled, first]) => {
        await clear(sql);
        for (const stated of all) await record(sql, recordOf(stated));
        const expected = await groups(sql, all);
        await clear(sql);
        for (const batch of [shuffled.slice(0, first), shuffled.slice(first)]) {
          if (batch.length > 0) await record(sql, ...batch.map(recordOf));
        }
        assert.deepEqual(await groups(sql, all), expected);
      }),
      { numRuns: 40 },
    );
  },
);

const PLAIN: Stated = {
  source: "one",
  id: "a",
  name: "Nvixia",
  former: [],
  region: "CA",
  industry: "hardware",
  cik: undefined,
};

oneEngineTest(
  "a second company with the same source and name undoes the join of the first",
  async ({ sql }) => {
    const all = [PLAIN, { ...PLAIN, source: "two" }, { ...PLAIN, id: "b" }];
    for (const order of [all, all.toReversed(), [all[0]!, all[2]!, all[1]!]]) {
      await clear(sql);
      for (const stated of order) await record(sql, recordOf(stated));
      assert.deepEqual(await groups(sql, all), ["one-a", "one-b", "two-a"]);
    }
  },
);

oneEngineTest(
  "record_observations() joins unchanged records that are recorded again",
  async ({ sql }) => {
    const all = [PLAIN, { ...PLAIN, source: "two" }];
    for (const batches of [[all], all.map((stated) => [stated])]) {
      await clear(sql);
      // An earlier version did not store names for joins, so they are deleted here.
      for (const stated of all) {
        await record(sql, recordOf(stated));
        await sql`delete from company_join_names`;
      }
      assert.deepEqual(await groups(sql, all), ["one-a", "two-a"]);
      for (const batch of batches) {
        const counts = await record(sql, ...batch.map(recordOf));
        assert.deepEqual(counts, { recorded: 0, revised: 0, unchanged: batch.length });
      }
      assert.deepEqual(await groups(sql, all), ["one-a two-a"]);
      const merges = await listMerges(sql, 10);
      assert.equal(merges[0]!.reason, "name and region agree: nvixia, US-CA");
    }
  },
);
