/**
 * Compares the distributed retriever with the index in memory on generated queries with filters.
 * The queries contain words, places, amounts, rounds, times and names. Some answers contain another
 * record of a company, because the search nodes choose three records per company by slightly
 * different scores.
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { DistributedRetriever } from "../../../src/search/distributed/distributed_retriever.ts";
import { createRetriever, type Retriever } from "../../../src/search/retriever.ts";
import { runs } from "../../fuzz/runs.ts";
import { embeddedTest } from "../../support/database.ts";
import { record } from "../../support/factories.ts";
import { silent } from "../../support/operations.ts";
import { HAS_SPHINX, startSphinx } from "../../support/sphinx.ts";
import { findCompanies, findObservations } from "./asking.ts";

/**
 * Number of observations. They are too few for a learned model, which only the index in memory has.
 */
const OBSERVATIONS = 280;
const COMPANIES = 70;
const CASES = 400;

const WORDS = "crane roof boiler snow steel mill paper cellar grain storage".split(" ");
const REGIONS = ["ON", "QC", "AB"];
const CITIES = ["Toronto", "Laval", "Calgary"];
const HOSTNAMES = ["a.example", "b.example", "c.example"];

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 9 })
  .map((words) => words.join(" "));
const day = (n: number) => `2026-0${1 + n % 9}-1${n % 10}T00:00:00Z`;

const part = fc.record({
  company: fc.integer({ min: 1, max: COMPANIES }),
  place: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom<"procurement_request" | "facility_expansion" | "funding_round">(
    "procurement_request",
    "facility_expansion",
    "funding_round",
  ),
  demand_class: fc.constantFrom<"explicit_request" | "proxy">("explicit_request", "proxy"),
  observed_fact: text,
  why_it_may_matter: text,
  excerpt: text,
  occurred: fc.integer({ min: 0, max: 40 }),
  amount: fc.option(fc.integer({ min: 1, max: 9 })),
  deadline: fc.option(fc.integer({ min: 0, max: 40 })),
  sector: fc.option(fc.constantFrom("23", "51", "31-33")),
  hostnames: fc.subarray(HOSTNAMES, { maxLength: 1 }),
});

/** Returns generated records. They are the same in every run. */
function generateRecords() {
  return fc.sample(part, { numRuns: OBSERVATIONS, seed: 11 }).map((one) => {
    const round = one.kind === "funding_round" ? "series_a" : null;
    return {
      kind: one.kind,
      demand_class: one.demand_class,
      observed_fact: one.observed_fact,
      why_it_may_matter: one.why_it_may_matter,
      country: one.place === 2 ? "US" as const : "CA" as const,
      occurred_at: day(one.occurred),
      company: {
        name: `Northern ${WORDS[one.company % WORDS.length]} ${one.company}`,
        external_id: `${one.company}`,
        domains: one.hostnames,
      },
      categories: one.sector === null ? [] : [one.sector],
      facets: {
        place: { country: "CA", region: REGIONS[one.place]!, city: CITIES[one.place]! },
        round,
        ...one.amount !== null && { amount: { value: one.amount * 100_000, currency: "CAD" } },
        ...one.deadline !== null && { deadline: `21${10 + one.deadline}-06-01T00:00:00Z` },
      },
      evidence: [{
        source_uri: "https://news.example/1",
        excerpt: one.excerpt,
        occurred_at: day(one.occurred),
        observed_at: "2026-10-02T09:00:00Z",
      }],
      observed_at: "2026-10-02T09:00:00Z",
    };
  });
}

/** Generates an optional part of a query. */
const maybe = (...texts: string[]) => fc.oneof(fc.constant(""), fc.constantFrom(...texts));
const query = fc.tuple(
  maybe("tenders for", "series A", "new plants with", "companies with"),
  fc.array(fc.constantFrom(...WORDS, "craen", "rooves"), { maxLength: 4 })
    .map((words) => words.join(" ")),
  maybe("in Ontario", "in Laval", "in Calgary or Toronto", "in Canada", "northern steel 4"),
  maybe("over $300,000", "under 500k", "since March 2026", "closing before 2130", "in June 2026"),
  maybe("not steel", "without snow", "construction", "a.example", "software companies"),
).map((parts) => parts.filter((one) => one !== "").join(" ")).filter((text) => text !== "");

const filters = fc.record({
  countries: fc.subarray(["CA", "US"]),
  kinds: fc.subarray(["procurement_request", "facility_expansion"]),
  occurred_after: fc.integer({ min: 0, max: 40 }).map(day),
  domains: fc.subarray(HOSTNAMES, { maxLength: 1 }),
  exclude_domains: fc.subarray(HOSTNAMES, { maxLength: 1 }),
}, { requiredKeys: [] });

embeddedTest(
  "the distributed retriever gives the same answers as the index in memory [sphinx]",
  async ({ sql }) => {
    await record(sql, generateRecords());
    await using sphinx = await startSphinx();
    const poll_milliseconds = 3_600_000;
    const common = { sql, log: silent, poll_milliseconds };
    await using memory = await opened(createRetriever(common));
    await using distributed = await opened(
      new DistributedRetriever({ ...common, search_url: sphinx.url }),
    );
    const now = new Date();
    const counts = { found: 0, same: 0, same_companies: 0, same_observations: 0 };
    await fc.assert(
      fc.asyncProperty(query, fc.option(filters), async (query, filters) => {
        const asking = { query, filters: filters ?? {}, now };
        const expected = await findCompanies(memory, asking);
        const companies = await findCompanies(distributed, asking);
        const observations = await findObservations(distributed, asking);
        const sameObservations = isDeepStrictEqual(
          observations,
          await findObservations(memory, asking),
        );
        if (expected.length === 0) return assert.deepEqual(companies, [], query);
        counts.found++;
        if (isDeepStrictEqual(companies, expected)) counts.same++;
        if (isDeepStrictEqual(idsOf(companies), idsOf(expected))) counts.same_companies++;
        if (sameObservations) counts.same_observations++;
      }),
      { numRuns: runs(CASES) },
    );
    const { found, same, same_companies, same_observations } = counts;
    const message = JSON.stringify(counts);
    assert.ok(found > CASES / 4, message);
    assert.ok(same_companies >= 0.98 * found, message);
    assert.ok(same_observations >= 0.85 * found, message);
    assert.ok(same >= 0.6 * found, message);
  },
  { ignore: !HAS_SPHINX },
);

async function opened(retriever: Retriever): Promise<Retriever & AsyncDisposable> {
  await retriever.start();
  return Object.assign(retriever, { [Symbol.asyncDispose]: () => retriever.close() });
}

const idsOf = (entries: readonly { company_id: number }[]) =>
  entries.map(({ company_id }) => company_id).toSorted((a, b) => a - b);
