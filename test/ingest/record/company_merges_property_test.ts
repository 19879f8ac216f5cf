import assert from "node:assert/strict";
import fc from "fast-check";
import type { SourceRecord } from "../../../src/contract/record.ts";
import type { Sql } from "../../../src/db/connect.ts";
import {
  listMerges,
  mergeCompanies,
  splitCompany,
} from "../../../src/ingest/record/company_merges.ts";
import { suppressCompany } from "../../../src/ingest/record/withdraw.ts";
import { companyState } from "../../support/company_state.ts";
import { databaseTest } from "../../support/database.ts";
import { raw, record } from "../../support/recording.ts";

/** Few values of each, so that companies share names and hostnames and meet by them. */
const COMPANY: fc.Arbitrary<SourceRecord["company"]> = fc.record({
  name: fc.constantFrom("Acme Inc", "ACME", "Acme Ltd", "Globex", "Initech Ltd", "Initech & Co"),
  external_id: fc.option(fc.constantFrom("a", "b", "c")),
  domains: fc.uniqueArray(fc.constantFrom("a.example", "b.example", "c.example"), { maxLength: 2 }),
  identifiers: fc.option(
    fc.oneof(
      fc.record({ cik: fc.constantFrom("1", "2", "3") }),
      fc.record({ uei: fc.constantFrom("U".repeat(12), "V".repeat(12)) }),
    ),
    { freq: 2 },
  ),
});
const RECORD = fc.record({ source: fc.constantFrom("one", "two", "three"), company: COMPANY });
const NUMBER = fc.nat({ max: 1_000 });
const PAIRS = fc.array(fc.tuple(NUMBER, NUMBER), { minLength: 1, maxLength: 6 });

/** Empties what a run has left. */
async function clear(sql: Sql): Promise<void> {
  await sql`
    truncate companies, company_external_ids, company_identifiers, company_names, company_domains,
      company_merges, observations, observation_domains, evidence cascade
  `;
}

const idsOf = async (sql: Sql) =>
  (await sql<{ id: number }[]>`select id from companies order by id`).map(({ id }) => id);

/** Those that the database refuses, it refuses whole. @returns the merges that were made */
async function mergePairs(sql: Sql, pairs: [number, number][]): Promise<number[]> {
  const ids = await idsOf(sql);
  const merges: number[] = [];
  for (const [kept, merged] of pairs) {
    const pair = { kept: ids[kept % ids.length]!, merged: ids[merged % ids.length]! };
    try {
      merges.push((await mergeCompanies(sql, { ...pair, reason: "at random" })).merge);
    } catch (error) {
      assert.match(
        String(error),
        /with itself|was merged into|two by their identifiers/,
      );
    }
  }
  return merges;
}

/** Undoes merges in random order as far as it is allowed, then again, until all are undone. */
async function splitAll(sql: Sql, merges: number[], order: number[]): Promise<void> {
  const left = merges.toSorted((a, b) =>
    order[a % order.length]! - order[b % order.length]! || a - b
  );
  while (left.length > 0) {
    const before = left.length;
    for (const merge of [...left]) {
      try {
        await splitCompany(sql, merge);
        left.splice(left.indexOf(merge), 1);
      } catch (error) {
        assert.match(String(error), /was merged further by merge \d+: undo that first/);
      }
    }
    assert.ok(left.length < before, "merges that cannot be undone are left");
  }
}

databaseTest("merges undone in any order restore the state exactly", async ({ sql }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(RECORD, { minLength: 3, maxLength: 14 }),
      fc.array(NUMBER, { maxLength: 2 }),
      PAIRS,
      fc.array(NUMBER, { minLength: 7, maxLength: 7 }),
      async (records, suppressed, pairs, order) => {
        await clear(sql);
        await record(sql, ...records.map((part, at) => raw(String(at), part)));
        const ids = await idsOf(sql);
        for (const at of suppressed) await suppressCompany(sql, ids[at % ids.length]!);
        const before = await companyState(sql);
        await splitAll(sql, await mergePairs(sql, pairs), order);
        assert.deepEqual(await companyState(sql), before);
      },
    ),
    { numRuns: 30 },
  );
});

