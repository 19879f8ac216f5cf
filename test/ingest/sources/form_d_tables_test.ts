import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { formD } from "../../../src/ingest/sources/form_d/form_d.ts";
import {
  assertUnreadable,
  contentOf,
  outcomesOf,
  readSource,
  recordOf,
  RETRIEVED_AT,
} from "../../support/reading.ts";

const readAll = (zip: Uint8Array) => readSource(formD, zip);

const SUBMISSION = {
  ACCESSIONNUMBER: "0000012345-24-000007",
  FILE_NUM: "021-50001",
  FILING_DATE: "12-JAN-2024",
  SIC_CODE: "",
  SUBMISSIONTYPE: "D",
  TESTORLIVE: "LIVE",
};

const ISSUER = {
  ACCESSIONNUMBER: SUBMISSION.ACCESSIONNUMBER,
  IS_PRIMARYISSUER_FLAG: "YES",
  CIK: "0000012345",
  ENTITYNAME: 'Maple "Robotics" Inc.',
  STREET1: "1 Main Street",
  CITY: "TORONTO",
  STATEORCOUNTRY: "A6",
  ISSUER_PREVIOUSNAME_1: "Old Maple Ltd.",
  ISSUER_PREVIOUSNAME_2: "",
  ISSUER_PREVIOUSNAME_3: "",
  EDGAR_PREVIOUSNAME_1: "None",
  EDGAR_PREVIOUSNAME_2: "Older Maple",
  EDGAR_PREVIOUSNAME_3: "",
  ENTITYTYPE: "Limited Partnership",
  ISSUERPHONENUMBER: "613-555-0199",
};

const OFFERING = {
  ACCESSIONNUMBER: SUBMISSION.ACCESSIONNUMBER,
  INDUSTRYGROUPTYPE: "Oil and Gas",
  REVENUERANGE: "Decline to Disclose",
  FEDERALEXEMPTIONS_ITEMS_LIST: "06b,3C,3C.7",
  SALE_DATE: "2024-01-03",
  YETTOOCCUR: "",
  ISEQUITYTYPE: "",
  ISDEBTTYPE: "true",
  ISOPTIONTOACQUIRETYPE: "",
  ISSECURITYTOBEACQUIREDTYPE: "",
  ISPOOLEDINVESTMENTFUNDTYPE: "",
  ISTENANTINCOMMONTYPE: "",
  ISMINERALPROPERTYTYPE: "true",
  ISOTHERTYPE: "",
  ISBUSINESSCOMBINATIONTRANS: "false",
  TOTALOFFERINGAMOUNT: "2500000",
  TOTALAMOUNTSOLD: "1250000",
  TOTALNUMBERALREADYINVESTED: "15",
};

interface Filing {
  submission?: Partial<typeof SUBMISSION>;
  issuer?: Partial<typeof ISSUER>;
  offering?: Partial<typeof OFFERING>;
}

function tsv<Columns extends object>(columns: Columns, rows: Partial<Columns>[]): string {
  const lines = rows.map((row) => Object.values({ ...columns, ...row }).join("\t"));
  return [Object.keys(columns).join("\t"), ...lines].join("\r\n") + "\r\n";
}

/** Returns the three tables of filings. The accession numbers of the filings end in 1, 2, 3. */
function tables(filings: Filing[]): Record<string, string> {
  const rows = filings.map(({ submission, issuer, offering }, index) => {
    const number = { ACCESSIONNUMBER: `0000012345-24-00000${index + 1}` };
    const file = { FILE_NUM: `021-5000${index + 1}` };
    return {
      submission: { ...number, ...file, ...submission },
      issuer: { ...number, ...issuer },
      offering: { ...number, ...offering },
    };
  });
  return {
    "2024Q1_d/FORMDSUBMISSION.tsv": tsv(SUBMISSION, rows.map(({ submission }) => submission)),
    "2024Q1_d/ISSUERS.tsv": tsv(ISSUER, rows.map(({ issuer }) => issuer)),
    "2024Q1_d/OFFERING.tsv": tsv(OFFERING, rows.map(({ offering }) => offering)),
  };
}

function zipOf(files: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, strToU8(text)]),
  ));
}

const PERSONS = { "2024Q1_d/RELATEDPERSONS.tsv": "ACCESSIONNUMBER\tLASTNAME\r\n1\tDoe\r\n" };

