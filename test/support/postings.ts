/** Makes postings in the formats of the job boards, and reads them. */
import type { ReadContext, SourceEntry } from "../../src/ingest/record/entry.ts";
import type { Source } from "../../src/ingest/sources/kit/source.ts";

/** Reads a document that the API of a board returns. */
export async function readAll(
  source: Source,
  document: unknown,
  context: Partial<ReadContext> = {},
): Promise<SourceEntry[]> {
  const stream = new Blob([JSON.stringify(document)]).stream();
  const retrieved_at = new Date("2026-08-01T00:00:00Z");
  return await Array.fromAsync(source.read(stream, { retrieved_at, ...context }));
}

/**
 * Returns the external id, the country and a value of each record, or the reason why there is none.
 */
export function outcomesOf<Value>(
  entries: SourceEntry[],
  valueOf: (record: Extract<SourceEntry["judged"], { record: unknown }>["record"]) => Value,
): (string | [string, string, Value])[] {
  return entries.map(({ judged }) => {
    if ("reason" in judged) return judged.reason;
    if ("left_out" in judged) return judged.left_out;
    const { record } = judged;
    return [record.external_id, record.country, valueOf(record)];
  });
}

/** Returns a job of Greenhouse. `more` adds or replaces members. */
export const greenhouseJob = (more: object = {}) => ({
  id: 7,
  title: "Data Engineer",
  absolute_url: "https://boards.greenhouse.io/acme/jobs/7",
  updated_at: "2026-07-02T10:00:00-04:00",
  first_published: "2026-07-01T10:00:00-04:00",
  company_name: "Acme",
  location: { name: "Toronto, ON" },
  ...more,
});

/** Returns a posting of Lever. `more` adds or replaces members. */
export const leverPosting = (more: object = {}) => ({
  id: "a1",
  text: "Data Engineer",
  hostedUrl: "https://jobs.lever.co/acme/a1",
  createdAt: 1_778_622_524_938,
  country: "CA",
  categories: { location: "Toronto" },
  descriptionPlain: "We build robots.",
  ...more,
});

/** Returns a job of Ashby. `more` adds or replaces members. */
export const ashbyJob = (more: object = {}) => ({
  id: "b1",
  title: "Data Engineer",
  jobUrl: "https://jobs.ashbyhq.com/acme/b1",
  publishedAt: "2026-01-22T21:44:44.930+00:00",
  isListed: true,
  location: "San Francisco, CA",
  address: {
    postalAddress: {
      addressLocality: "San Francisco",
      addressRegion: "California",
      addressCountry: "United States",
    },
  },
  descriptionPlain: "We build robots.",
  ...more,
});
