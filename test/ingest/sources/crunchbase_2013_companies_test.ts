import assert from "node:assert/strict";
import { crunchbase2013 } from "../../../src/ingest/sources/crunchbase_2013/crunchbase_2013.ts";
import { COMPANY_COLUMNS } from "../../../src/ingest/sources/crunchbase_2013/company.ts";
import {
  contentOf,
  countsOf,
  csvOf,
  outcomesOf,
  readSource,
  realFileTest,
  recordOf,
} from "../../support/reading.ts";

/** Returns a file with one row per part. Omitted columns have default values. */
function companies(...parts: Partial<Record<keyof typeof COMPANY_COLUMNS, string>>[]): string {
  const company = {
    permalink: "/company/waywire",
    name: "#waywire",
    category: "news",
    country: "USA",
    state: "NY",
    region: "New York",
    city: "New York",
    total: "1750000",
    status: "operating",
    rounds: "1",
    founded: "2012-06-01",
    last_funded: "2012-06-30",
  };
  return csvOf(COMPANY_COLUMNS, parts.map((part) => ({ ...company, ...part }))) + "\r\n";
}

const COMPANY = {
  source: "crunchbase_2013",
  company_name: "#waywire",
  company_external_id: "/company/waywire",
  company_identifiers: [],
  hostnames: [],
  country: "US",
  observed_at: "2013-10-01T00:00:00.000Z",
  expires_at: null,
  categories: ["51"],
  texts: [],
  facets: {
    industry: "news",
    places: [{ city: "New York", country: "US", metro: "New York", region: "NY" }],
  },
  external_id: "/company/waywire",
  kind: "company_profile",
  observed_fact: "#waywire (news; New York, NY), founded in 2012-06, was listed by Crunchbase in " +
    "October 2013 as operating. Funding: 1 round, $1,750,000 in all, last dated 2012-06-30.",
  why_it_may_matter:
    "Who the company was in October 2013: its trade, place and funding. Much may " +
    "have changed since, and none of it is a sign of buying.",
  demand_class: "structural",
  confidence: 0.7,
  occurred_at: null,
  evidence: [{
    source_uri: "https://www.crunchbase.com/organization/waywire",
    excerpt: "permalink: /company/waywire\nname: #waywire\ncategory_code: news\n" +
      "funding_total_usd: 1750000\nstatus: operating\ncountry_code: USA\nstate_code: NY\n" +
      "region: New York\ncity: New York\nfunding_rounds: 1\nfounded_at: 2012-06-01\n" +
      "last_funding_at: 2012-06-30",
    occurred_at: null,
    observed_at: "2013-10-01T00:00:00.000Z",
  }],
};

Deno.test("crunchbase_2013 maps every member of a company", async () => {
  const [company] = await readSource(crunchbase2013, companies({}));
  assert.deepEqual(contentOf(company!), COMPANY);
});

Deno.test("crunchbase_2013 omits absent facts of a company, and lowers the confidence", async () => {
  const entries = await readSource(
    crunchbase2013,
    companies(
      { total: "5/18/27", rounds: "2" },
      { total: "####", category: "", city: "", founded: "" },
      { founded: "2012-01-01", status: "ipo", rounds: "0", total: "" },
      { status: "closed" },
      { status: "acquired", region: "SF Bay", city: "San Mateo", state: "CA" },
    ),
  );
  const records = entries.map(recordOf);
  assert.deepEqual(
    records.map(({ observed_fact, confidence }) => [observed_fact, confidence]),
    [
      [
        "#waywire (news; New York, NY), founded in 2012-06, was listed by Crunchbase in October " +
        "2013 as operating. Funding: 2 rounds, last dated 2012-06-30.",
        0.6,
      ],
      [
        "#waywire (New York area, NY) was listed by Crunchbase in October 2013 as operating. Funding: " +
        "1 round, last dated 2012-06-30.",
        0.45,
      ],
      [
        "#waywire (news; New York, NY), founded in 2012, was listed by Crunchbase in October 2013 " +
        "as publicly traded.",
        0.7,
      ],
      [
        "#waywire (news; New York, NY), founded in 2012-06, was listed by Crunchbase in October " +
        "2013 as closed. Funding: 1 round, $1,750,000 in all, last dated 2012-06-30.",
        0.7,
      ],
      [
        "#waywire (news; San Mateo, CA (SF Bay)), founded in 2012-06, was listed by Crunchbase in " +
        "October 2013 as acquired. Funding: 1 round, $1,750,000 in all, last dated 2012-06-30.",
        0.7,
      ],
    ],
  );
  assert.doesNotMatch(records[0]!.evidence[0]!.excerpt, /funding_total_usd/);
  assert.match(records[3]!.why_it_may_matter, /likely no buyer/);
  assert.match(records[4]!.why_it_may_matter, /its owner may buy/);
});

Deno.test("crunchbase_2013 rejects invalid companies, and names their line and column", async () => {
  assert.deepEqual(
    outcomesOf(
      await readSource(
        crunchbase2013,
        companies({}, { permalink: "" }, { name: "" }, { country: "" }, { country: "DEU" }, {
          founded: "1/1/12",
        }),
      ),
    ),
    [
      [2, "accepted"],
      [3, "permalink: is empty"],
      [4, "name: is empty"],
      [5, "country_code: is empty"],
      [6, "left out: a company outside Canada and the United States"],
      [7, "founded_at: is not a date: 1/1/12"],
    ],
  );
});

realFileTest("crunchbase_2013 maps every company of the real file, and omits damaged totals", {
  source: crunchbase2013,
  path: "crunchbase_2013/companies.csv",
}, (entries) => {
  const records = entries.map(recordOf);
  assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 17_727);
  assert.deepEqual(countsOf(records.map(({ confidence }) => String(confidence))), {
    "0.55": 10,
    "0.6": 275,
    "0.65": 4_163,
    "0.7": 13_279,
  });
  const lacking = records.filter(({ evidence }) => !/funding_total_usd/.test(evidence[0]!.excerpt));
  // 1,505 totals are empty, and 13 are dates or number signs.
  assert.equal(lacking.length, 1_518);
  for (const { observed_fact, occurred_at } of records) {
    assert.equal(occurred_at, null);
    assert.doesNotMatch(observed_fact, /#NAME|##|undefined|NaN|\(\)|\d\/\d\d\/\d/);
  }
  assert.deepEqual(contentOf(entries[0]!), COMPANY);
});
