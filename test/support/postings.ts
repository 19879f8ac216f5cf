/** Native postings of the job boards, in tests, and what they come to. */
import type { ReadContext, SourceEntry } from "../../src/ingest/record/entry.ts";
import type { Source } from "../../src/ingest/sources/source.ts";

/** Reads a document as the API of its board answers it. */
export async function readAll(
  source: Source,
  document: unknown,
  context: Partial<ReadContext> = {},
): Promise<SourceEntry[]> {
  const stream = new Blob([JSON.stringify(document)]).stream();
  const retrieved_at = new Date("2026-08-01T00:00:00Z");
  return await Array.fromAsync(source.read(stream, { retrieved_at, ...context }));
}

/** Returns identity, country and a value of each record, or why an entry is none. */
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

/** A job of Greenhouse with further members. */
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

/** A posting of Lever with further members. */
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

/** A job of Ashby with further members. */
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
