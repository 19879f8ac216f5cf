import assert from "node:assert/strict";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { ashby } from "../../../src/ingest/sources/ashby/ashby.ts";
import { greenhouse } from "../../../src/ingest/sources/greenhouse/greenhouse.ts";
import { lever } from "../../../src/ingest/sources/lever/lever.ts";
import { readAll } from "../../support/postings.ts";
import { contentOf, outcomesOf, readSource, recordOf } from "../../support/reading.ts";

const JOB = {
  id: 7,
  title: "Data Engineer",
  absolute_url: "https://boards.greenhouse.io/acme-robotics/jobs/7",
  updated_at: "2026-07-02T10:00:00-04:00",
  location: { name: "Toronto, ON" },
  content: "&lt;p&gt;Kafka &amp;amp; Spark.&lt;/p&gt;&lt;p&gt;Ask jane@acme.example or " +
    "(613) 998-8974&lt;/p&gt;",
};

const POSTING = {
  id: "a1",
  text: "Data Engineer",
  hostedUrl: "https://jobs.lever.co/acme/a1",
  createdAt: 1_778_622_524_938,
  country: "CA",
  categories: { location: "Toronto", allLocations: ["Toronto"], team: "Data" },
};

const ASHBY_JOB = {
  id: "b1",
  title: "Data Engineer",
  jobUrl: "https://jobs.ashbyhq.com/Acme%20Robotics/b1",
  publishedAt: "2026-01-22T21:44:44.930+00:00",
  location: "Remote (Canada)",
  descriptionHtml: "<p>Kafka</p>",
};

Deno.test("greenhouse maps every member of a job in the older format", async () => {
  const [entry] = await readAll(greenhouse, { jobs: [JOB] }, { target: "Acme-Robotics" });
  const times = {
    occurred_at: "2026-07-02T14:00:00.000Z",
    observed_at: "2026-07-02T14:00:00.000Z",
  };
  assert.deepEqual(contentOf(entry!), {
    source: "greenhouse",
    external_id: "acme-robotics/7",
    company_name: "Acme Robotics",
    company_external_id: "acme-robotics",
    company_identifiers: [],
    hostnames: [],
    kind: "job_posting",
    observed_fact: "Acme Robotics has an open job posting: Data Engineer. Location: Toronto, ON. " +
      "Greenhouse board Acme-Robotics, posting 7.",
    why_it_may_matter:
      "Acme Robotics is hiring for a role, so it may need the tools and services " +
      "that the role works with. A job posting is a proxy for demand: nothing is asked of " +
      "suppliers.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.65,
    ...times,
    expires_at: null,
    categories: [],
    texts: ["Data Engineer\nKafka & Spark.\n\nAsk [redacted] or [redacted]"],
    facets: {
      places: [{ country: "CA", region: "ON", city: "Toronto" }],
      role: "Data Engineer",
      technologies: ["Apache Kafka", "Apache Spark"],
    },
    evidence: [{
      source_uri: "https://boards.greenhouse.io/acme-robotics/jobs/7",
      excerpt: "Data Engineer\nKafka & Spark.\n\nAsk [redacted] or [redacted]",
      ...times,
    }],
  });
});

Deno.test("greenhouse prefers the company that the operator names to the one that the board names", async () => {
  const complete = {
    ...JOB,
    company_name: "ACME Robotics",
    first_published: "2026-06-01T09:00:00-04:00",
    application_deadline: "2026-09-01T00:00:00Z",
    departments: [{ name: "Data " }, { name: null }],
  };
  const [byBoard] = (await readAll(greenhouse, { jobs: [complete] })).map(recordOf);
  assert.equal(byBoard!.company_name, "ACME Robotics");
  assert.equal(byBoard!.external_id, "acme-robotics/7");
  assert.equal(byBoard!.confidence, 0.9);
  assert.equal(byBoard!.occurred_at, "2026-06-01T13:00:00.000Z");
  assert.equal(byBoard!.observed_at, "2026-07-02T14:00:00.000Z");
  assert.equal(byBoard!.expires_at, "2026-09-01T00:00:00.000Z");
  assert.match(byBoard!.observed_fact, /Department: Data\. Location/);
  const company = { name: "Acme Robotics Inc.", domains: ["acme.example"] };
  const context = { target: "acme", company };
  const [known] = (await readAll(greenhouse, { jobs: [JOB] }, context)).map(recordOf);
  assert.equal(known!.company_name, "Acme Robotics Inc.");
  assert.deepEqual(known!.hostnames, ["acme.example"]);
  assert.equal(known!.external_id, "acme/7");
  assert.equal(known!.confidence, 0.8);
});

