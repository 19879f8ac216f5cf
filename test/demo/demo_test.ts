import assert from "node:assert/strict";
import type { SourceRecord } from "../../src/contract/record.ts";
import { SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { generateDemo, recordDemo } from "../../src/demo/demo.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { countsOf } from "../support/counts.ts";
import { oneEngineTest } from "../support/database.ts";

const NOW = new Date("2026-05-04T13:37:00Z");
const DAY = 86_400_000;

const ENGLISH_TECHNOLOGIES = new Set(
  generateDemo(NOW).filter(({ company }) => company.language === "en")
    .map(({ scene }) => scene.technology),
);

function textOf({ observed_fact, why_it_may_matter, evidence }: SourceRecord): string {
  return [observed_fact, why_it_may_matter, ...evidence.map(({ excerpt }) => excerpt)].join("\n");
}

function countOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

Deno.test("generateDemo() gives equal records on one day, and equal texts on any day", () => {
  const demo = generateDemo(NOW);
  assert.deepEqual(generateDemo(new Date("2026-05-04T23:59:59Z")), demo);
  const later = generateDemo(new Date("2027-01-01T00:00:00Z"));
  assert.deepEqual(
    later.map(({ record }) => [record.external_id, record.observed_fact]),
    demo.map(({ record }) => [record.external_id, record.observed_fact]),
  );
});

Deno.test("generateDemo() invents 1,500 observations of 300 companies, of all kinds and sectors", () => {
  const records = generateDemo(NOW).map(({ record }) => record);
  assert.equal(records.length, 1_500);
  assert.equal(new Set(records.map(({ company }) => company.name)).size, 300);
  assert.equal(new Set(records.map(({ source, external_id }) => source + external_id)).size, 1_500);
  assert.deepEqual(countOf(records.map(({ kind }) => kind)), {
    company_profile: 300,
    facility_expansion: 158,
    funding_round: 127,
    job_posting: 147,
    leadership_change: 145,
    partnership: 176,
    procurement_request: 157,
    product_launch: 152,
    technology_use: 138,
  });
  assert.deepEqual(countOf(records.map(({ demand_class }) => demand_class)), {
    explicit_request: 157,
    proxy: 905,
    structural: 438,
  });
  assert.deepEqual(countOf(records.map(({ country }) => country)), { CA: 754, US: 746 });
  assert.deepEqual(countOf(records.map(({ source }) => source)), { demo: 964, "demo-press": 536 });
  assert.deepEqual(
    countOf(records.flatMap(({ categories }) => categories ?? [])),
    Object.fromEntries(SECTOR_CODES.map((sector) => [sector, 75])),
  );
});

Deno.test("generateDemo() makes valid, unexpired records with .example hostnames only", () => {
  const day = Math.floor(NOW.getTime() / DAY) * DAY;
  for (const { record, company } of generateDemo(NOW)) {
    assert.ok("record" in normalizeRecord(record));
    for (const hostname of company.hostnames) assert.match(hostname, /\.example$/);
    for (const { source_uri } of record.evidence) {
      const { hostname } = new URL(source_uri);
      assert.match(hostname, /\.example$/);
      assert.equal(hostname === company.hostnames[0], record.source === "demo");
    }
    const observed = Date.parse(record.observed_at);
    assert.ok(observed <= NOW.getTime());
    assert.ok(record.occurred_at == null || Date.parse(record.occurred_at) <= observed);
    assert.equal(observed < day - 180 * DAY, company.stale);
    assert.ok(!company.stale || record.expires_at === null);
    assert.ok(record.expires_at == null || Date.parse(record.expires_at) >= day + 30 * DAY);
  }
});

Deno.test("generateDemo() uses the words of a company in its records", () => {
  for (const { record, company, scene } of generateDemo(NOW)) {
    const text = textOf(record);
    assert.ok(text.includes(company.name));
    const { product, second_product, need, facility, technology, role, city } = scene;
    const words = [product, second_product, need, facility, technology, role];
    assert.ok(words.some((word) => text.includes(word)), record.observed_fact);
    assert.ok(text.includes(city) || company.language === "en");
  }
});

Deno.test("generateDemo() repeats no text", () => {
  const records = generateDemo(NOW).map(({ record }) => record);
  assert.equal(new Set(records.map(({ observed_fact }) => observed_fact)).size, 1_500);
  let further_evidence = 0;
  for (const { observed_fact, evidence } of records) {
    const texts = [observed_fact, ...evidence.map(({ excerpt }) => excerpt)];
    assert.equal(new Set(texts).size, texts.length);
    assert.equal(new Set(evidence.map(({ source_uri }) => source_uri)).size, evidence.length);
    further_evidence += evidence.length - 1;
  }
  assert.ok(further_evidence > 300);
});

Deno.test("generateDemo() writes texts without typical mistakes of grammar and sense", () => {
  for (const { record, company } of generateDemo(NOW)) {
    const text = textOf(record);
    assert.doesNotMatch(text, /\w- \w|undefined|NaN| {2}|\?print|contracts?, such as/);
    for (const [, years] of text.matchAll(/(?:After|Après) (\d+) (?:years|ans)/g)) {
      assert.ok(Number(years) >= 15 && Number(years) <= 45, text);
    }
    if (company.language === "en") {
      assert.doesNotMatch(text, /\ba (?:[aeio]|uncer|under|unl)|\ban [^aeioux8]/i, text);
      continue;
    }
    assert.doesNotMatch(text, /\bde [aeiouéèêâ]|\bde (?:Hydro|Hôtels|Hirondelle)\b/i, text);
    assert.doesNotMatch(text, /de Québec au Québec|\bthe\b|\bsoftware\b/i, text);
    for (const technology of ENGLISH_TECHNOLOGIES) assert.ok(!text.includes(technology), text);
  }
});

Deno.test("generateDemo() has several companies for the first query of the README", () => {
  const fitting = (kind: string) =>
    new Set(
      generateDemo(NOW)
        .filter(({ record }) =>
          record.country === "CA" && record.kind === kind &&
          /warehouse/.test(textOf(record)) && /cold storage/.test(textOf(record))
        ).map(({ company }) => company.name),
    ).size;
  assert.ok(fitting("facility_expansion") >= 5);
  assert.ok(fitting("procurement_request") >= 3);
});

oneEngineTest("recordDemo() records each observation once", async ({ db, sql }) => {
  const today = new Date();
  assert.deepEqual(await recordDemo(db, today), countsOf({ read: 1_500, recorded: 1_500 }));
  assert.deepEqual(await recordDemo(db, today), countsOf({ read: 1_500, unchanged: 1_500 }));
  const [counts] = await sql`
    select
      (select count(*) from companies) as companies,
      (select count(*) from deliverable_observations) as observations,
      (select count(*) from (
        select from observations group by company_id having count(distinct source_id) = 1
      ) c) as single_source,
      (select count(*) from (
        select from company_domains group by domain_id having count(*) > 1
      ) d) as shared_hostnames
  `;
  assert.deepEqual({ ...counts }, {
    companies: 300,
    observations: 1_500,
    single_source: new Set(
      generateDemo(today).filter(({ company }) => company.single_source)
        .map(({ company }) => company.number),
    ).size,
    shared_hostnames: 2,
  });
});
