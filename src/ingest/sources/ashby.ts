/** Job boards of employers on Ashby, by its public job postings API. */
import { z } from "zod";
import type { Country } from "../../contract/vocabulary.ts";
import type { ReadContext } from "../entry.ts";
import { readArray } from "../json_elements.ts";
import { textOfMarkup } from "../markup.ts";
import { type Judged, normalizeRecord } from "../normalize.ts";
import { countryOfName, countryOfPlace } from "../places.ts";
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

const Place = z.object({
  location: z.string().nullish(),
  address: z.object({
    postalAddress: z.object({
      addressLocality: z.string().nullish(),
      addressRegion: z.string().nullish(),
      addressCountry: z.string().nullish(),
    }).nullish(),
  }).nullish(),
});
type Place = z.infer<typeof Place>;

/** What is read of a job (developers.ashbyhq.com, "Public job posting API"). */
const Job = Place.extend({
  id: neededText,
  title: neededText,
  jobUrl: webAddress,
  publishedAt: neededInstant,
  /** Openings that are not shown on the board can be in the answer. */
  isListed: z.boolean().nullish(),
  department: z.string().nullish(),
  team: z.string().nullish(),
  employmentType: z.string().nullish(),
  secondaryLocations: z.array(Place).nullish(),
  descriptionPlain: z.string().nullish(),
  descriptionHtml: z.string().nullish(),
});

const HOSTS = /^jobs\.ashbyhq\.com$/;

export const ashby: Source = {
  name: "ashby",
  title: "Job boards on Ashby",
  licence: "no open licence; published by each employer through Ashby's public job postings API",
  attribution: "Job postings published by the employer through Ashby.",
  natural_key: "the board's name and the posting's id",
  left_out:
    "postings that are not listed, and those none of whose locations is clearly in Canada " +
    "or the United States; in texts, addresses and telephone numbers: they are of persons; pay",
  read: (stream, context) =>
    readArray(stream, { member: "jobs", judge: (element) => judgeJob(element, context) }),
  remote: remoteOfBoards({
    address: "https://api.ashbyhq.com/posting-api/job-board",
    target: { meaning: "a board's name", pattern: /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/ },
    urlOf: (address, board) => `${address}/${board}`,
  }),
};

function judgeJob(element: unknown, context: ReadContext): Judged | undefined {
  const shaped = shapeOf(Job, element);
  if ("reason" in shaped) return shaped;
  const { shape: job } = shaped;
  if (job.isListed === false) return undefined;
  const places = [job, ...job.secondaryLocations ?? []];
  const country = places.map(countryOf).find((found) => found !== undefined);
  if (country === undefined) return undefined;
  const record = recordOfPosting({
    source: "ashby",
    title: "Ashby",
    board: boardOfUrl(job.jobUrl, HOSTS),
    id: job.id,
    job: job.title,
    department: [...new Set([job.department, job.team])].filter(Boolean).join(", "),
    // "FullTime"
    commitment: job.employmentType?.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " "),
    places: places.map(nameOf),
    country,
    url: job.jobUrl,
    text: job.descriptionPlain ?? textOfMarkup(job.descriptionHtml ?? ""),
    posted_at: job.publishedAt,
    updated_at: job.publishedAt,
  }, context);
  return "reason" in record ? record : normalizeRecord(record);
}

/** By the address, which names the country in a field of its own; otherwise by the text. */
function countryOf(place: Place): Country | undefined {
  const stated = countryOfName(place.address?.postalAddress?.addressCountry ?? "");
  return stated === undefined
    ? countryOfPlace(nameOf(place))
    : stated === "elsewhere"
    ? undefined
    : stated;
}

/** "San Francisco, California, United States": the parts of the address that the text lacks too. */
function nameOf({ location, address }: Place): string {
  const { addressLocality, addressRegion, addressCountry } = address?.postalAddress ?? {};
  const parts = [location, addressLocality, addressRegion, addressCountry]
    .map((part) => part?.trim() ?? "");
  return [...new Set(parts)].filter(Boolean).join(", ");
}