const told = (
  name: string,
  { external_id = null, domains = [], ...identifiers }: {
    external_id?: string | null;
    domains?: string[];
    cik?: string;
    uei?: string;
  } = {},
): SourceRecord["company"] => ({
  name,
  external_id,
  domains,
  identifiers: Object.keys(identifiers).length > 0 ? identifiers : null,
});
const byOne = (company: SourceRecord["company"]) => ({ source: "one", company });
const [U, V] = ["U".repeat(12), "V".repeat(12)];
type Told = ReturnType<typeof byOne>;
/** Records, then corrections, each between two equal new records, where their order decides. */
const ORDERED: [Told[], [SourceRecord["company"], Told][]][] = [
  // A name that is given, taken away and given again.
  [
    ["Initech & Co", "Acme Inc", "Initech & Co"].map((name) =>
      byOne(told(name, { external_id: "b" }))
    ),
    [],
  ],
  // What two corrections say alike lies between what a third one says.
  [
    [{}, { cik: "1" }, { cik: "1" }].map((part) => byOne(told("Acme Inc", part))),
    [{ domains: ["a.example"] }, { cik: "3" }, { domains: ["a.example"] }]
      .map((part) => [told("Acme Inc", part), byOne(told("Globex"))]),
  ],
  // What a new record gives contradicts, until a correction lets go what it contradicts.
  [
    [byOne(told("Acme Inc", { external_id: "a", cik: "1" }))],
    [[told("Acme Inc"), byOne(told("Acme Inc", { external_id: "a", cik: "2" }))]],
  ],
  // A merge takes along what came in the same batch.
  [
    [
      byOne(told("Acme Inc", { external_id: "a" })),
      byOne(told("Globex", { cik: "1" })),
      byOne(told("Acme Inc", { external_id: "a", cik: "1" })),
    ],
    [],
  ],
  // It leaves what a correction in that batch has taken away.
  [
    [
      byOne(told("Acme Inc", { external_id: "c" })),
      byOne(told("Globex")),
      byOne(told("Initech Ltd", { external_id: "b", domains: ["a.example"], cik: "1" })),
      byOne(told("Globex", { uei: U })),
    ],
    [
      [told("Acme Inc"), byOne(told("Acme Inc", { external_id: "c" }))],
      [told("Globex", { domains: ["a.example"] }), byOne(told("Globex"))],
      [
        told("Initech Ltd", { domains: ["a.example"], cik: "1" }),
        byOne(told("Acme Inc", { external_id: "c", uei: U })),
      ],
      [told("Globex", { uei: U }), byOne(told("Acme Inc", { external_id: "c", cik: "1" }))],
    ],
  ],
  // A merge brings a name to an older company.
  [
    [
      byOne(told("Acme Inc", { external_id: "c" })),
      byOne(told("Acme Inc", { external_id: "a", uei: U })),
      byOne(told("Globex", { cik: "2" })),
      byOne(told("Acme Inc", { external_id: "b", uei: V })),
      byOne(told("Acme Inc", { cik: "2" })),
      byOne(told("Globex", { external_id: "b" })),
    ],
    [told("Acme Inc", { uei: V }), told("Acme Inc"), told("Globex")]
      .map((company) => [company, byOne(told("Initech Ltd"))]),
  ],
];

databaseTest("records say the same of companies in one batch or in many", async ({ sql }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(RECORD, { minLength: 2, maxLength: 12 }),
      fc.array(fc.tuple(COMPANY, RECORD), { maxLength: 6 }),
      async (records, corrections) => {
        const raws = records.map((part, at) => raw(String(at), part));
        // What a source says of the company only, as it would correct it.
        const later = corrections.slice(0, raws.length).flatMap(([company, part], at) => {
          const { name, external_id } = records[at]!.company;
          const corrected = { ...raws[at]!, company: { ...company, name, external_id } };
          return [raw(`${at} before`, part), corrected, raw(`${at} after`, part)];
        });
        await clear(sql);
        await record(sql, ...raws);
        await record(sql, ...later);
        const together = await shapes(sql);
        await clear(sql);
        for (const one of [...raws, ...later]) await record(sql, one);
        assert.deepEqual(await shapes(sql), together);
      },
    ),
    { numRuns: 30, examples: ORDERED },
  );
});

databaseTest("identifiers hold whatever comes: one company each, one of a scheme", async (t) => {
  const { sql } = t;
  await fc.assert(
    fc.asyncProperty(
      fc.array(RECORD, { minLength: 4, maxLength: 20 }),
      PAIRS,
      async (records, pairs) => {
        await clear(sql);
        const half = records.length / 2;
        const raws = records.map((part, at) => raw(String(at), part));
        await record(sql, ...raws.slice(0, half));
        const merges = await mergePairs(sql, pairs);
        await record(sql, ...raws.slice(half));
        const undone = merges[0];
        // It may be under a merge that the second half made.
        if (undone !== undefined) await splitCompany(sql, undone).catch(() => {});
        await record(sql, ...raws);
        const [{ strays }] = await sql<[{ strays: number }]>`
          select (
            select count(*) from companies c where c.merged_into is not null and (
              exists (select from observations o where o.company_id = c.id)
              or exists (select from company_external_ids x where x.company_id = c.id)
              or exists (select from company_identifiers i where i.company_id = c.id)
              or exists (select from company_names n where n.company_id = c.id)
              or exists (select from company_domains d where d.company_id = c.id)
            )
          ) + (
            select count(*) from observations o join company_external_ids x
              on x.source_id = o.source_id and x.external_id = o.company_external_id
            where x.company_id <> o.company_id
          ) + (
            select count(*) from companies c left join company_merges m
              on m.merged_id = c.id and m.undone_at is null
            where c.merged_into is distinct from m.kept_id
          ) as strays
        `;
        assert.equal(strays, 0);
        await splitAll(
          sql,
          (await listMerges(sql, 1_000)).filter((m) => m.undone_at === null).map((m) => m.merge),
          [0],
        );
      },
    ),
    { numRuns: 30 },
  );
});

/** Returns the shapes as they are, and as they are once all merges are undone. */
async function shapes(sql: Sql): Promise<unknown[][]> {
  const merged = await shape(sql);
  await splitAll(sql, (await listMerges(sql, 1_000)).map(({ merge }) => merge), [0]);
  return [merged, await shape(sql)];
}

/** Returns the observations of each company, and its names: without ids. */
async function shape(sql: Sql): Promise<unknown[]> {
  const rows = await sql`
    select
      c.name,
      array(select external_id from observations o where o.company_id = c.id order by 1) as records,
      array(
        select source_id || '/' || external_id from company_external_ids x
        where x.company_id = c.id order by 1
      ) as external_ids,
      array(
        select scheme || ':' || value from company_identifiers i
        where i.company_id = c.id order by 1
      ) as identifiers,
      array(
        select source_id || '/' || normalized_name || '/' || legal_form from company_names n
        where n.company_id = c.id order by 1
      ) as names,
      array(
        select hostname from company_domains cd join domains d on d.id = cd.domain_id
        where cd.company_id = c.id order by 1
      ) as hostnames
    from companies c order by c.id
  `;
  return [...rows];
}
