import assert from "node:assert/strict";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { DEMO_SOURCES, generateDemo, recordDemo } from "../../src/ingest/demo.ts";
import { normalizeRecord } from "../../src/ingest/normalize.ts";
import { databaseTest } from "../support/database.ts";

const NOW = new Date("2026-05-04T13:37:00Z");
const DAY = 86_400_000;

Deno.test("generateDemo() gives the same for the same day, and the same texts on any other", () => {
  const demo = generateDemo(NOW);
  assert.deepEqual(generateDemo(new Date("2026-05-04T23:59:59Z")), demo);
  const later = generateDemo(new Date("2027-01-01T00:00:00Z"));
  assert.deepEqual(
    later.map(({ record }) => [record.external_id, record.observed_fact]),
    demo.map(({ record }) => [record.external_id, record.observed_fact]),
  );
});

Deno.test("generateDemo() invents 1,500 different observations of 300 companies over everything", () => {
  const records = generateDemo(NOW).map(({ record }) => record);
  assert.equal(records.length, 1_500);
  assert.equal(new Set(records.map(({ company }) => company.name)).size, 300);
  assert.equal(new Set(records.map(({ source, external_id }) => source + external_id)).size, 1_500);
  assert.ok(new Set(records.map(({ observed_fact }) => observed_fact)).size > 1_450);
  const values = (pick: (record: typeof records[number]) => string[]) =>
    [...new Set(records.flatMap(pick))].sort();
  assert.deepEqual(values(({ kind }) => [kind]), [...KINDS].sort());
  assert.deepEqual(values(({ demand_class }) => [demand_class]), [...DEMAND_CLASSES].sort());
  assert.deepEqual(values(({ country }) => [country]), [...COUNTRIES].sort());
  assert.deepEqual(values(({ categories }) => categories ?? []), [...SECTOR_CODES].sort());
  assert.deepEqual(values(({ source }) => [source]), [...DEMO_SOURCES].sort());
});

Deno.test("generateDemo() makes valid records, on .example alone, none of them expired", () => {
  const day = Math.floor(NOW.getTime() / DAY) * DAY;
  for (const { record, company } of generateDemo(NOW)) {
    assert.ok("record" in normalizeRecord(record));
    for (const hostname of company.hostnames) assert.match(hostname, /\.example$/);
    for (const { source_uri } of record.evidence) {
      assert.ok(source_uri.startsWith(`https://${company.hostnames[0]}/`));
    }
    const observed = Date.parse(record.observed_at);
    assert.ok(observed <= NOW.getTime());
    assert.ok(record.occurred_at == null || Date.parse(record.occurred_at) <= observed);
    assert.equal(observed < day - 180 * DAY, company.stale);
    assert.ok(record.expires_at == null || Date.parse(record.expires_at) >= day + 30 * DAY);
  }
});

Deno.test("generateDemo() lets a company's words show in what is told of it", () => {
  for (const { record, company, scene } of generateDemo(NOW)) {
    const told = [record.observed_fact, record.why_it_may_matter, record.evidence[0]!.excerpt];
    assert.ok(told.join(" ").includes(company.name));
    const { product, second_product, need, facility, technology, role, city } = scene;
    const words = [product, second_product, need, facility, technology, role];
    assert.ok(words.some((word) => told.join(" ").includes(word)), record.observed_fact);
    assert.ok(told.join(" ").includes(city) || company.language === "en");
  }
});

databaseTest("recordDemo() records everything once", async ({ db, sql }) => {
  const none = { read: 1_500, recorded: 0, revised: 0, unchanged: 0, rejected: 0 };
  assert.deepEqual(await recordDemo(db, new Date()), { ...none, recorded: 1_500 });
  assert.deepEqual(await recordDemo(db, new Date()), { ...none, unchanged: 1_500 });
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
      generateDemo(new Date()).filter(({ company }) => company.single_source)
        .map(({ company }) => company.number),
    ).size,
    shared_hostnames: 2,
  });
});