Deno.test("greenhouse rejects invalid jobs, and leaves out jobs in other countries", async () => {
  const jobs = [
    { ...JOB, location: { name: "Berlin, DE" } },
    { ...JOB, location: null },
    { ...JOB, id: null },
    { ...JOB, title: " " },
    { ...JOB, updated_at: "2026-07-02" },
    { ...JOB, absolute_url: "javascript:alert(1)" },
    { ...JOB, absolute_url: "https://acme.example/careers?gh_jid=7" },
    "job",
  ].map((job) => JSON.stringify(job));
  const text = `{"jobs":[\n${[...jobs, '{"id":7,}', JSON.stringify(JOB)].join(",\n")}]}`;
  assert.deepEqual(outcomesOf(await readSource(greenhouse, text)), [
    [2, "left out: a place outside Canada and the United States"],
    [3, "left out: no place that names a country"],
    [4, "id: is empty"],
    [5, "title: is empty"],
    [6, "updated_at: is not a date and time with an offset: 2026-07-02"],
    [7, "absolute_url: is not a web address: javascript:alert(1)"],
    [8, "the posting's address names no board"],
    [9, "Invalid input: expected object, received string"],
    [10, "the element is not JSON"],
    [11, "accepted"],
  ]);
});

Deno.test("lever reads the country of a posting from its field, or else from its places", async () => {
  const places = (location: string, ...others: string[]) => ({
    categories: { location, allLocations: [location, ...others] },
  });
  const entries = await readAll(lever, [
    POSTING,
    { ...POSTING, country: "GB", ...places("London") },
    { ...POSTING, country: "GB", ...places("London", "London", "New York, NY") },
    { ...POSTING, country: null, ...places("Austin, TX") },
    { ...POSTING, country: null, categories: null },
  ]);
  assert.deepEqual(
    entries.map(({ judged }) =>
      "record" in judged ? judged.record.country : Object.values(judged)[0]
    ),
    [
      "CA",
      "a place outside Canada and the United States",
      "US",
      "US",
      "no place that names a country",
    ],
  );
});

Deno.test("ashby leaves out unlisted jobs, and reads descriptions as text or markup", async () => {
  const address = (addressCountry: string) => ({ postalAddress: { addressCountry } });
  const entries = await readAll(ashby, {
    jobs: [
      { ...ASHBY_JOB, isListed: false },
      { ...ASHBY_JOB, location: "London", address: address("United Kingdom") },
      ASHBY_JOB,
      {
        ...ASHBY_JOB,
        location: "London",
        address: address("United Kingdom"),
        secondaryLocations: [{ location: "Boston", address: address("USA") }],
        descriptionPlain: "Spark",
      },
    ],
  });
  const [unlisted, elsewhere, remote, boston] = entries;
  assert.equal(entries.length, 4);
  assert.deepEqual(unlisted!.judged, { left_out: "a posting that the board does not list" });
  assert.deepEqual(elsewhere!.judged, { left_out: "a place outside Canada and the United States" });
  assert.equal(recordOf(remote!).country, "CA");
  assert.equal(recordOf(remote!).external_id, "acme robotics/b1");
  assert.equal(recordOf(remote!).company_name, "Acme Robotics");
  assert.equal(recordOf(remote!).evidence[0]!.excerpt, "Data Engineer\nKafka");
  assert.equal(recordOf(boston!).country, "US");
  assert.match(
    recordOf(boston!).observed_fact,
    /Location: London, United Kingdom; Boston, USA\. Ashby/,
  );
  assert.equal(recordOf(boston!).evidence[0]!.excerpt, "Data Engineer\nSpark");
});

Deno.test("the job boards request one board, and state the prefix of the external ids of its records", () => {
  const requested = (source: Source, target: string) => {
    const remote = source.remote!;
    assert.match(target, remote.target!.pattern);
    const request = remote.request(remote.address, { target, now: new Date(0) });
    return [request.url, request.target, remote.listed!(target).external_id_prefix];
  };
  assert.deepEqual(requested(greenhouse, "smarterdx"), [
    "https://boards-api.greenhouse.io/v1/boards/smarterdx/jobs?content=true",
    "smarterdx",
    "smarterdx/",
  ]);
  assert.deepEqual(requested(lever, "Palantir"), [
    "https://api.lever.co/v0/postings/Palantir?mode=json",
    "Palantir",
    "palantir/",
  ]);
  assert.deepEqual(requested(ashby, "Acme Robotics"), [
    "https://api.ashbyhq.com/posting-api/job-board/Acme%20Robotics?includeCompensation=true",
    "Acme Robotics",
    "acme robotics/",
  ]);
  for (const { remote } of [greenhouse, lever, ashby]) {
    assert.doesNotMatch("../v2", remote!.target!.pattern);
    assert.doesNotMatch("", remote!.target!.pattern);
  }
});
