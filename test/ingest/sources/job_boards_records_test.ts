import assert from "node:assert/strict";
import { ashby } from "../../../src/ingest/sources/ashby/ashby.ts";
import { employmentKindOf } from "../../../src/ingest/sources/kit/job_terms.ts";
import { lever } from "../../../src/ingest/sources/lever/lever.ts";
import { contentOf, outcomesOf, readSource } from "../../support/reading.ts";

const POSTING = {
  id: "0bbf",
  text: "Data Engineer.",
  hostedUrl: "https://jobs.lever.co/acme-robotics/0bbf",
  createdAt: 1_778_622_524_938,
  country: "CA",
  categories: {
    location: "Toronto",
    allLocations: ["Toronto", "Toronto, ON"],
    department: "3400 - Engineering",
    team: "Data",
    commitment: "Full-time",
  },
  workplaceType: "hybrid",
  salaryRange: { currency: "CAD", interval: "per-year-salary", min: 100_000, max: 130_000 },
  descriptionPlain: "We build robots.\nAsk jane@acme.example.",
  lists: [{ text: "You bring", content: "<li>Kafka &amp; Spark</li>" }],
};

/** Returns a component of the compensation in an Ashby job. Omitted members have default values. */
function component(values: object): object {
  return { compensationType: "Salary", interval: "1 YEAR", currencyCode: "USD", ...values };
}

const JOB = {
  id: "4c57",
  title: "Data Engineer",
  jobUrl: "https://jobs.ashbyhq.com/acme%20robotics/4c57",
  publishedAt: "2026-01-22T21:44:44.930+00:00",
  isListed: true,
  department: "Engineering",
  team: "Data",
  employmentType: "FullTime",
  location: "Boston",
  address: {
    postalAddress: {
      addressLocality: "Boston",
      addressRegion: "Massachusetts",
      addressCountry: "United States",
    },
  },
  secondaryLocations: [{ location: "Remote (USA)" }],
  workplaceType: "OnSite",
  compensation: {
    compensationTierSummary: "$81K – $90K • Offers Equity",
    compensationTiers: [{
      title: "Zone A",
      components: [
        component({ minValue: 81_000, maxValue: 87_000 }),
        component({ compensationType: "EquityPercentage", interval: "NONE", minValue: 0.5 }),
      ],
    }, { title: "Zone B", components: [component({ minValue: 84_000, maxValue: 90_000 })] }],
    summaryComponents: [component({ minValue: 81_000, maxValue: 90_000 })],
  },
  descriptionHtml: "<p>Kafka &amp; Spark.</p><p>Call (613) 998-8974</p>",
};

/** Members that the records of both boards share. */
const JOB_POSTING = {
  company_name: "Acme Robotics",
  company_identifiers: [],
  hostnames: [],
  kind: "job_posting",
  why_it_may_matter: "Acme Robotics is hiring for a role, so it may need the tools and services " +
    "that the role works with. A job posting is a proxy for demand: nothing is asked of suppliers.",
  demand_class: "proxy",
  confidence: 0.75,
  expires_at: null,
  categories: [],
};

Deno.test("lever maps every member of a posting", async () => {
  const [entry, ...others] = await readSource(lever, JSON.stringify([POSTING], null, 1));
  const times = {
    occurred_at: "2026-05-12T21:48:44.938Z",
    observed_at: "2026-05-12T21:48:44.938Z",
  };
  assert.deepEqual(others, []);
  assert.equal(entry!.line, 2);
  assert.deepEqual(contentOf(entry!), {
    ...JOB_POSTING,
    source: "lever",
    external_id: "acme-robotics/0bbf",
    company_external_id: "acme-robotics",
    observed_fact: "Acme Robotics has an open job posting: Data Engineer. Department: " +
      "Engineering, Data. Employment: Full-time. Workplace: hybrid. Pay: 100,000 to 130,000 CAD a " +
      "year. Location: Toronto, ON. Lever board acme-robotics, posting 0bbf.",
    country: "CA",
    ...times,
    texts: ["Data Engineer.\nWe build robots.\nAsk [redacted].\n\nYou bring\n\nKafka & Spark"],
    facets: {
      places: [{ country: "CA", region: "ON", city: "Toronto" }],
      role: "Data Engineer",
      technologies: ["Apache Kafka", "Apache Spark"],
      employment: {
        kind: "full_time",
        workplace: "hybrid",
        pay: { min: 100_000, max: 130_000, currency: "CAD", period: "year" },
      },
    },
    evidence: [{
      source_uri: "https://jobs.lever.co/acme-robotics/0bbf",
      excerpt: "Data Engineer.\nWe build robots.\nAsk [redacted].\n\nYou bring\n\nKafka & Spark",
      ...times,
    }],
  });
});

