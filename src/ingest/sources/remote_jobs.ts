/**
 * Reads the companies of remoteintech/remote-jobs, a list of employers of remote workers. Each
 * company writes its own page. The input has one JSON object per line, with the front matter and
 * the Markdown body of one page. The list itself is a repository of Markdown files, so there is no
 * address to fetch.
 */
import type { ReadContext, SourceEntry } from "../record/entry.ts";
import { readJsonLines } from "../formats/json_lines.ts";
import { shownValue } from "../masking/mask_text.ts";
import { normalizeRecord } from "../record/normalize.ts";
import type { Source } from "./source.ts";
import { fieldsOf, recordsOfListing } from "./remote_jobs_listing.ts";

export const remoteJobs: Source = {
  name: "remote_jobs",
  title: "Remote jobs: companies of remoteintech.company",
  licence: "ISC",
  attribution: "remoteintech/remote-jobs and its contributors (https://remoteintech.company).",
  natural_key: "the company's slug; for its technologies, the slug with /technologies",
  left_out: "companies that are not clearly in Canada or the United States by their main office, " +
    "their first office or, without offices, the region in which they employ; how to apply, " +
    "because it names persons; contact data in texts. For a homepage www.NAME, the hostname " +
    "NAME is recorded too, because lookups do not remove www; job boards and directories do not " +
    "count as homepages",
  read: readListings,
};

/** Max bytes of a page, which bounds its time on the event loop. Real pages have up to 5,000. */
export const PAGE_BYTES = 16_384;

function readListings(
  stream: AsyncIterable<Uint8Array>,
  { retrieved_at }: ReadContext,
): AsyncGenerator<SourceEntry> {
  return readJsonLines(stream, {
    longest: PAGE_BYTES,
    judge(value) {
      const records = recordsOfListing(value, retrieved_at);
      return Array.isArray(records)
        ? records.map(({ record, undated }) => normalizeRecord(record, { undated }))
        : records;
    },
    shown: (value) => shownValue(fieldsOf(value)),
  });
}
