import assert from "node:assert/strict";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { crunchbase2013 } from "../../../src/ingest/sources/crunchbase_2013/crunchbase_2013.ts";
import { ROUND_COLUMNS } from "../../../src/ingest/sources/crunchbase_2013/crunchbase_2013.ts";
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
function rounds(...parts: Partial<Record<keyof typeof ROUND_COLUMNS, string>>[]): string {
  const round = {
    permalink: "/company/waywire",
    name: "#waywire",
    category: "news",
    country: "USA",
    state: "NY",
    region: "New York",
    city: "New York",
    type: "series-a",
    funded: "2012-06-30",
    amount: "1750000",
  };
  return csvOf(ROUND_COLUMNS, parts.map((part) => ({ ...round, ...part }))) + "\r\n";
}

const ROUND = {
  source: "crunchbase_2013",
  external_id: "/company/waywire/2012-06-30/series-a/1750000",
  company_name: "#waywire",
  company_external_id: "/company/waywire",
  company_identifiers: [],
  hostnames: [],
  kind: "funding_round",
  observed_fact: "#waywire (news; New York, NY) raised $1,750,000 in a Series A round dated " +
    "2012-06-30.",
  why_it_may_matter: "A funding round as Crunchbase knew it in October 2013: history. It shows " +
    "what the company was given money for, and is a proxy at most: no sign that it buys now.",
  demand_class: "proxy",
  country: "US",
  confidence: 0.8,
  occurred_at: "2012-06-30T00:00:00.000Z",
  observed_at: "2013-10-01T00:00:00.000Z",
  expires_at: null,
  categories: ["51"],
  texts: [],
  facets: {
    amount: { currency: "USD", value: 1_750_000 },
    industry: "news",
    places: [{ city: "New York", country: "US", metro: "New York", region: "NY" }],
    round: "series_a",
  },
  evidence: [{
    source_uri: "https://www.crunchbase.com/organization/waywire",
    excerpt: "company_permalink: /company/waywire\ncompany_name: #waywire\n" +
      "company_category_code: news\ncompany_country_code: USA\ncompany_state_code: NY\n" +
      "company_region: New York\ncompany_city: New York\nfunding_round_type: series-a\n" +
      "funded_at: 2012-06-30\nraised_amount_usd: 1750000",
    occurred_at: "2012-06-30T00:00:00.000Z",
    observed_at: "2013-10-01T00:00:00.000Z",
  }],
};

Deno.test("crunchbase_2013 maps every member of a round", async () => {
  const [round] = await readSource(crunchbase2013, rounds({}));
  assert.deepEqual(contentOf(round!), ROUND);
});

Deno.test("crunchbase_2013 states absent facts of a round, and lowers the confidence", async () => {
  const entries = await readSource(
    crunchbase2013,
    rounds(
      { amount: "" },
      { type: "other" },
      { funded: "2012-06-01" },
      { funded: "2012-01-01", amount: "", type: "other" },
      { funded: "1960-01-01" },
      { permalink: "/company/n-plusn", name: "#NAME?" },
      { type: "venture-debt", category: "", city: "", state: "", region: "unknown" },
      { city: "Austin,", state: "TX", region: "Austin", category: "games_video", type: "angel" },
    ),
  );
  assert.deepEqual(
    entries.map(recordOf).map(({ observed_fact, confidence }) => [observed_fact, confidence]),
    [
      [
        "#waywire (news; New York, NY) raised an undisclosed amount in a Series A round dated " +
        "2012-06-30.",
        0.7,
      ],
      [
        "#waywire (news; New York, NY) raised $1,750,000 in a round of unstated type dated " +
        "2012-06-30.",
        0.75,
      ],
      [
        "#waywire (news; New York, NY) raised $1,750,000 in a Series A round dated 2012-06-01.",
        0.75,
      ],
      [
        "#waywire (news; New York, NY) raised an undisclosed amount in a round of unstated type " +
        "dated 2012-01-01.",
        0.55,
      ],
      [
        "#waywire (news; New York, NY) raised $1,750,000 in a Series A round whose date Crunchbase " +
        "did not know (1960-01-01, the earliest it offers).",
        0.3,
      ],
      ["n-plusn (news; New York, NY) raised $1,750,000 in a Series A round dated 2012-06-30.", 0.7],
      ["#waywire raised $1,750,000 in a round of type venture-debt dated 2012-06-30.", 0.8],
      [
        "#waywire (games video; Austin, TX) raised $1,750,000 in an angel round dated 2012-06-30.",
        0.8,
      ],
    ],
  );
});