Deno.test("ashby maps every member of a job", async () => {
  const text = JSON.stringify({ apiVersion: "1", jobs: [JOB] }, null, 1);
  const [entry, ...others] = await readSource(ashby, text);
  const times = {
    occurred_at: "2026-01-22T21:44:44.930Z",
    observed_at: "2026-01-22T21:44:44.930Z",
  };
  assert.deepEqual(others, []);
  assert.equal(entry!.line, 4);
  assert.deepEqual(contentOf(entry!), {
    ...JOB_POSTING,
    source: "ashby",
    external_id: "acme robotics/4c57",
    company_external_id: "acme robotics",
    observed_fact: "Acme Robotics has an open job posting: Data Engineer. Department: " +
      "Engineering, Data. Employment: Full Time. Workplace: on site. Pay: 81,000 to 90,000 USD a " +
      "year. Location: Boston, Massachusetts, United States; Remote (USA). Ashby board acme " +
      "robotics, posting 4c57.",
    country: "US",
    ...times,
    texts: ["Data Engineer\nKafka & Spark.\n\nCall [redacted]"],
    facets: {
      places: [{ country: "US", region: "MA", city: "Boston" }, { country: "US" }],
      role: "Data Engineer",
      technologies: ["Apache Kafka", "Apache Spark"],
      employment: {
        kind: "full_time",
        workplace: "on_site",
        pay: { min: 81_000, max: 90_000, currency: "USD", period: "year" },
      },
    },
    evidence: [{
      source_uri: "https://jobs.ashbyhq.com/acme%20robotics/4c57",
      excerpt: "Data Engineer\nKafka & Spark.\n\nCall [redacted]",
      ...times,
    }],
  });
});

Deno.test("lever names the line and field of a fault, and accepts the other postings", async () => {
  const postings = [
    { ...POSTING, id: "" },
    { ...POSTING, text: " " },
    { ...POSTING, createdAt: "2026-13-01" },
    { ...POSTING, createdAt: 1_778_622_524 },
    { ...POSTING, hostedUrl: "jobs.lever.co/acme/a1" },
    { ...POSTING, hostedUrl: "https://acme.example/careers/a1" },
    null,
  ].map((posting) => JSON.stringify(posting));
  const text = `[\n${[...postings, '{"id":7,}', JSON.stringify(POSTING)].join(",\n")}]`;
  const entries = await readSource(lever, text);
  // A text that is not JSON may hide a posting of the board.
  assert.deepEqual(entries.flatMap(({ doubt }) => doubt ?? []), ["the element is not JSON"]);
  assert.deepEqual(outcomesOf(entries), [
    [2, "id: is empty"],
    [3, "text: is empty"],
    [4, "createdAt: is not a date and time: 2026-13-01"],
    [5, "createdAt: is not a date and time: 1778622524"],
    [6, "hostedUrl: is not a web address: jobs.lever.co/acme/a1"],
    [7, "the posting's address names no board"],
    [8, "Invalid input: expected object, received null"],
    [9, "the element is not JSON"],
    [10, "accepted"],
  ]);
});

Deno.test("lever masks the name and the address of a recruiter", async () => {
  const posting = {
    ...POSTING,
    descriptionPlain: "Recruiter: Xiuying Zhang\nAsk jane@acme.example.",
  };
  const [entry] = await readSource(lever, JSON.stringify([posting]));
  assert.match(contentOf(entry!).texts[0]!, /Recruiter: \[redacted\]\nAsk \[redacted\]\./);
});

Deno.test("employmentKindOf() returns no kind for an offer of full time or part time", () => {
  const kinds = ["Full-time or part-time", "Part-time", "Full-time, contract", ""]
    .map((words) => employmentKindOf(words, "Welder"));
  assert.deepEqual(kinds, [undefined, "part_time", "contract", undefined]);
});
