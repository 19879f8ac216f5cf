/** Reads job boards of employers on Ashby from its public job postings API. */
import { z } from "zod";
import type { Country } from "../../contract/vocabulary.ts";
import { textOfMarkup } from "../text/markup.ts";
import { type Pay, payOfText, periodOfWords, validPay } from "../classify/pay.ts";
import { countryOfName, type PlaceReading, readPlaces, regionOfName } from "../classify/places.ts";
import { territoryOf } from "../classify/territories.ts";
import { splitCamelCase } from "../text/clean_text.ts";
import type { Source } from "./source.ts";
import {
  boardOfUrl,
  joinReadings,
  neededInstant,
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

/** One part of the pay. Its type is "Salary", "Bonus", "EquityPercentage" or the like. */
const Component = z.object({
  compensationType: z.string().nullish(),
  /** Period of the pay: "1 YEAR", "1 HOUR". */
  interval: z.string().nullish(),
  currencyCode: z.string().nullish(),
  minValue: z.number().nullish(),
  maxValue: z.number().nullish(),
});

const AshbyPlace = z.object({
  location: z.string().nullish(),
  address: z.object({
    postalAddress: z.object({
      addressLocality: z.string().nullish(),
      addressRegion: z.string().nullish(),
      addressCountry: z.string().nullish(),
    }).nullish(),
  }).nullish(),
});
type AshbyPlace = z.infer<typeof AshbyPlace>;

/** The members of a job that are read (developers.ashbyhq.com, "Public job posting API"). */
const AshbyJob = AshbyPlace.extend({
  id: neededText,
  title: neededText,
  jobUrl: webAddress,
  publishedAt: neededInstant,
  /** False for a posting that is in the answer but is not shown on the board. */
  isListed: z.boolean().nullish(),
  department: z.string().nullish(),
  team: z.string().nullish(),
  /** Kind of employment: "FullTime". */
  employmentType: z.string().nullish(),
  secondaryLocations: z.array(AshbyPlace).nullish(),
  /** Workplace: "OnSite", "Hybrid" or "Remote". */
  workplaceType: z.string().nullish(),
  isRemote: z.boolean().nullish(),
  shouldDisplayCompensationOnJobPostings: z.boolean().nullish(),
  /** Pay. The answer contains it only with `includeCompensation=true`. */
  compensation: z.object({
    compensationTiers: z.array(z.object({ components: z.array(Component).nullish() })).nullish(),
    summaryComponents: z.array(Component).nullish(),
  }).nullish(),
  descriptionPlain: z.string().nullish(),
  descriptionHtml: z.string().nullish(),
});

type AshbyJob = z.infer<typeof AshbyJob>;

const HOSTS = /^jobs\.ashbyhq\.com$/;

export const ashby: Source = {
  name: "ashby",
  title: "Job boards on Ashby",
  licence: "no open licence; published by each employer through Ashby's public job postings API",
  attribution: "Job postings published by the employer through Ashby.",
  natural_key:
    "the board's name and the posting's id; a posting in both countries has a second record, " +
    "whose id ends in the country",
  left_out:
    "postings that are not listed; postings without a location that is clearly in Canada or " +
    "the United States; names, e-mail addresses and telephone numbers of persons in texts",
  read: (stream, context) => readPostings(stream, { member: "jobs", context, postingOf }),
  remote: remoteOfBoards({
    address: "https://api.ashbyhq.com/posting-api/job-board",
    target: { meaning: "a board's name", pattern: /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/ },
    urlOf: (address, board) => `${address}/${board}?includeCompensation=true`,
  }),
};

function postingOf(element: unknown): PostingOutcome {
  const shaped = shapeOf(AshbyJob, element);
  if ("reason" in shaped) return shaped;
  const { shape: job } = shaped;
  if (job.isListed === false) return { left_out: "a posting that the board does not list" };
  const places = [job, ...job.secondaryLocations ?? []];
  const reading = joinReadings(places.map(readingOf));
  const text = job.descriptionPlain ?? textOfMarkup(job.descriptionHtml ?? "");
  const commitment = splitCamelCase(job.employmentType ?? "");
  return {
    posting: {
      source: "ashby",
      title: "Ashby",
      board: boardOfUrl(job.jobUrl, HOSTS),
      id: job.id,
      job: job.title,
      department: departmentsOf([job.department, job.team]),
      commitment,
      employment_kind: employmentKindOf(commitment, job.title),
      workplace: workplaceIn(job),
      pays: paysOf(job, { text, country: onlyCountryOf(reading) }),
      places: places.map(nameOf),
      reading,
      url: job.jobUrl,
      text,
      posted_at: job.publishedAt,
      updated_at: job.publishedAt,
    },
  };
}

function workplaceIn({ workplaceType, isRemote, location, secondaryLocations }: AshbyJob) {
  const stated = workplaceOf(workplaceType ?? "");
  if (stated !== undefined) return stated;
  if (isRemote === true) return "remote";
  return workplaceOfPlaces(
    [location, ...(secondaryLocations ?? []).map((place) => place.location)]
      .map((place) => place ?? ""),
  );
}

/**
 * Reads the salaries from the fields of pay, or from the text if the fields have none that may be
 * shown.
 */
function paysOf(
  { compensation, shouldDisplayCompensationOnJobPostings }: AshbyJob,
  { text, country }: { text: string; country: Country | undefined },
): Pay[] {
  const { compensationTiers, summaryComponents } = compensation ?? {};
  const isShown = shouldDisplayCompensationOnJobPostings !== false;
  const components = isShown
    ? [
      ...(compensationTiers ?? []).flatMap(({ components }) => components ?? []),
      ...summaryComponents ?? [],
    ]
    : [];
  const stated = components.filter(({ compensationType }) => compensationType === "Salary")
    .flatMap((component) =>
      validPay({
        min: component.minValue,
        max: component.maxValue,
        currency: component.currencyCode ?? "",
        period: periodOfWords(component.interval ?? ""),
      }) ?? []
    );
  return stated.length > 0 ? stated : payOfText(text, country);
}

/**
 * Reads a place from its text, in the country of its address. If the text names neither a city nor
 * several places, region and city of the address are added.
 */
function readingOf(place: AshbyPlace): PlaceReading {
  const { addressLocality, addressRegion, addressCountry } = place.address?.postalAddress ?? {};
  const country = countryOfName(addressCountry ?? "");
  const reading = readingInCountry(place.location ?? "", country);
  const [first, second] = reading.places;
  if (country === undefined || country === "elsewhere") {
    return first === undefined && country === undefined ? readPlaces(nameOf(place)) : reading;
  }
  if (second !== undefined || first?.city !== undefined) return reading;
  const region = regionOfName(country, addressRegion ?? "") ?? territoryOf(addressCountry ?? "") ??
    first?.region;
  const city = addressLocality?.trim() || undefined;
  return { ...reading, places: [{ country, ...region && { region }, ...city && { city } }] };
}

/**
 * Returns the text of a place, with the parts of its address that the text lacks: "San Francisco,
 * California".
 */
function nameOf({ location, address }: AshbyPlace): string {
  const { addressLocality, addressRegion, addressCountry } = address?.postalAddress ?? {};
  const text = location?.trim() ?? "";
  const [place] = readPlaces(text).places;
  const country = countryOfName(addressCountry ?? "");
  const region = country === "CA" || country === "US"
    ? regionOfName(country, addressRegion ?? "")
    : undefined;
  const contains = (word: string) =>
    new RegExp(`(?<![\\p{L}])${RegExp.escape(word)}(?![\\p{L}])`, "iu").test(text);
  const isContained = {
    locality: contains(addressLocality ?? "") || place?.city === addressLocality?.trim(),
    region: contains(addressRegion ?? "") || region !== undefined && contains(region) ||
      addressRegion?.trim() === addressLocality?.trim(),
    country: contains(addressCountry ?? "") || country === "US" && /\b(?:USA?|U\.S\.)/.test(text) ||
      country !== undefined && countryOfName(text) === country,
  };
  const missing = [
    isContained.locality ? "" : addressLocality,
    isContained.region ? "" : addressRegion,
    isContained.country ? "" : addressCountry,
  ];
  return [text, ...missing].map((part) => part?.trim() ?? "").filter(Boolean).join(", ");
}
