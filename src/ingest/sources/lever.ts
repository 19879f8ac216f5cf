/** Reads job boards of employers on Lever from its public Postings API. */
import { z } from "zod";
import type { Country } from "../../contract/vocabulary.ts";
import { textOfMarkup } from "../text/markup.ts";
import { type Pay, payOfText, periodOfWords, validPay } from "../classify/pay.ts";
import { countryOfName, type PlaceReading, readPlaces } from "../classify/places.ts";
import type { Source } from "./source.ts";
import {
  boardOfUrl,
  joinReadings,
  neededText,
  onlyCountryOf,
  type PostingOutcome,
  readingInCountry,
  readPostings,
  remoteOfBoards,
  shapeOf,
  webAddress,
} from "./job_board.ts";
import { departmentsOf, employmentKindOf, workplaceOf, workplaceOfPlaces } from "./job_terms.ts";

/** The members of a posting that are read (github.com/lever/postings-api). */
const LeverPosting = z.object({
  id: neededText,
  /** Title of the posting. */
  text: neededText,
  hostedUrl: webAddress,
  /** Creation time, in milliseconds since the epoch. */
  createdAt: z.int().min(0).max(4_102_444_800_000),
  /** Country of the first location (ISO 3166-1 alpha-2). */
  country: z.string().nullish(),
  categories: z.object({
    location: z.string().nullish(),
    allLocations: z.array(z.string()).nullish(),
    department: z.string().nullish(),
    team: z.string().nullish(),
    commitment: z.string().nullish(),
  }).nullish(),
  /** Workplace: "on-site", "hybrid", "remote" or "unspecified". */
  workplaceType: z.string().nullish(),
  salaryRange: z.object({
    currency: z.string().nullish(),
    /** Period of the pay: "per-year-salary", "per-hour-wage". */
    interval: z.string().nullish(),
    min: z.number().nullish(),
    max: z.number().nullish(),
  }).nullish(),
  salaryDescriptionPlain: z.string().nullish(),
  descriptionPlain: z.string().nullish(),
  description: z.string().nullish(),
  additionalPlain: z.string().nullish(),
  additional: z.string().nullish(),
  /** Lists, such as requirements. Their content is HTML. */
  lists: z.array(z.object({ text: z.string().nullish(), content: z.string().nullish() })).nullish(),
});
type LeverPosting = z.infer<typeof LeverPosting>;

const HOSTS = /^jobs\.(?:eu\.)?lever\.co$/;

export const lever: Source = {
  name: "lever",
  title: "Job boards on Lever",
  licence: "no open licence; published by each employer through Lever's public Postings API",
  attribution: "Job postings published by the employer through Lever.",
  natural_key:
    "the site's name and the posting's id; a posting in both countries has a second record, " +
    "whose id ends in the country",
  left_out: "postings without a location that is clearly in Canada or the United States; names, " +
    "e-mail addresses and telephone numbers of persons in texts",
  read: (stream, context) => readPostings(stream, { context, postingOf }),
  remote: remoteOfBoards({
    address: "https://api.lever.co/v0/postings",
    target: { meaning: "a site's name", pattern: /^[A-Za-z0-9._-]{1,100}$/ },
    urlOf: (address, board) => `${address}/${board}?mode=json`,
  }),
};

function postingOf(element: unknown): PostingOutcome {
  const shaped = shapeOf(LeverPosting, element);
  if ("reason" in shaped) return shaped;
  const { shape: posting } = shaped;
  const { location, allLocations, department, team, commitment } = posting.categories ?? {};
  const places = [...new Set([location ?? "", ...allLocations ?? []].map((place) => place.trim()))]
    .filter((place) => place !== "");
  const reading = readingOf(posting, places);
  const posted = new Date(posting.createdAt).toISOString();
  const text = textOf(posting);
  return {
    posting: {
      source: "lever",
      title: "Lever",
      board: boardOfUrl(posting.hostedUrl, HOSTS),
      id: posting.id,
      job: posting.text,
      department: departmentsOf([department, team]),
      commitment,
      employment_kind: employmentKindOf(commitment, posting.text),
      workplace: workplaceOf(posting.workplaceType ?? "") ?? workplaceOfPlaces(places),
      pays: paysOf(posting, { text, country: onlyCountryOf(reading) }),
      places,
      reading,
      url: posting.hostedUrl,
      text,
      posted_at: posted,
      updated_at: posted,
    },
  };
}

/** Reads the first location with the field for its country, and the others by their names. */
function readingOf({ country }: LeverPosting, [first = "", ...others]: string[]): PlaceReading {
  return joinReadings([
    readingInCountry(first, countryOfName(country ?? "")),
    ...others.map(readPlaces),
  ]);
}

function paysOf(
  { salaryRange, salaryDescriptionPlain }: LeverPosting,
  { text, country }: { text: string; country: Country | undefined },
): Pay[] {
  const stated = salaryRange == null ? undefined : validPay({
    min: salaryRange.min,
    max: salaryRange.max,
    currency: salaryRange.currency ?? "",
    period: periodOfWords((salaryRange.interval ?? "").replaceAll("-", " ")),
  });
  return stated !== undefined
    ? [stated]
    : payOfText([text, salaryDescriptionPlain ?? ""].join("\n\n"), country);
}

/**
 * Joins the parts of the posting. Its "opening" is left out, because it repeats the beginning of
 * the description.
 */
function textOf(posting: LeverPosting): string {
  const { descriptionPlain, lists, additionalPlain, additional, salaryDescriptionPlain } = posting;
  const parts = (lists ?? []).map(({ text, content }) =>
    `${text ?? ""}\n${textOfMarkup(content ?? "")}`
  );
  return [
    descriptionPlain ?? textOfMarkup(posting.description ?? ""),
    ...parts,
    salaryDescriptionPlain ?? "",
    additionalPlain ?? textOfMarkup(additional ?? ""),
  ].filter((part) => part.trim() !== "").join("\n\n");
}
