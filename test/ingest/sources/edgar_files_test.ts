/** Tests with the real files of EDGAR, which are outside of the project and may be absent. */
import assert from "node:assert/strict";
import { type SourceEntry, UnreadableSource } from "../../../src/ingest/record/entry.ts";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { edgar8k } from "../../../src/ingest/sources/edgar_8k/edgar_8k.ts";
import { formD } from "../../../src/ingest/sources/form_d/form_d.ts";
import { contentOf, countsOf, isThere, readSource, recordOf } from "../../support/reading.ts";

const FILES = new URL("../../../../shared/data/edgar/", import.meta.url);
const ignore = !await isThere(FILES);

async function namesIn(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(new URL(folder, FILES)))).map(({ name }) =>
    name
  );
  return names.sort();
}

/** Reads the entries of a submissions file. Returns undefined if it is an older page of one. */
async function readReal(name: string): Promise<SourceEntry[] | undefined> {
  try {
    return await readSource(edgar8k, new URL(`submissions/${name}`, FILES));
  } catch (error) {
    if (error instanceof UnreadableSource && /older page/.test(error.message)) return;
    throw error;
  }
}

Deno.test({
  name: "edgar_8k maps all reports of the real files",
  ignore,
  async fn() {
    const names = await namesIn("submissions/");
    const read = await Promise.all(names.map(readReal));
    const entries = read.flatMap((entries) => entries ?? []);
    const records = entries.filter(({ judged }) => "record" in judged).map(recordOf);
    assert.deepEqual(
      countsOf(entries.flatMap(({ judged }) => "record" in judged ? [] : Object.values(judged))),
      {
        "a filing on a form other than 8-K": 12_474,
        "a report without an item of a known kind": 1_144,
        "a report of an agreement that ended (1.02), which is no partnership": 15,
      },
    );
    const count = <Key>(keyOf: (record: NormalRecord) => Key) =>
      [...Map.groupBy(records, keyOf)].map(([key, { length }]) => [key, length]).sort();
    assert.equal(names.length, 32);
    assert.equal(read.filter((entries) => entries === undefined).length, 4);
    assert.deepEqual(count(({ kind }) => kind), [
      ["company_profile", 22],
      ["funding_round", 63],
      ["leadership_change", 299],
      ["partnership", 222],
    ]);
    assert.deepEqual(count(({ confidence }) => confidence), [
      [0.32, 2],
      [0.4, 101],
      [0.48, 1],
      [0.5, 59],
      [0.56, 1],
      [0.6, 122],
      [0.64, 7],
      [0.7, 21],
      [0.8, 292],
    ]);
    assert.deepEqual(count(({ country }) => country), [["US", 606]]);
    assert.equal(new Set(records.map(({ external_id }) => external_id)).size, records.length);
    for (const record of records) {
      assert.ok(record.occurred_at! < record.observed_at, record.external_id);
      assert.ok(record.occurred_at! > "1994", record.external_id);
      const texts = JSON.stringify([record.observed_fact, record.evidence]);
      assert.doesNotMatch(texts, /@|undefined|null|NaN|\(\d{3}\)|\/[A-Z]+\//);
      assert.equal(record.categories.length, 1);
      assert.ok(record.facets.industry !== undefined && record.facets.places!.length === 1);
    }
  },
});

Deno.test({
  name: "edgar_8k maps the last change of leadership in a real file",
  ignore,
  async fn() {
    const entries = (await readReal("CIK0001045810.json"))!;
    const last = entries.find(({ judged }) =>
      "record" in judged && judged.record.kind === "leadership_change"
    )!;
    const { why_it_may_matter: _, ...record } = contentOf(last);
    const times = {
      occurred_at: "2026-01-20T05:00:00.000Z",
      observed_at: "2026-01-23T22:01:33.000Z",
    };
    assert.equal(last.line, 15);
    assert.deepEqual(record, {
      source: "edgar_8k",
      external_id: "0001045810-26-000003:5.02",
      company_name: "NVIDIA CORP",
      company_external_id: "0001045810",
      company_identifiers: ["cik:0001045810"],
      hostnames: [],
      kind: "leadership_change",
      observed_fact:
        "NVIDIA CORP reported on Form 8-K that directors or principal officers left, " +
        "were elected or were appointed, or that their pay was arranged anew (Item 5.02); date " +
        "of report: 2026-01-20. SANTA CLARA, CA; Semiconductors & Related Devices; NVDA. " +
        "CIK 1045810, accession number 0001045810-26-000003.",
      demand_class: "proxy",
      country: "US",
      confidence: 0.8,
      ...times,
      expires_at: null,
      categories: ["31-33"],
      texts: [],
      facets: {
        industry: "Semiconductors & Related Devices",
        places: [{ city: "SANTA CLARA", country: "US", region: "CA" }],
        tickers: ["NVDA"],
      },
      evidence: [{
        source_uri: "https://www.sec.gov/Archives/edgar/data/1045810/000104581026000003/" +
          "0001045810-26-000003-index.htm",
        excerpt: "Form 8-K, filed 2026-01-23, date of report 2026-01-20\nItems: 5.02\n" +
          "Item 5.02: Departure of Directors or Certain Officers; Election of Directors; " +
          "Appointment of Certain Officers; Compensatory Arrangements of Certain Officers",
        ...times,
      }],
    });
  },
});

function outcomeOf({ judged }: SourceEntry): unknown[] {
  return "record" in judged ? [judged.record.external_id] : Object.values(judged);
}

const readNotice = (name: string) => readSource(formD, new URL(`form_d/${name}`, FILES));

Deno.test({
  name: "form_d maps the two companies of the real files, and leaves out the four funds",
  ignore,
  async fn() {
    const names = await namesIn("form_d/");
    const read = await Promise.all(names.map(readNotice));
    assert.deepEqual(
      names.map((name, at) => [name, read[at]!.flatMap(outcomeOf)]),
      [
        ["0001398344-24-000491.nc.txt", ["a pooled investment fund"]],
        ["0002002260-24-000001.nc.txt", ["a pooled investment fund"]],
        ["D.1685REIT.xml", ["a pooled investment fund"]],
        ["D.APFund.xml", ["a pooled investment fund"]],
        ["D.Shepards.xml", ["1544190:2017-03-16"]],
        ["Halloran.primary_doc.xml", ["1171623:2006-09-15"]],
      ],
    );
    const texts = JSON.stringify(read.flat().map(({ judged }) => judged));
    assert.doesNotMatch(texts, /Wallach|Kalergis|Harshman|Rauscher|752-2688|220-0718|@/);
  },
});

Deno.test({
  name: "form_d maps a real amendment",
  ignore,
  async fn() {
    const [entry] = await readNotice("D.Shepards.xml");
    const { why_it_may_matter: _, ...record } = contentOf(entry!);
    const times = {
      occurred_at: "2017-03-16T04:00:00.000Z",
      observed_at: "2023-01-31T05:00:00.000Z",
    };
    assert.deepEqual(record, {
      source: "form_d",
      external_id: "1544190:2017-03-16",
      company_name: "Shepherd's Finance, LLC",
      company_external_id: "0001544190",
      company_identifiers: ["cik:0001544190"],
      hostnames: [],
      kind: "funding_round",
      observed_fact: "Shepherd's Finance, LLC (JACKSONVILLE, FL) reported on Form D/A a " +
        "private offering of equity under Rule 506(b): $5,725,051 sold of $8,000,000 to 13 " +
        "investors, first sale on 2017-03-16. Industry group: Other Banking and Financial " +
        "Services; formerly 84 RE Partners, LLC. CIK 1544190.",
      demand_class: "proxy",
      country: "US",
      confidence: 0.9,
      ...times,
      expires_at: null,
      categories: ["52"],
      texts: [],
      facets: {
        amount: { currency: "USD", value: 5_725_051 },
        former_names: ["84 RE Partners, LLC"],
        industry: "Other Banking and Financial Services",
        legal_form: "Limited Liability Company",
        places: [{ city: "JACKSONVILLE", country: "US", region: "FL" }],
        round: "exempt_offering",
      },
      evidence: [{
        source_uri:
          "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001544190&type=D",
        excerpt: "Form D/A: Shepherd's Finance, LLC\n" +
          "Principal place of business: JACKSONVILLE, FL\n" +
          "Industry group: Other Banking and Financial Services\n" +
          "Federal exemptions and exclusions claimed: 06b\nDate of first sale: 2017-03-16\n" +
          "Types of securities offered: equity\nTotal offering amount: 8000000\n" +
          "Total amount sold: 5725051\nTotal number of investors already invested: 13",
        ...times,
      }],
    });
  },
});
