/** Job boards of employers on Greenhouse, by its public Job Board API. */
import { decodeHTML } from "entities";
import { z } from "zod";
import { normalizeInstant } from "../../contract/instant.ts";
import type { ReadContext } from "../entry.ts";
import { readArray } from "../json_elements.ts";
import { textOfMarkup } from "../markup.ts";
import { type Judged, normalizeRecord } from "../normalize.ts";
import { countryOfPlace } from "../places.ts";
import type { Source } from "../source.ts";
import {
  boardOfUrl,
  neededInstant,
  neededText,
  recordOfPosting,
  remoteOfBoards,
  shapeOf,
  webAddress,
} from "./job_board.ts";

/** What is read of a job (developers.greenhouse.io/job-board.html). */
const Job = z.object({
  id: z.int(),
  title: neededText,
  absolute_url: webAddress,
  updated_at: neededInstant,
  /** Not in older answers. */
  first_published: neededInstant.nullish(),
  application_deadline: z.string().nullish(),
  company_name: z.string().nullish(),
  location: z.object({ name: z.string().nullish() }).nullish(),
  /** HTML, written in entities once more. Only with `content=true`. */
  content: z.string().nullish(),
  departments: z.array(z.object({ name: z.string().nullish() })).nullish(),
});

const HOSTS = /^(?:job-)?boards\.(?:eu\.)?greenhouse\.io$/;

export const greenhouse: Source = {
  name: "greenhouse",
  title: "Job boards on Greenhouse",
  licence: "no open licence; published by each employer through Greenhouse's public Job Board API",
  attribution: "Job postings published by the employer through Greenhouse.",
  natural_key: "the board's token and the posting's number",
  left_out: "postings whose location is not clearly in Canada or the United States; in texts, " +
    "addresses and telephone numbers: they are of persons; forms and offices",
  read: (stream, context) =>
    readArray(stream, { member: "jobs", judge: (element) => judgeJob(element, context) }),
  remote: remoteOfBoards({
    address: "https://boards-api.greenhouse.io/v1/boards",
    target: { meaning: "a board's token", pattern: /^[A-Za-z0-9_-]{1,100}$/ },
    urlOf: (address, board) => `${address}/${board}/jobs?content=true`,
  }),
};

function judgeJob(element: unknown, context: ReadContext): Judged | undefined {
  const shaped = shapeOf(Job, element);
  if ("reason" in shaped) return shaped;
  const { shape: job } = shaped;
  const place = job.location?.name ?? "";
  const country = countryOfPlace(place);
  if (country === undefined) return undefined;
  const deadline = job.application_deadline ?? "";
  const record = recordOfPosting({
    source: "greenhouse",
    title: "Greenhouse",
    board: boardOfUrl(job.absolute_url, HOSTS),
    id: String(job.id),
    job: job.title,
    employer: job.company_name,
    department: job.departments?.map(({ name }) => name?.trim()).filter(Boolean).join(", "),
    places: [place],
    country,
    url: job.absolute_url,
    text: textOfMarkup(decodeHTML(job.content ?? "")),
    posted_at: job.first_published ?? job.updated_at,
    updated_at: job.updated_at,
    posting_is_undated: job.first_published == null,
    // A deadline without a time is left to the listing, which drops the job when it closes.
    expires_at: normalizeInstant(deadline) === undefined ? null : deadline,
  }, context);
  return "reason" in record ? record : normalizeRecord(record);
}