Deno.test("crunchbase_2013 maps round, amount and places to facets", async () => {
  const types = ["angel", "series-c+", "private-equity", "post-ipo", "venture-debt"];
  const entries = await readSource(
    crunchbase2013,
    rounds(
      ...types.map((type) => ({ type })),
      { amount: "", category: "games_video", city: "San Mateo", state: "CA", region: "SF Bay" },
    ),
  );
  const facets = entries.map((entry) => recordOf(entry).facets);
  assert.deepEqual(
    facets.slice(0, 5).map(({ round }) => round),
    ["angel", "series_c_or_later", "private_equity", "post_ipo", "venture_debt"],
  );
  assert.deepEqual(facets[5], {
    industry: "games video",
    places: [{ city: "San Mateo", country: "US", metro: "SF Bay", region: "CA" }],
    round: "series_a",
  });
});

Deno.test("crunchbase_2013 names each place once, and omits invalid places", async () => {
  const cases = [
    ["Pittsburgh", "PA", "Pittsburg", "Pittsburgh, PA"],
    ["St. Louis", "MO", "Saint Louis", "St. Louis, MO"],
    ["New York City", "NY", "New York", "New York City, NY"],
    ["New York, New York", "NY", "New York", "New York, NY"],
    ["NYC", "NY", "New York", "New York, NY"],
    ["NY", "NY", "New York", "New York, NY"],
    ["CA", "CA", "unknown", "CA"],
    ["Washington", "DC", "Washington DC", "Washington, DC"],
    ["West Palm Beach", "FL", "Palm Beach", "West Palm Beach, FL"],
    ["", "CA", "California - Other", "CA"],
    ["", "CA", "SF Bay", "SF Bay area, CA"],
    ["2759 WYNSUM AVENUE", "NY", "unknown", "NY"],
    ["Suite B101, Radnor", "PA", "Suite B101", "PA"],
    ["Brooklyn", "NY", "New York", "Brooklyn, NY (New York)"],
  ] as const;
  const entries = await readSource(
    crunchbase2013,
    rounds(...cases.map(([city, state, region]) => ({ city, state, region }))),
  );
  for (const [at, [, , , described]] of cases.entries()) {
    const { observed_fact } = recordOf(entries[at]!);
    assert.ok(observed_fact.startsWith(`#waywire (news; ${described}) raised `), observed_fact);
  }
});

Deno.test("crunchbase_2013 rejects invalid rounds, and names their line and column", async () => {
  const text = rounds(
    {},
    { permalink: "" },
    { name: " " },
    { country: "" },
    { country: "GBR" },
    { country: "CAN" },
    { type: "" },
    { funded: "" },
    { funded: "2012-02-30" },
    { funded: "6/30/12" },
    { amount: "$1.75M" },
    { permalink: "/company/last" },
  ) + "short,row\r\n";
  assert.deepEqual(outcomesOf(await readSource(crunchbase2013, text)), [
    [2, "accepted"],
    [3, "company_permalink: is empty"],
    [4, "company_name: is empty"],
    [5, "company_country_code: is empty"],
    [6, "left out: a company outside Canada and the United States"],
    [7, "accepted"],
    [8, "funding_round_type: is empty"],
    [9, "funded_at: is empty"],
    [10, "funded_at: is not a date: 2012-02-30"],
    [11, "funded_at: is not a date: 6/30/12"],
    [12, "raised_amount_usd: is not an amount of dollars: $1.75M"],
    [13, "accepted"],
    [14, "the row has 2 columns, the header 10"],
  ]);
});

Deno.test("crunchbase_2013 refuses a file of another format", async () => {
  for (const text of ["", "a,b\n1,2\n", "\n\n", "funded_at,amount\n2012-06-30,1\n"]) {
    await assert.rejects(readSource(crunchbase2013, text), UnreadableSource);
  }
});

realFileTest("crunchbase_2013 maps every round of the real file", {
  source: crunchbase2013,
  path: "crunchbase_2013/rounds.csv",
}, (entries) => {
  const records = entries.map(recordOf);
  assert.equal(records.length, 31_679);
  // 63 rows are equal to an earlier row.
  assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 31_616);
  assert.equal(new Set(records.map(({ content_hash }) => content_hash)).size, 31_616);
  assert.equal(new Set(records.map((record) => record.company_external_id)).size, 17_622);
  assert.deepEqual(countsOf(records.map(({ confidence }) => String(confidence))), {
    "0.3": 6,
    "0.55": 12,
    "0.6": 411,
    "0.65": 850,
    "0.7": 2_816,
    "0.75": 6_677,
    "0.8": 20_907,
  });
  for (const { occurred_at, observed_fact } of records) {
    assert.ok(occurred_at! >= "1960-01-01" && occurred_at! <= "2013-10-01T00:00:00.000Z");
    assert.doesNotMatch(observed_fact, /#NAME|undefined|NaN|\(\)|; \)|\$0 /);
  }
  assert.deepEqual(contentOf(entries[0]!), ROUND);
  assert.equal(
    recordOf(entries[1]!).observed_fact,
    "n-plusn (software; New York, NY) raised $600,000 in an angel round dated 2012-08-29.",
  );
});
