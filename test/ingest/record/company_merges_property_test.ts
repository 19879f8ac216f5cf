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
import { oneEngineTest } from "../../support/database.ts";
import { raw, record } from "../../support/recording.ts";

/** Companies with few distinct values, so that they share names, hostnames and identifiers. */
const COMPANY: fc.Arbitrary<SourceRecord["company"]> = fc.record({
  name: fc.constantFrom("Acme Inc", "ACME", "Acme Ltd", "Globex", "Initech Ltd", "Initech & Co"),
  external_id: fc.option(fc.constantFrom("a", "b", "c")),
  domains: fc.uniqueArray(fc.constantFrom("a.example", "b.example", "c.example"), { maxLength: 2 }),
  identifiers: fc.option(
    fc.oneof(
      fc.record({ cik: fc.constantFrom("1", "2", "3") }),
      fc.record({ uei: fc.constantFrom("UEI123456789", "VEI123456789") }),
    ),
    { freq: 2 },
  ),
});
const RECORD = fc.record({ source: fc.constantFrom("one", "two", "three"), company: COMPANY });
const NUMBER = fc.nat({ max: 1_000 });
const PAIRS = fc.array(fc.tuple(NUMBER, NUMBER), { minLength: 1, maxLength: 6 });

/** Deletes all companies and observations. */
async function clear(sql: Sql): Promise<void> {
  await sql`
    truncate companies, company_external_ids, company_identifiers, company_names, company_domains,
      company_merges, observations, observation_domains, evidence cascade
  `;
}

const idsOf = async (sql: Sql) =>
  (await sql<{ id: number }[]>`select id from companies order by id`).map(({ id }) => id);

/** Merges pairs of companies. The database may refuse a pair. @returns ids of the merges */
async function mergePairs(sql: Sql, pairs: [number, number][]): Promise<number[]> {
  const ids = await idsOf(sql);
  const merges: number[] = [];
  for (const [kept, merged] of pairs) {
    const pair = { kept: ids[kept % ids.length]!, merged: ids[merged % ids.length]! };
    try {
      merges.push((await mergeCompanies(sql, { ...pair, reason: "at random" })).merge);
    } catch (error) {
      assert.match(String(error), /with itself|was merged into|two by their identifiers/);
    }
  }
  return merges;
}

/** Undoes merges in random order. A merge that cannot be undone yet is tried again afterwards. */
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
    assert.ok(left.length < before, "some merges cannot be undone");
  }
}

oneEngineTest(
  "split_company() restores the state exactly, in any order of merges",
  async ({ sql }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(RECORD, { minLength: 3, maxLength: 14 }),
        fc.array(NUMBER, { maxLength: 2 }),
        PAIRS,
        fc.array(NUMBER, { minLength: 7, maxLength: 7 }),
        async (records, suppressed, pairs, order) => {
          await clear(sql);
          await record(sql, ...records.map((part, at) => raw(`record-${at}`, part)));
          const ids = await idsOf(sql);
          for (const at of suppressed) await suppressCompany(sql, ids[at % ids.length]!);
          const before = await companyState(sql);
          await splitAll(sql, await mergePairs(sql, pairs), order);
          assert.deepEqual(await companyState(sql), before);
        },
      ),
      { numRuns: 30 },
    );
  },
);

