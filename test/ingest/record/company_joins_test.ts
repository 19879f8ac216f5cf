import assert from "node:assert/strict";
import type { SourceRecord } from "../../../src/contract/record.ts";
import type { Sql } from "../../../src/db/connect.ts";
import { listMerges, splitCompany } from "../../../src/ingest/record/company_merges.ts";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { acquireObservations } from "../../../src/ingest/record/pipeline.ts";
import { oneEngineTest } from "../../support/database.ts";
import { companyOf, raw, record } from "../../support/recording.ts";

/** Statements of a source about a company. */
interface Stated {
  name: string;
  source: string;
  id?: string;
  place?: { country?: string; region?: string; city?: string };
  industry?: string;
  categories?: SourceRecord["categories"];
  cik?: string;
  former_names?: string[];
  technologies?: string[];
  kind?: SourceRecord["kind"];
}

const SANTA_CLARA = { country: "US", region: "CA", city: "Santa Clara" };

/** Returns a record with statements about a company. The record's external id names the source. */
function stated({ name, source, id = "1", cik, categories = [], ...more }: Stated) {
  const { kind = "company_profile", ...facets } = more;
  return raw(`${source}-${id}`, {
    source,
    country: "US",
    kind,
    categories,
    company: { name, external_id: id, identifiers: cik === undefined ? null : { cik } },
    facets,
  });
}

/** Records statements one by one. Returns whether all have the same company. */
async function areOne(sql: Sql, ...all: Stated[]): Promise<boolean> {
  for (const statements of all) await record(sql, stated(statements));
  const ids = await Promise.all(
    all.map(({ source, id = "1" }) => companyOf(sql, `${source}-${id}`)),
  );
  return new Set(ids).size === 1;
}

const clear = (sql: Sql) => sql`truncate companies, observations cascade`;

const ONE: Stated = {
  name: "NVIXIA CORP",
  source: "one",
  place: SANTA_CLARA,
  industry: "hardware",
};
const TWO: Stated = {
  name: "Nvixia",
  source: "two",
  place: { country: "US", region: "CA", city: "San Jose" },
  industry: "semiconductor",
};

/** Changes to ONE and TWO, and whether the changed companies are joined. */
const PAIRS: Record<string, [Partial<Stated>, Partial<Stated>, boolean]> = {
  "a rare name in one region": [{}, {}, true],
  "no kind of business in one source": [{}, { industry: undefined }, true],
  "another kind of business": [{}, { industry: "restaurants" }, false],
  "another sector as a code": [{ industry: undefined, categories: ["44-45"] }, {}, false],
  "another region": [{}, { place: { country: "US", region: "WA" } }, false],
  "another country whose region has the same code": [
    {},
    { place: { country: "AR", region: "CA" } },
    false,
  ],
  "no region, and the same kind of business": [{}, { place: { country: "US" } }, true],
  "no place, and the same kind of business": [{}, { place: undefined }, true],
  "no region, and no kind of business": [
    {},
    { place: { country: "US" }, industry: undefined },
    false,
  ],
  "no region, and a short name": [{ name: "Zyxor" }, { name: "Zyxor", place: undefined }, false],
  "no region of an event": [{}, { place: undefined, kind: "funding_round" }, false],
  "the place of a posting": [{}, { kind: "job_posting" }, false],
  "the place of a new facility": [{}, { kind: "facility_expansion" }, false],
  "two legal forms": [{}, { name: "Nvixia LLC" }, false],
  "another name": [{}, { name: "Nvixia Singapore" }, false],
  "accents, case, The, Inc. and Incorporated": [
    { name: "The Québixa Boot & Shoe Incorporated" },
    { name: "QUEBIXA BOOT AND SHOE, INC." },
    true,
  ],
  "space within the name": [{ name: "Engina Yardix" }, { name: "EnginaYardix" }, true],
  "two funds": [{ name: "Nvixia Fund II LP" }, { name: "Nvixia Fund III LP" }, false],
  "a subsidiary": [{ name: "Nvixia Inc" }, { name: "Nvixia Canada Inc" }, false],
  "common words of company names": [
    { name: "Global Capital Partners" },
    { name: "Global Capital Partners" },
    false,
  ],
  "a word of the dictionary in two cities": [{ name: "Square" }, { name: "Square" }, false],
  "a word of the dictionary beside a rare one, in two cities": [
    { name: "Square Nvixia" },
    { name: "Square Nvixia" },
    true,
  ],
  "a word of the dictionary in one city": [
    { name: "Square" },
    { name: "Square", place: SANTA_CLARA },
    true,
  ],
  "a word of the dictionary without a kind of business": [
    { name: "Square" },
    { name: "Square", place: SANTA_CLARA, industry: undefined },
    false,
  ],
  "a word of the dictionary and technologies": [
    { name: "Square" },
    { name: "Square", place: SANTA_CLARA, industry: undefined, technologies: ["sql"] },
    true,
  ],
  "a short name in two cities": [{ name: "IDX Corp" }, { name: "IDx" }, false],
  "a former name": [{ name: "Tesixa Inc", former_names: ["NVIXIA Inc"] }, {}, true],
  "the same former name": [
    { name: "Tesixa Inc", former_names: ["Lifixa Acquisition"] },
    { name: "Vincixa Inc", former_names: ["Lifixa Acquisition"] },
    false,
  ],
};