Deno.test("form_d maps every member of a row of the quarterly tables", async () => {
  const [entry, ...others] = await readAll(zipOf({ ...PERSONS, ...tables([{}]) }));
  const times = {
    occurred_at: "2024-01-03T05:00:00.000Z",
    observed_at: "2024-01-12T05:00:00.000Z",
  };
  assert.equal(others.length, 0);
  assert.equal(entry!.line, 2);
  assert.deepEqual(contentOf(entry!), {
    source: "form_d",
    external_id: "021-50001",
    company_name: 'Maple "Robotics" Inc.',
    company_external_id: "0000012345",
    company_identifiers: ["cik:0000012345"],
    hostnames: [],
    kind: "funding_round",
    observed_fact: 'Maple "Robotics" Inc. (TORONTO, ON, Canada) reported on Form D a private ' +
      "offering of debt, mineral property interests under Rule 506(b): $1,250,000 sold of " +
      "$2,500,000 to 15 investors, first sale on 2024-01-03. Industry group: Oil and Gas; formerly " +
      "Old Maple Ltd., Older Maple. CIK 12345, SEC file number 021-50001, accession number " +
      "0000012345-24-000001.",
    why_it_may_matter: "Money raised privately is often spent on people, equipment and services. " +
      "The notice is the issuer's own and asks no one to supply anything: a proxy.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.9,
    ...times,
    expires_at: null,
    categories: ["21"],
    texts: [],
    facets: {
      amount: { currency: "USD", value: 1_250_000 },
      former_names: ["Old Maple Ltd.", "Older Maple"],
      industry: "Oil and Gas",
      legal_form: "Limited Partnership",
      places: [{ city: "TORONTO", country: "CA", region: "ON" }],
      round: "exempt_offering",
    },
    evidence: [{
      source_uri: "https://www.sec.gov/Archives/edgar/data/12345/000001234524000001/" +
        "0000012345-24-000001-index.htm",
      excerpt: 'Form D: Maple "Robotics" Inc.\nPrincipal place of business: TORONTO, ON, ' +
        "Canada\nIndustry group: Oil and Gas\n" +
        "Federal exemptions and exclusions claimed: 06b, 3C, 3C.7\n" +
        "Date of first sale: 2024-01-03\n" +
        "Types of securities offered: debt, mineral property interests\n" +
        "Total offering amount: 2500000\nTotal amount sold: 1250000\n" +
        "Total number of investors already invested: 15",
      ...times,
    }],
  });
});

Deno.test("form_d derives the sector from the SIC code if the industry group has none", async () => {
  const offering = { INDUSTRYGROUPTYPE: "Other Technology" };
  const entries = await readAll(zipOf(tables([
    { offering, submission: { SIC_CODE: "7372" } },
    { offering },
    { offering: { INDUSTRYGROUPTYPE: "Restaurants" }, submission: { SIC_CODE: "7372" } },
  ])));
  assert.deepEqual(entries.map((entry) => recordOf(entry).categories), [["51"], [], ["72"]]);
});

Deno.test("form_d rejects invalid rows of the tables, and accepts the others", async () => {
  const files = tables([
    { submission: { FILING_DATE: "2024-01-12 16:05:54" } },
    { submission: { FILING_DATE: "12-FOO-2024" } },
    { submission: { ACCESSIONNUMBER: "?" } },
    { issuer: { IS_PRIMARYISSUER_FLAG: "NO" } },
    { issuer: { CIK: "" } },
    { offering: { SALE_DATE: "03-JAN" } },
    { offering: { ACCESSIONNUMBER: "" } },
    { offering: { INDUSTRYGROUPTYPE: "Pooled Investment Fund", SALE_DATE: "" } },
    { offering: { SALE_DATE: "", YETTOOCCUR: "true" } },
  ]);
  files["2024Q1_d/OFFERING.tsv"] += "0000012345-24-000001\tshort\r\n";
  files["2024Q1_d/ISSUERS.tsv"] += "0000012345-24-000004\tYES\r\n";
  const entries = await readAll(zipOf(files));
  assert.deepEqual(
    outcomesOf(entries),
    [
      [2, "accepted"],
      [3, "FILING_DATE (FILING-DATE, signatureDate): is not a date: 12-FOO-2024"],
      [4, "ACCESSIONNUMBER: 0000012345-24-000003 has no valid row in FORMDSUBMISSION.tsv"],
      [5, "ACCESSIONNUMBER: 0000012345-24-000004 has no valid row in ISSUERS.tsv"],
      [6, "cik: is empty"],
      [7, "dateOfFirstSale (SALE_DATE): is not a date: 03-JAN"],
      [8, "ACCESSIONNUMBER: is empty"],
      [9, "left out: a pooled investment fund"],
      [10, "accepted"],
      [11, "the row has 2 columns, the header 18"],
    ],
  );
});