/** Returns the member `company` of a record. */
const companyWith = (
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
const [U, V] = ["UEI123456789", "VEI123456789"];
type PartOfOne = ReturnType<typeof byOne>;
/**
 * Cases in which the order of records matters. Each has records, and then corrections. A correction
 * is recorded between two equal new records.
 */
const ORDERED: [PartOfOne[], [SourceRecord["company"], PartOfOne][]][] = [
  // A name is given, changed, and given again.
  [
    ["Initech & Co", "Acme Inc", "Initech & Co"].map((name) =>
      byOne(companyWith(name, { external_id: "b" }))
    ),
    [],
  ],
  // A different correction lies between two equal ones.
  [
    [{}, { cik: "1" }, { cik: "1" }].map((part) => byOne(companyWith("Acme Inc", part))),
    [{ domains: ["a.example"] }, { cik: "3" }, { domains: ["a.example"] }]
      .map((part) => [companyWith("Acme Inc", part), byOne(companyWith("Globex"))]),
  ],
  // A new record contradicts an identifier until a correction releases it.
  [
    [byOne(companyWith("Acme Inc", { external_id: "a", cik: "1" }))],
    [[companyWith("Acme Inc"), byOne(companyWith("Acme Inc", { external_id: "a", cik: "2" }))]],
  ],
  // A merge includes earlier records of the same batch.
  [
    [
      byOne(companyWith("Acme Inc", { external_id: "a" })),
      byOne(companyWith("Globex", { cik: "1" })),
      byOne(companyWith("Acme Inc", { external_id: "a", cik: "1" })),
    ],
    [],
  ],
  // A merge does not include what an earlier correction of the batch released.
  [
    [
      byOne(companyWith("Acme Inc", { external_id: "c" })),
      byOne(companyWith("Globex")),
      byOne(companyWith("Initech Ltd", { external_id: "b", domains: ["a.example"], cik: "1" })),
      byOne(companyWith("Globex", { uei: U })),
    ],
    [
      [companyWith("Acme Inc"), byOne(companyWith("Acme Inc", { external_id: "c" }))],
      [companyWith("Globex", { domains: ["a.example"] }), byOne(companyWith("Globex"))],
      [
        companyWith("Initech Ltd", { domains: ["a.example"], cik: "1" }),
        byOne(companyWith("Acme Inc", { external_id: "c", uei: U })),
      ],
      [
        companyWith("Globex", { uei: U }),
        byOne(companyWith("Acme Inc", { external_id: "c", cik: "1" })),
      ],
    ],
  ],
  // A merge gives a name to an older company.
  [
    [
      byOne(companyWith("Acme Inc", { external_id: "c" })),
      byOne(companyWith("Acme Inc", { external_id: "a", uei: U })),
      byOne(companyWith("Globex", { cik: "2" })),
      byOne(companyWith("Acme Inc", { external_id: "b", uei: V })),
      byOne(companyWith("Acme Inc", { cik: "2" })),
      byOne(companyWith("Globex", { external_id: "b" })),
    ],
    [companyWith("Acme Inc", { uei: V }), companyWith("Acme Inc"), companyWith("Globex")]
      .map((company) => [company, byOne(companyWith("Initech Ltd"))]),
  ],
];

oneEngineTest(
  "record_observations() gives the same companies in one batch or many",
  async ({ sql }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(RECORD, { minLength: 2, maxLength: 12 }),
        fc.array(fc.tuple(COMPANY, RECORD), { maxLength: 6 }),
        async (records, corrections) => {
          const raws = records.map((part, at) => raw(`record-${at}`, part));
          // A correction changes only the hostnames and identifiers of the company.
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
          for (const single of [...raws, ...later]) await record(sql, single);
          assert.deepEqual(await shapes(sql), together);
        },
      ),
      { numRuns: 30, examples: ORDERED },
    );
  },
);

oneEngineTest("random records, merges and splits leave no row at a merged company", async (t) => {
  const { sql } = t;
  await fc.assert(
    fc.asyncProperty(
      fc.array(RECORD, { minLength: 4, maxLength: 20 }),
      PAIRS,
      async (records, pairs) => {
        await clear(sql);
        const half = records.length / 2;
        const raws = records.map((part, at) => raw(`record-${at}`, part));
        await record(sql, ...raws.slice(0, half));
        const merges = await mergePairs(sql, pairs);
        await record(sql, ...raws.slice(half));
        const undone = merges[0];
        // A merge by a record of the second half may prevent this split.
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

/** Returns the shape at present, and the shape after all merges are undone. */
async function shapes(sql: Sql): Promise<unknown[][]> {
  const merged = await shape(sql);
  await splitAll(sql, (await listMerges(sql, 1_000)).map(({ merge }) => merge), [0]);
  return [merged, await shape(sql)];
}

/** Returns the observations and statements of each company, without ids. */
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
