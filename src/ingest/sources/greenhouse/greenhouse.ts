/** Reads job boards of employers on Greenhouse from its public Job Board API. */
import { decodeHTML } from "entities";
import { z } from "zod";
import { normalizeInstant } from "../../../contract/instant.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import type { ReadContext } from "../../record/entry.ts";
import { textOfMarkup } from "../../text/clean_text.ts";
import { type Pay, payOfText, periodOfWords, validPay } from "../../classify/pay.ts";
import { readPlaces } from "../../classify/places.ts";
import type { Source } from "../kit/source.ts";
import {
  boardOfUrl,
  joinReadings,
  neededInstant,
  neededText,
  onlyCountryOf,
  type PostingOutcome,
  readPostings,
  remoteOfBoards,
  shapeOf,
  webAddress,
} from "../kit/job_board.ts";
import {
  departmentsOf,
  employmentKindOf,
  type Workplace,
  workplaceOf,
  workplaceOfPlaces,
} from "../kit/job_terms.ts";

/** The members of a job that are read (developers.greenhouse.io/job-board.html). */
const GreenhouseJob = z.object({
  id: z.int(),
  title: neededText,
  absolute_url: webAddress,
  updated_at: neededInstant,
  /** Instant of the first publication; absent in older answers. */
  first_published: neededInstant.nullish(),
  application_deadline: z.string().nullish(),
  company_name: z.string().nullish(),
  location: z.object({ name: z.string().nullish() }).nullish(),
  /** HTML whose tags are escaped as entities. The answer contains it only with `content=true`. */
  content: z.string().nullish(),
  departments: z.array(z.object({ name: z.string().nullish() })).nullish(),
  offices: z.array(z.object({ name: z.string().nullish(), location: z.unknown() })).nullish(),
  /** Custom fields of the employer. */
  metadata: z.array(z.object({ name: z.string().nullish(), value: z.unknown() })).nullish(),
  /** Pay ranges in cents. Titles describe the ranges: "Annual salary", "US, zone 1". */
  pay_input_ranges: z.array(z.object({
    min_cents: z.number().nullish(),
    max_cents: z.number().nullish(),
    currency_type: z.string().nullish(),
    title: z.string().nullish(),
  })).nullish(),
});
type GreenhouseJob = z.infer<typeof GreenhouseJob>;

const HOSTS = /^(?:(?:job-)?boards|boards-api|api)\.(?:eu\.)?greenhouse\.io$/;

export const greenhouse: Source = {
  name: "greenhouse",
  title: "Job boards on Greenhouse",
  licence: "no open licence; published by each employer through Greenhouse's public Job Board API",
  attribution: "Job postings published by the employer through Greenhouse.",
  natural_key:
    "the board's token and the posting's number; a posting in both countries has a second " +
    "record, whose id ends in the country. In a file without addresses of boards, the hostname " +
    "of the employer's site replaces the board",
  left_out:
    "postings whose location is not clearly in Canada or the United States; names, e-mail " +
    "addresses and telephone numbers of persons in texts; application forms",
  read: (stream, context) =>
    readPostings(stream, {
      member: "jobs",
      context,
      postingOf: (element) => postingOf(element, context),
    }),
  remote: remoteOfBoards({
    address: "https://boards-api.greenhouse.io/v1/boards",
    target: { meaning: "a board's token", pattern: /^[A-Za-z0-9_-]{1,100}$/ },
    urlOf: (address, board) => `${address}/${board}/jobs?content=true`,
  }),
};

function postingOf(element: unknown, context: ReadContext): PostingOutcome {
  const shaped = shapeOf(GreenhouseJob, element);
  if ("reason" in shaped) return shaped;
  const { shape: job } = shaped;
  const places = placesOf(job);
  const html = decodeHTML(job.content ?? "");
  const text = textOfMarkup(html);
  const reading = joinReadings(places.map(readPlaces));
  const deadline = job.application_deadline ?? "";
  const commitment = metadataOf(job, /^(?:employment|job|time|position) ?type$|^commitment$/i);
  return {
    posting: {
      source: "greenhouse",
      title: "Greenhouse",
      board: boardOfUrl(job.absolute_url, HOSTS) ?? boardOfApi(context.address),
      site: siteOf(job, context),
      id: String(job.id),
      job: job.title,
      employer: job.company_name,
      department: departmentsOf((job.departments ?? []).map(({ name }) => name)),
      commitment,
      employment_kind: employmentKindOf(commitment, job.title),
      workplace: workplaceIn(job),
      pays: paysOf(job, { html, text, country: onlyCountryOf(reading) }),
      places,
      reading,
      url: job.absolute_url,
      text,
      posted_at: job.first_published ?? job.updated_at,
      updated_at: job.updated_at,
      posting_is_undated: job.first_published == null,
      // A deadline without a time is not used. The record ends anyway when the board drops the job.
      expires_at: normalizeInstant(deadline) === undefined ? null : deadline,
    },
  };
}