Deno.test("form_d rejects a filing that has several rows in one table", async () => {
  const first = { ACCESSIONNUMBER: "0000012345-24-000001" };
  const third = { ACCESSIONNUMBER: "0000012345-24-000003" };
  const files = tables([{}, { submission: first }, {}, { issuer: third }, {}, { offering: {} }]);
  files["2024Q1_d/OFFERING.tsv"] += tsv(OFFERING, [{ ACCESSIONNUMBER: "0000012345-24-000006" }])
    .split("\r\n").slice(1).join("\r\n");
  const entries = await readAll(zipOf(files));
  assert.deepEqual(outcomesOf(entries), [
    [2, "ACCESSIONNUMBER: 0000012345-24-000001 has several rows in FORMDSUBMISSION.tsv"],
    [3, "ACCESSIONNUMBER: 0000012345-24-000002 has no valid row in FORMDSUBMISSION.tsv"],
    [4, "ACCESSIONNUMBER: 0000012345-24-000003 has several rows in ISSUERS.tsv"],
    [5, "ACCESSIONNUMBER: 0000012345-24-000004 has no valid row in ISSUERS.tsv"],
    [6, "accepted"],
    [7, "accepted"],
    [8, "ACCESSIONNUMBER: 0000012345-24-000006 has several rows in OFFERING.tsv"],
  ]);
});

Deno.test("form_d maps only the last notice of an offering, in any order of rows", async () => {
  const submission = { FILE_NUM: "021-1" };
  const amendment = { ...submission, SUBMISSIONTYPE: "D/A" };
  const entries = await readAll(zipOf(tables([
    { submission: { ...amendment, FILING_DATE: "02-FEB-2024" } },
    { submission: { ...amendment, FILING_DATE: "01-MAR-2024" } },
    { submission: { ...submission, FILING_DATE: "31-JAN-2024" } },
    { submission: { FILE_NUM: "" } },
    { submission: { FILE_NUM: "" } },
    { submission: { FILE_NUM: "021-2" } },
    { submission: { FILE_NUM: "021-2" } },
  ])));
  assert.deepEqual(
    outcomesOf(entries),
    [
      [2, "left out: a notice that a later one in the same quarter replaces"],
      [3, "accepted"],
      [4, "left out: a notice that a later one in the same quarter replaces"],
      [5, "accepted"],
      [6, "accepted"],
      // The later accession number decides which of two notices of one day is the last.
      [7, "left out: a notice that a later one in the same quarter replaces"],
      [8, "accepted"],
    ],
  );
  assert.deepEqual(
    [entries[1]!, ...entries.slice(3, 5)].map((entry) => recordOf(entry).external_id),
    ["021-1", "0000012345-24-000004", "0000012345-24-000005"],
  );
});

Deno.test("form_d refuses a ZIP that is damaged, lacks a table or exceeds its bounds", async () => {
  const whole = tables([{}]);
  const { "2024Q1_d/ISSUERS.tsv": _, ...lacking } = whole;
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`${at}.tsv`, ""]));
  const valid = zipOf(whole);
  await assertUnreadable(formD, [
    [zipOf(lacking), /^the ZIP holds no ISSUERS\.tsv$/],
    [zipOf({ ...many, ...whole }), /^the ZIP has too many entries$/],
    [valid.subarray(0, valid.length - 30), /^the ZIP is damaged: /],
    [
      zipOf({ ...whole, "2024Q1_d/ISSUERS.tsv": "CIK\n1\n" }),
      /^not ISSUERS\.tsv of Form D; columns missing: ACCESSIONNUMBER, /,
    ],
    [
      zipOf({ ...whole, "2024Q1_d/OFFERING.tsv": " ".repeat(67_108_865) }),
      /^OFFERING\.tsv is longer than 67108864 bytes$/,
    ],
  ]);
});

Deno.test("form_d unpacks only as many bytes as a ZIP declares", async () => {
  const zip = zipOf(tables([{}, {}]));
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  // The ZIP declares a size of its third table that covers only the header and the first row.
  const declared = tables([{}])["2024Q1_d/OFFERING.tsv"]!.length;
  let entries = 0;
  for (let at = 0; at < zip.length - 4; at++) {
    if (view.getUint32(at, true) === 0x02014b50 && ++entries === 3) {
      view.setUint32(at + 24, declared, true);
    }
  }
  assert.equal(entries, 3);
  assert.deepEqual((await readAll(zip)).map(({ line }) => line), [2]);
});

Deno.test("form_d reads a ZIP from chunks that share one buffer", async () => {
  const zip = zipOf({ ...PERSONS, ...tables([{}, {}]) });
  async function* chunks() {
    const memory = new Uint8Array(100);
    for (let at = 0; at < zip.length; at += 100) {
      const part = zip.subarray(at, at + 100);
      memory.set(part);
      yield await Promise.resolve(memory.subarray(0, part.length));
    }
  }
  const entries = await Array.fromAsync(formD.read(chunks(), { retrieved_at: RETRIEVED_AT }));
  assert.deepEqual(entries, await readAll(zip));
});
