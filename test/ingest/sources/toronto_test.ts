import assert from "node:assert/strict";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import {
  contentOf,
  outcomesOf,
  readSource,
  realFileTest,
  recordOf,
} from "../../support/reading.ts";
import { csv } from "../../support/toronto_solicitations.ts";

const REAL_FILE = { source: toronto, path: "toronto/all_solicitations.csv" };

const TIMES = { occurred_at: "2026-08-07T04:00:00.000Z", observed_at: "2026-08-07T04:00:00.000Z" };

/** Members of a request for tender of the division, except those of its text. */
const CONSTRUCTION_TENDER = {
  source: "toronto",
  company_name: "City of Toronto – Engineering & Construction Services",
  company_external_id: null,
  company_identifiers: [],
  hostnames: [],
  kind: "procurement_request",
  why_it_may_matter: "A public buyer asks suppliers for construction services to respond " +
    "(Request for Tender) until 2026-08-31.",
  demand_class: "explicit_request",
  country: "CA",
  confidence: 0.95,
  ...TIMES,
  expires_at: "2026-09-01T03:59:59.000Z",
  categories: ["23"],
  facets: {
    deadline: "2026-09-01T03:59:59.000000Z",
    document: "Request for Tender",
    industry: "Construction Services",
    places: [{ city: "Toronto", country: "CA", region: "ON" }],
  },
};

Deno.test("toronto maps every member of a solicitation, under the buying division", async () => {
  const [entry] = await readSource(
    toronto,
    csv({
      number: "\ufffd4041093476",
      type: "RFT",
      category: "Construction Services",
      description: "Sidewalks &amp; curbs\r\non King Street.\tQuestions: jane.doe@toronto.ca or " +
        "416-397-4141 ext. 5",
      division: "Engineering and Construction Services",
      wards: "Ward 10 Spadina-Fort York,Ward 13 Toronto Centre",
    }),
  );
  assert.equal(entry!.line, 2);
  assert.deepEqual(contentOf(entry!), {
    ...CONSTRUCTION_TENDER,
    external_id: "4041093476:2026-08-07",
    observed_fact: "City of Toronto – Engineering & Construction Services issued a Request for " +
      "Tender (RFT) for construction services: Sidewalks & curbs on King Street. Questions: " +
      "[redacted] or [redacted]. Wards: Ward 10 Spadina-Fort York; Ward 13 Toronto Centre. " +
      "Document number 4041093476, submission deadline 2026-08-31.",
    texts: [
      "Sidewalks & curbs\non King Street. Questions: [redacted] or [redacted]\n" +
      "Request for Tender\nNotice of Intended Procurement\nConstruction Services\n" +
      "Engineering & Construction Services\n" +
      "Ward 10 Spadina-Fort York; Ward 13 Toronto Centre",
    ],
    evidence: [{
      source_uri:
        "https://open.toronto.ca/dataset/tobids-all-open-solicitations/#4041093476%3A2026-08-07",
      excerpt: "Sidewalks & curbs\non King Street. Questions: [redacted] or [redacted]",
      ...TIMES,
    }],
  });
});

Deno.test("toronto distinguishes a call for bids, a question and an advance notice", async () => {
  const records = (await readSource(
    toronto,
    csv(
      { type: "NRFP" },
      { type: "RFI" },
      { type: "REOI" },
      { type: "" },
      { type: "Call" },
      { type: "RFP", notice: "Advanced Notice of Intended Procurement" },
    ),
  )).map(recordOf);
  assert.deepEqual(records.map(({ demand_class, confidence }) => [demand_class, confidence]), [
    ["explicit_request", 0.95],
    ["explicit_request", 0.7],
    ["explicit_request", 0.7],
    ["explicit_request", 0.9],
    ["explicit_request", 0.9],
    ["proxy", 0.6],
  ]);
  assert.deepEqual(records.map(({ why_it_may_matter }) => why_it_may_matter), [
    "A public buyer asks suppliers for goods and services to respond (Negotiated Request for " +
    "Proposal) until 2026-08-31.",
    "A public buyer asks the market for goods and services (Request for Information), but for no " +
    "bids yet; answers are taken until 2026-08-31.",
    "A public buyer asks the market for goods and services (Request for Expressions of " +
    "Interest), but for no bids yet; answers are taken until 2026-08-31.",
    "A public buyer asks suppliers for goods and services to respond (solicitation) until " +
    "2026-08-31.",
    "A public buyer asks suppliers for goods and services to respond (solicitation) until " +
    "2026-08-31.",
    "A proxy: a public buyer announces that it will ask for goods and services (Request for " +
    "Proposal); nothing can be bid on yet, and the date of 2026-08-31 is provisional.",
  ]);
});

Deno.test("toronto normalizes the name of a division, and names only the City if there are several", async () => {
  const fire = "Fire Services,Parks, Forestry & Recreation,Toronto Water";
  const divisions = [
    "Parks, Forestry and Recreation",
    "Parks, Forestry & Recreation",
    "Children\ufffds Services",
    "Children?s Services",
    "City Clerks Office",
    "Office of the Chief Information Security\u00a0Officer (CISO)",
    fire,
    "",
    "- Choose one -",
  ];
  const records = (await readSource(toronto, csv(...divisions.map((division) => ({ division })))))
    .map(recordOf);
  assert.deepEqual(records.map(({ company_name }) => company_name), [
    "City of Toronto – Parks, Forestry & Recreation",
    "City of Toronto – Parks, Forestry & Recreation",
    "City of Toronto – Children's Services",
    "City of Toronto – Children's Services",
    "City of Toronto – City Clerk's Office",
    "City of Toronto – Office of the Chief Information Security Officer (CISO)",
    "City of Toronto",
    "City of Toronto",
    "City of Toronto",
  ]);
  const joint = records[divisions.indexOf(fire)]!.observed_fact;
  assert.match(joint, /Divisions: Fire Services; Parks, Forestry & Recreation; Toronto Water\./);
});