/** Returns the board from the address of an answer: /v1/boards/acme/jobs. */
function boardOfApi(address: string | undefined): string | undefined {
  return /^https:\/\/boards-api\.(?:eu\.)?greenhouse\.io\/v1\/boards\/([\w-]+)\//
    .exec(address ?? "")?.[1];
}

/**
 * Returns the hostname of the employer's own career page or, if the page is on Greenhouse, the
 * hostname of the company that the operator stated. It identifies the records if the board is not
 * known. Tokens of boards contain no full stop, so a hostname is never the token of another board.
 */
function siteOf(job: GreenhouseJob, { company }: ReadContext): string | undefined {
  if (company === undefined && !job.company_name?.trim()) return undefined;
  const { hostname } = new URL(job.absolute_url);
  return HOSTS.test(hostname) || !hostname.includes(".")
    ? company?.domains[0]?.toLowerCase()
    : hostname.replace(/^www\./, "");
}

const NO_PLACE =
  /^[\s\W]*(?:(?:fully |100% )?remote|hybrid|on-?site|in-?office|multiple(?: locations?)?|various(?: locations?)?|flexible|n\/a)?[\s\W]*$/i;

/**
 * Returns the location. If it states only a kind of workplace, such as "Remote", the offices
 * follow.
 */
function placesOf(job: GreenhouseJob): string[] {
  const place = job.location?.name ?? "";
  if (!NO_PLACE.test(place)) return [place];
  const offices = (job.offices ?? []).map(({ name, location }) =>
    typeof location === "string" && location.trim() !== "" ? location : name ?? ""
  );
  return [place, ...offices].filter((text) => text.trim() !== "");
}

function metadataOf(job: GreenhouseJob, name: RegExp): string {
  const field = job.metadata?.find((field) => name.test(field.name?.trim() ?? ""));
  const values = [field?.value].flat().filter((value) => typeof value === "string");
  return values.join(", ");
}

function workplaceIn(job: GreenhouseJob): Workplace | undefined {
  const stated = metadataOf(
    job,
    /^(?:work ?place|work|location|office)[ -]?(?:type|model|arrangement|policy)$|^work ?place$|^remote\??$/i,
  );
  return workplaceOf(stated) ?? workplaceOfPlaces([job.location?.name ?? ""]);
}

const PAY_BLOCK = /<div class="title">([^<]*)<\/div>\s*<div class="pay-range">(.*?)<\/div>/gs;
const Range = z.object({
  unit: z.string(),
  min_value: z.coerce.number().nullish(),
  max_value: z.coerce.number().nullish(),
});

/**
 * Reads the pay from its fields. If they are empty, reads the pay block of the text, or else the
 * whole text.
 */
function paysOf(
  job: GreenhouseJob,
  { html, text, country }: { html: string; text: string; country: Country | undefined },
): Pay[] {
  const ranges = (job.pay_input_ranges ?? []).map((range) => ({
    min: range.min_cents == null ? null : range.min_cents / 100,
    max: range.max_cents == null ? null : range.max_cents / 100,
    currency: range.currency_type ?? "",
    period: periodOfWords(range.title ?? ""),
  }));
  const fields = (job.metadata ?? []).flatMap(({ name, value }) => {
    const range = Range.safeParse(value);
    if (!/\b(?:salary|pay|compensation)\b/i.test(name ?? "") || !range.success) return [];
    const { min_value: min, max_value: max, unit: currency } = range.data;
    return [{ min, max, currency, period: periodOfWords(name!) }];
  });
  const stated = [...ranges, ...fields].flatMap((range) => validPay(range) ?? []);
  if (stated.length > 0) return stated;
  const blocks = [...html.matchAll(PAY_BLOCK)].flatMap(([, title, range]) =>
    payOfText(`Pay, ${textOfMarkup(title!)}\n${textOfMarkup(range!)}`, country)
  );
  return blocks.length > 0 ? blocks : payOfText(text, country);
}
