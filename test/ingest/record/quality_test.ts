/** Tests the quality report on a file (`ingest --dry-run`), which needs no database. */
import assert from "node:assert/strict";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { foremostReasons } from "../../../src/ingest/record/reasons.ts";
import { QualityMeter } from "../../../src/ingest/record/quality.ts";
import { runIngest } from "../../support/command.ts";
import { sourceRecord } from "../../support/factories.ts";

const LONG = "The freezer hall gets forty racks and two doors. ".repeat(20).trim();

const RECORDS = [
  sourceRecord({
    source: "acme-feed",
    external_id: "1",
    company: { name: "Northwind", domains: ["northwind.example"], identifiers: { cik: "17" } },
    kind: "job_posting",
    demand_class: "proxy",
    country: "CA",
    categories: ["31-33"],
    text: ["One.", "Une autre."],
    facets: {
      role: "Fitter",
      place: [{ country: "CA", region: "QC" }, { country: "CA", city: "Laval" }],
      employment: { pay: { min: 30, currency: "CAD", period: "hour" } },
      amount: { value: 5, currency: "CAD" },
    },
    evidence: [{ source_uri: "https://news.example/1", excerpt: "0123456789" }],
  }),
  sourceRecord({
    source: "acme-feed",
    external_id: "1",
    company: { name: "northwind" },
    kind: "job_posting",
    demand_class: "proxy",
    country: "CA",
    categories: [],
    facets: { role: "Fitter" },
    evidence: [{ source_uri: "https://news.example/1", excerpt: "0123456789" }],
  }),
  sourceRecord({
    source: "acme-feed",
    external_id: "2",
    company: { name: "Southwind" },
    kind: "facility_expansion",
    demand_class: "explicit_request",
    country: "US",
    categories: [],
    evidence: [{ source_uri: "https://news.example/2", excerpt: LONG }],
  }),
];

/** Runs `ingest --dry-run`. */
const report = (args: string[]) => runIngest(["--dry-run", ...args]);

/** Runs a test with a temporary file. Checks that no other file was created beside it. */
async function withFile(text: string, use: (path: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/records.ndjson`, text);
    await use(`${directory}/records.ndjson`);
    assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["records.ndjson"]);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const TEXT = [...RECORDS.map((record) => JSON.stringify(record)), "{nonsense", "[]"].join("\n");

Deno.test("ingest --dry-run --json reports acceptable records and their filled members", () =>
  withFile(TEXT, async (path) => {
    const { exit_code, printed, messages } = await report(["--json", path]);
    assert.deepEqual([exit_code, messages], [1, []]);
    const { rejected_reasons, excerpts, ...quality } = JSON.parse(printed);
    assert.deepEqual(quality, {
      format: "ndjson",
      read: 5,
      accepted: 3,
      repeated: 1,
      rejected: 2,
      left_out: 0,
      doubtful: 1,
      excerpts_cut: 1,
      kinds: { job_posting: 2, facility_expansion: 1 },
      countries: { CA: 2, US: 1 },
      demand_classes: { proxy: 2, explicit_request: 1 },
      left_out_reasons: [],
      doubtful_reasons: [],
      // The first record has three texts: "One.", "Une autre." and its excerpt, which neither of
      // them contains. The fourth text is the uncut excerpt of the third record.
      texts: { count: 4, median: 10, p90: 979, max: 979 },
      facets: {
        "amount": 0.3333,
        "employment": 0.3333,
        "employment.pay": 0.3333,
        "places": 0.3333,
        "places.city": 0.3333,
        "places.country": 0.3333,
        "places.region": 0.3333,
        "role": 0.6667,
      },
      categories: { filled: 0.3333, records: { "31-33": 1 } },
      companies: { distinct: 2, with_hostname: 0.5, with_identifier: 0.5 },
    });
    assert.equal(rejected_reasons.length, 2);
    assert.deepEqual(rejected_reasons[1], { reason: "the line is not JSON", count: 1 });
    assert.deepEqual([excerpts.count, excerpts.median], [3, 10]);
    assert.ok(excerpts.max > 500 && excerpts.max <= 600, `${excerpts.max}`);
  }));

Deno.test("ingest --dry-run prints the report as a table without --json", () =>
  withFile(TEXT, async (path) => {
    const { printed } = await report([path]);
    const rows = printed.split("\n");
    assert.equal(rows[0], "read            5");
    assert.equal(rows[1], "accepted        3, 1 of them repeated");
    assert.ok(rows.includes("                1: the line is not JSON"), printed);
    assert.ok(rows.includes("kinds           job_posting 2, facility_expansion 1"), printed);
    assert.ok(rows.includes("                 67%  role"), printed);
    assert.ok(
      rows.includes("texts           4; characters: median 10, 90% up to 979, at most 979"),
    );
  }));

Deno.test("ingest --dry-run continues after a file that it cannot read", () =>
  withFile(JSON.stringify(RECORDS[0]), async (path) => {
    const good = await report([path]);
    assert.equal(good.exit_code, 0);
    const { exit_code, printed, messages } = await report(["--json", `${path}.none`, path]);
    assert.equal(exit_code, 1);
    assert.equal(JSON.parse(printed).accepted, 1);
    assert.equal(messages.length, 1);
    assert.match(messages[0]!, /records\.ndjson\.none/);
  }));

Deno.test("QualityMeter counts records that are left out by reason, and reports zeros if empty", () => {
  const meter = new QualityMeter();
  const nothing = meter.report();
  assert.deepEqual([nothing.read, nothing.categories.filled, nothing.texts.max], [0, 0, 0]);
  for (const left_out of ["abroad", "a sale", "abroad"]) {
    meter.add({ line: 1, judged: { left_out } });
  }
  // Another source may use the same external id. At least half of its two excerpts are short.
  const another = { ...RECORDS[2], source: "wire", external_id: "1" };
  for (const record of [RECORDS[0], another]) {
    meter.add({ line: 1, judged: normalizeRecord(record) });
  }
  const { read, accepted, repeated, left_out, left_out_reasons, excerpts } = meter.report();
  assert.deepEqual([read, accepted, repeated, left_out, excerpts.median], [5, 2, 0, 3, 10]);
  assert.deepEqual(left_out_reasons, [
    { reason: "abroad", count: 2 },
    { reason: "a sale", count: 1 },
  ]);
});

Deno.test("foremostReasons() joins two or more reasons beyond the twentieth", () => {
  const reasons = Array.from({ length: 22 }, (_, at) => ({ reason: `reason ${at}`, count: 1 }));
  assert.deepEqual(foremostReasons(reasons.slice(1)), reasons.slice(1));
  assert.deepEqual(foremostReasons(reasons).slice(19), [
    reasons[19],
    { reason: "2 other reasons", count: 2 },
  ]);
});