oneEngineTest("acquireObservations() joins what a search has acquired", async ({ sql }) => {
  await record(sql, stated(ONE));
  const judged = normalizeRecord(stated(TWO));
  assert.ok("record" in judged);
  assert.equal((await acquireObservations(sql, [judged.record])).length, 1);
  assert.equal(await companyOf(sql, "two-1"), await companyOf(sql, "one-1"));
});

oneEngineTest("record_observations() joins sources by name, region and business", async (t) => {
  const { sql } = t;
  for (const [what, [one, two, expected]] of Object.entries(PAIRS)) {
    const pair = [{ ...ONE, ...one }, { ...TWO, ...two }] as const;
    for (const order of [pair, pair.toReversed()]) {
      await clear(sql);
      assert.equal(await areOne(sql, ...order), expected, what);
      await clear(sql);
      await record(sql, ...order.map(stated));
      assert.equal(await areOne(sql, ...order), expected, `${what}, in one batch`);
    }
  }
});

oneEngineTest(
  "record_observations() joins three sources of one company in any order",
  async ({ sql }) => {
    const all: Stated[] = [ONE, TWO, { ...TWO, source: "three", cik: "7" }];
    for (const order of [all, all.toReversed(), [all[1]!, all[2]!, all[0]!]]) {
      await clear(sql);
      assert.ok(await areOne(sql, ...order));
    }
  },
);

oneEngineTest(
  "record_observations() joins no company with one of two homonyms of a source",
  async ({ sql }) => {
    const homonyms: Stated[] = [ONE, { ...ONE, id: "2", name: "Nvixia" }];
    await areOne(sql, ...homonyms, TWO);
    const ids = await Promise.all(["one-1", "one-2", "two-1"].map((id) => companyOf(sql, id)));
    assert.equal(new Set(ids).size, 3);
  },
);

oneEngineTest(
  "record_observations() does not join companies with two identifiers of a register",
  async (t) => {
    const { sql } = t;
    assert.ok(!await areOne(sql, { ...ONE, cik: "1" }, { ...TWO, cik: "2" }));
    assert.deepEqual(await listMerges(sql, 10), []);
  },
);

oneEngineTest(
  "record_observations() lists a join by name, and does not repeat it after a split",
  async (t) => {
    const { sql } = t;
    assert.ok(await areOne(sql, ONE, TWO));
    const [merge] = await listMerges(sql, 10);
    assert.equal(merge!.reason, "name and region agree: nvixia, US-CA");
    assert.equal(merge!.source, "two");
    await splitCompany(sql, merge!.merge);
    assert.ok(!await areOne(sql, ONE, TWO));
    assert.ok(
      !await areOne(sql, { ...ONE, industry: "software" }, { ...TWO, industry: "software" }),
    );
  },
);

