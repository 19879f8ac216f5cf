/**
 * The companies of remoteintech/remote-jobs, a list of employers of remote workers that they write
 * into themselves: one JSON object a line, its page's front matter and Markdown body. Upstream the
 * list is a repository of Markdown files, so there is no address to fetch.
 */
import type { Entry, ReadContext } from "../entry.ts";
import { ELEMENT_BYTES } from "../field_bounds.ts";
import { parseJson } from "../json_elements.ts";
import { checkEnd, readLines } from "../lines.ts";
import { normalizeRecord } from "../normalize.ts";
import type { Source } from "../source.ts";
import { recordsOfListing } from "./remote_jobs_listing.ts";

export const remoteJobs: Source = {
  name: "remote_jobs",
  title: "Remote jobs: companies of remoteintech.company",
  licence: "ISC",
  attribution: "remoteintech/remote-jobs and its contributors (https://remoteintech.company).",
  natural_key: "the company's slug; for its technologies the slug and /technologies",
  left_out: "companies that do not say in one way that they are in Canada or the United States, " +
    "by their main office, their first office or, without offices, the region they employ in; how " +
    "to apply, which names persons; contact data in texts. A homepage www.NAME also gives NAME, " +
    "since lookups do not remove www; job boards and directories are nobody's homepage",
  read: readListings,
};

async function* readListings(
  stream: AsyncIterable<Uint8Array>,
  context: ReadContext,
): AsyncGenerator<Entry> {
  for await (const line of readLines(stream, { longest: ELEMENT_BYTES })) {
    const { number, text, fault } = line;
    if (fault === undefined && text.trim() === "") continue;
    const parsed = fault === undefined ? parseJson(text) : { reason: fault };
    const records = "reason" in parsed
      ? { reason: `the line ${parsed.reason}` }
      : recordsOfListing(parsed.value, context.retrieved_at);
    if ("reason" in records || "left_out" in records) {
      yield { line: number, raw: text, judged: records };
    } else {
      for (const { record, undated } of records) {
        yield { line: number, raw: text, judged: normalizeRecord(record, { undated }) };
      }
    }
    checkEnd(line, { isSound: "value" in parsed });
  }
}