Deno.test("toronto names the line and column of an invalid row, and leaves sales out", async () => {
  const entries = await readSource(
    toronto,
    csv(
      {},
      { type: "OTP" },
      { number: "" },
      { number: "xxxxxxxx" },
      { description: " " },
      { issued: "" },
      { issued: "07/08/2026" },
      { deadline: "2026-02-30" },
      { deadline: "2026-08-01" },
      { number: "4000000000", issued: "2027-08-10", deadline: "2027-08-31" },
    ) + "short,row\r\n",
  );
  assert.deepEqual(outcomesOf(entries), [
    [2, "accepted"],
    [3, "left out: an offer to purchase: the City sells there"],
    [4, "Document Number: is empty"],
    [5, "Document Number: is not a document number: xxxxxxxx"],
    [6, "Solicitation Document Description: is empty"],
    [7, "Issue Date: is empty"],
    [8, "Issue Date: is not a date: 07/08/2026"],
    [9, "Submission Deadline: is not a date: 2026-02-30"],
    [10, "Submission Deadline: is before the issue date"],
    [11, "accepted"],
    [12, "the row has 2 columns, the header 12"],
  ]);
});

Deno.test("toronto cuts a long text, and names no wards if all are concerned", async () => {
  const wards = Array.from({ length: 25 }, (_, at) => `Ward ${at + 1}`).join(",");
  const [entry] = await readSource(toronto, csv({ description: "road salt ".repeat(300), wards }));
  const { observed_fact, evidence, texts } = recordOf(entry!);
  assert.match(observed_fact, / road salt road… Document number 4000000000, submission/);
  assert.equal(observed_fact.length < 600, true);
  assert.equal(evidence[0]!.excerpt.length <= 600, true);
  assert.equal(texts[0]!.split("salt").length, 301);
});

Deno.test("toronto refuses a file of another format", async () => {
  for (const text of ["", "a,b\n1,2\n"]) {
    await assert.rejects(readSource(toronto, text), UnreadableSource);
  }
});

realFileTest(
  "toronto maps 872 of 917 rows of the real file, and gives reasons for the others",
  REAL_FILE,
  (entries) => {
    const reasons: Record<string, number> = {};
    for (const { judged } of entries) {
      const reason = "reason" in judged ? judged.reason : "left_out" in judged && judged.left_out;
      if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    assert.deepEqual(reasons, {
      "Document Number: is empty": 8,
      "Document Number: is not a document number: xxxxxxxx": 2,
      "Document Number: is not a document number: xxxxxxx": 1,
      "Document Number: is not a document number: 3.77E+1100": 1,
      "an earlier deadline of a repeated solicitation": 22,
      "an offer to purchase: the City sells there": 8,
      "Solicitation Document Description: is empty": 2,
      "Submission Deadline: is before the issue date": 1,
    });

    const accepted = entries.filter(({ judged }) => "record" in judged);
    const records = accepted.map(recordOf);
    assert.equal(entries.length, 917);
    assert.equal(records.length, 872);
    assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 872);
    assert.equal(new Set(records.map(({ company_name }) => company_name)).size, 51);
    assert.equal(records.filter(({ demand_class }) => demand_class === "proxy").length, 20);
    for (const record of records) {
      assert.ok(record.occurred_at! > "2008-01-01" && record.occurred_at! < "2026-12-31");
      assert.ok(record.expires_at! > record.occurred_at!);
      const text = JSON.stringify(record);
      assert.doesNotMatch(text, /\w@\w|\ufffd\d|\(\d{3}\) \d{3}-\d{4}/);
      assert.doesNotMatch(record.observed_fact, /(?<![\w-])[2-9]\d\d[ .-][2-9]\d\d[ .-]\d{4}/);
    }
  },
);

realFileTest("toronto maps the last row of the real file", REAL_FILE, (entries) => {
  assert.equal(entries.at(-1)!.line, 918);
  assert.deepEqual(contentOf(entries.at(-1)!), {
    ...CONSTRUCTION_TENDER,
    external_id: "5813359462:2026-08-07",
    observed_fact: "City of Toronto – Engineering & Construction Services issued a Request " +
      "for Tender (RFT) for construction services: Request for Tenders for Infrastructure " +
      "Upgrades on Warwick Avenue, on Elderwood Drive, on Hollaman Road, and on Denison Road " +
      "East. Wards: Ward 1 Etobicoke North; Ward 5 York South-Weston; Ward 8 " +
      "Eglinton-Lawrence; Ward 12 Toronto-St. Paul’s. Document number 5813359462, submission " +
      "deadline 2026-08-31.",
    texts: [
      "Request for Tenders for Infrastructure Upgrades on Warwick Avenue, on Elderwood Drive, on " +
      "Hollaman Road, and on Denison Road East.\nRequest for Tender\n" +
      "Notice of Intended Procurement\nConstruction Services\n" +
      "Engineering & Construction Services\nWard 1 Etobicoke North; Ward 5 York South-Weston; " +
      "Ward 8 Eglinton-Lawrence; Ward 12 Toronto-St. Paul’s",
    ],
    evidence: [{
      source_uri:
        "https://open.toronto.ca/dataset/tobids-all-open-solicitations/#5813359462%3A2026-08-07",
      excerpt: "Request for Tenders for Infrastructure Upgrades on Warwick Avenue, on " +
        "Elderwood Drive, on Hollaman Road, and on Denison Road East.",
      ...TIMES,
    }],
  });
});