oneEngineTest(
  "record_observations() undoes a join by name if an identifier contradicts it",
  async ({ sql }) => {
    const later = { ...ONE, cik: "1" };
    assert.ok(await areOne(sql, { ...TWO, cik: "2" }, ONE));
    assert.ok(!await areOne(sql, { ...TWO, cik: "2" }, later));
    const identifiers = await sql`
    select i.value, i.company_id from company_identifiers i order by i.value
  `;
    assert.deepEqual(identifiers.map((row) => ({ ...row })), [
      { value: "0000000001", company_id: await companyOf(sql, "one-1") },
      { value: "0000000002", company_id: await companyOf(sql, "two-1") },
    ]);
    assert.ok((await listMerges(sql, 10)).every(({ undone_at }) => undone_at !== null));

    await clear(sql);
    await record(sql, stated({ ...TWO, cik: "2" }), stated(ONE), {
      ...stated(later),
      external_id: "later",
    });
    assert.equal(await companyOf(sql, "later"), await companyOf(sql, "one-1"), "in one batch");
    assert.notEqual(await companyOf(sql, "later"), await companyOf(sql, "two-1"));
  },
);

oneEngineTest(
  "record_observations() keeps a company's statements when a batch renames it",
  async ({ sql }) => {
    await record(sql, stated(ONE));
    const renamed = { ...stated({ ...ONE, name: "Tesixa Corp" }), external_id: "renamed" };
    await record(sql, renamed, { ...stated(ONE), external_id: "as before" });
    assert.equal(await companyOf(sql, "renamed"), await companyOf(sql, "as before"));
    const names = await sql`select k.join_name, k.places from company_join_names k order by 1`;
    const places = ["US-CA", "US-CA/santa clara"];
    assert.deepEqual(names.map((row) => ({ ...row })), [
      { join_name: "nvixia", places },
      { join_name: "tesixa", places },
    ]);
    assert.ok(await areOne(sql, TWO, ONE));
  },
);

oneEngineTest(
  "record_observations() joins later records by a name that a batch stores",
  async ({ sql }) => {
    const second = { ...ONE, id: "2", name: "Engina Yardix" };
    await record(sql, stated(ONE), stated(second));
    assert.notEqual(await companyOf(sql, "one-1"), await companyOf(sql, "one-2"));
    await record(sql, stated({ ...TWO, former_names: ["Vincixa"] }), stated({ ...TWO, id: "2" }));
    await record(sql, stated({ ...TWO, id: "3", name: "EnginaYardix" }));
    assert.equal(await companyOf(sql, "two-3"), await companyOf(sql, "one-2"));
    const ids = await Promise.all(["one-1", "two-1", "two-2"].map((id) => companyOf(sql, id)));
    assert.equal(new Set(ids).size, 3, "the source `two` has two companies of the name");
  },
);

oneEngineTest(
  "record_observations() joins by the places of all records of a company",
  async ({ sql }) => {
    const elsewhere = { country: "US", region: "NY" };
    await record(sql, stated(ONE), { ...stated({ ...ONE, place: elsewhere }), external_id: "ny" });
    assert.ok(await areOne(sql, ONE, { ...TWO, place: elsewhere }));
    // A name that was current in one of its records stays a name of the company.
    const former_names = ["Lifixa Inc"];
    const renamed = [{ ...ONE, name: "Lifixa Inc" }, { ...ONE, name: "Tesixa Inc", former_names }];
    await clear(sql);
    assert.ok(await areOne(sql, ...renamed, { ...TWO, name: "Vincixa Inc", former_names }));
  },
);

oneEngineTest(
  "record_observations() derives a business from a profile and its technologies together",
  async ({ sql }) => {
    const profile = stated({ ...TWO, place: undefined, industry: undefined });
    const technologies = stated({
      ...TWO,
      place: undefined,
      industry: undefined,
      kind: "technology_use",
      technologies: ["sql"],
    });
    await record(sql, profile, { ...technologies, external_id: "technologies" });
    await record(sql, stated({ ...ONE, industry: "software" }));
    assert.equal(await companyOf(sql, "one-1"), await companyOf(sql, "two-1"));
  },
);
