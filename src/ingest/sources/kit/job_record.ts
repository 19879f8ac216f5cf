/** Maps a posting of a job board to a record. */
import { FACET_LIMITS } from "../../../contract/facets.ts";
import { RECORD_LIMITS, type SourceRecord } from "../../../contract/record.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import type { ReadContext } from "../../record/entry.ts";
import { maskedLine, maskPersons } from "../../masking/mask_text.ts";
import { type Pay, payIn, payInWords } from "../../classify/pay.ts";
import { type PlaceReading, readPlaces } from "../../classify/places.ts";
import { technologiesIn } from "../../classify/technologies.ts";
import { cleanLine, cleanParagraphs, cutAtWord, withoutEnding } from "../../text/clean_text.ts";
import type { EmploymentKind, Workplace } from "./job_terms.ts";
import { passageOf } from "../../record/excerpts.ts";

/** One opening in a form that is common to all boards. */
export interface Posting {
  /** Name of the source. `title` is the title of its boards. */
  source: string;
  title: string;
  /**
   * Name of the board in the address of the posting or of the answer; undefined if neither names
   * it.
   */
  board: string | undefined;
  /**
   * Hostname of the employer's own site, if known. It identifies the records if no board is known.
   */
  site?: string;
  id: string;
  job: string;
  /** The employer's name, or an empty text if the board does not state it. */
  employer: string;
  department: string;
  /** Kind of employment in the board's words: "Full-time". */
  commitment: string;
  employment_kind?: EmploymentKind;
  workplace?: Workplace;
  /** All pay that the posting states, in any currency. */
  pays: readonly Pay[];
  places: string[];
  reading: PlaceReading;
  url: string;
  /** Text of the posting. */
  text: string;
  /** Time of publication, in ISO 8601 with an offset. */
  posted_at: string;
  updated_at: string;
  /** True if `posted_at` is only the time of the last change. */
  posting_is_undated: boolean;
  expires_at: string | undefined;
}

/**
 * Confidence that the company is hiring for this role now. `named` means that an operator or the
 * board names the company, `by_token` that its name is derived from the board's address. `undated`
 * is subtracted if the posting has no date, because an old posting that was edited looks new.
 */
const CONFIDENCE = { named: 0.9, by_token: 0.75, undated: 0.1 } as const;

/**
 * Returns the prefix of the external ids of a board's records, in lower case, because boards ignore
 * case.
 */
export function prefixOfBoard(token: string): string {
  return `${token.toLowerCase()}/`;
}

/** One country in which a posting is open. */
interface Opening {
  context: ReadContext;
  board: string;
  /** Country of this record. `countries` are all countries in which the posting is open. */
  country: Country;
  countries: readonly Country[];
}

/** Maps a posting to its record in one country. */
export function recordOfPosting(posting: Posting, opening: Opening): SourceRecord {
  const { board, country, countries, context: { company } } = opening;
  const job = maskedLine(posting.job);
  const known = company?.name ?? posting.employer;
  const named = cleanLine(known) !== "";
  const name = named ? cleanLine(known) : nameOfToken(board);
  const pay = payIn(country, posting.pays, { isOnlyCountry: countries.length === 1 });
  const text = [job, maskPersons(cleanParagraphs(posting.text))].filter(Boolean).join("\n");
  // The record of the first country has the same external id as if it were the only one.
  const suffix = country === countries[0] ? "" : `/${country.toLowerCase()}`;
  return {
    source: posting.source,
    external_id: prefixOfBoard(board) + posting.id + suffix,
    company: { name, external_id: board.toLowerCase(), domains: company?.domains ?? [] },
    kind: "job_posting",
    observed_fact: factOf(posting, { name, job, pay, opening }),
    why_it_may_matter:
      `${name} is hiring for a role, so it may need the tools and services that the ` +
      "role works with. A job posting is a proxy for demand: nothing is asked of suppliers.",
    demand_class: "proxy",
    country,
    confidence: confidenceOf(named, posting),
    occurred_at: posting.posted_at,
    observed_at: posting.updated_at,
    expires_at: posting.expires_at ?? null,
    text,
    facets: {
      place: posting.reading.places.filter((place) => place.country === country)
        .slice(0, FACET_LIMITS.list),
      role: cutAtWord(withoutEnding(job, /\./), FACET_LIMITS.text_characters),
      technologies: technologiesIn(text, name),
      employment: { kind: posting.employment_kind, workplace: posting.workplace, pay },
    },
    evidence: excerptsOf(text, { job, pay }).map((excerpt) => ({
      source_uri: posting.url,
      excerpt,
    })),
  };
}

function confidenceOf(named: boolean, { posting_is_undated }: Posting): number {
  const confidence = named ? CONFIDENCE.named : CONFIDENCE.by_token;
  return Number((confidence - (posting_is_undated ? CONFIDENCE.undated : 0)).toFixed(2));
}

const WORKPLACES: Readonly<Record<Workplace, string>> = {
  on_site: "on site",
  hybrid: "hybrid",
  remote: "remote",
};

function factOf(
  posting: Posting,
  { name, job, pay, opening: { board, country, countries } }: {
    name: string;
    job: string;
    pay: Pay | undefined;
    opening: Opening;
  },
): string {
  const department = maskedLine(posting.department);
  const employment = maskedLine(posting.commitment) ||
    (posting.employment_kind ?? "").replaceAll("_", "-");
  const { workplace } = posting;
  const places = distinctTexts(posting.places.map(maskedLine)).join("; ");
  const sentences = [
    `${name} has an open job posting: ${withoutEnding(job, /\./)}.`,
    department && `Department: ${cutAtWord(department, 200)}.`,
    employment && `Employment: ${cutAtWord(employment, 100)}.`,
    workplace !== undefined && `Workplace: ${WORKPLACES[workplace]}.`,
    pay !== undefined && `Pay: ${payInWords(pay)}.`,
    places && `Location: ${cutAtWord(places, 300).replace(/\.$/, "")}.`,
    countries.length > 1 &&
    `It is open in Canada and in the United States; here: ${COUNTRY_NAMES[country]}.`,
    posting.board === undefined && board === posting.site
      ? `${posting.title} posting ${posting.id} at ${board}.`
      : `${posting.title} board ${board}, posting ${posting.id}.`,
  ];
  return sentences.filter((sentence) => sentence !== "" && sentence !== false).join(" ");
}

const COUNTRY_NAMES: Readonly<Record<Country, string>> = { CA: "Canada", US: "the United States" };

/** Drops the shorter of two texts for one place: "Toronto" and "Toronto, ON, Canada". */
function distinctTexts(texts: readonly string[]): string[] {
  const byPlace = new Map<string, string>();
  const parts = texts.flatMap((text) => text.split(";")).map((part) => part.trim());
  for (const text of parts.filter(Boolean)) {
    const { places: [place, second] } = readPlaces(text);
    const isCity = place?.city !== undefined && second === undefined && !/remote/i.test(text);
    const key = isCity ? JSON.stringify([place.country, place.city]) : text.toLowerCase();
    const known = byPlace.get(key);
    if (known === undefined || known.length < text.length) byPlace.set(key, text);
  }
  return [...byPlace.values()];
}

/** Derives a name from a token: "acme-robotics" gives "Acme Robotics". */
function nameOfToken(token: string): string {
  return token.split(/[\s._-]+/).filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1)).join(" ");
}

/** Matches a heading after which a posting describes the role, not the employer. */
const ROLE_HEADING =
  /^[^\p{L}\n]*(?:about (?:the|this|your) (?:role|position|job|opportunity|team)|(?:the|your|this) (?:role|opportunity|position|job)|role|the team and role|what you(?:['’]ll| will) (?:do|be doing)|(?:core |key )?responsibilities|(?:job|role|position) (?:summary|description|overview)|overview of the role|in this role|à propos du (?:rôle|poste)|le (?:rôle|poste)|vos responsabilités)\b[^\n]{0,40}$/imu;
/** Matches words of a sentence about the role. */
const ABOUT_ROLE =
  /\b(?:you(?:['’]ll| will)|(?:we(?:['’]re| are)|is|are) (?:looking for|seeking|hiring)|this (?:role|position)|the (?:role|successful candidate|ideal candidate)|as (?:an?|our) [\p{L} -]{2,60}, you|responsible for|responsibilities|vous (?:serez|allez|aurez)|nous recherchons)(?!\p{L})/iu;
const MIN_ROLE_CHARACTERS = 200;
const PAY_CHARACTERS = 300;

/**
 * Returns the description of the role, cut to the length of an excerpt. If it is not recognized,
 * returns the text instead, or the passage that best fits the job's title if the text is too long.
 * The line that states the pay follows, unless the excerpt contains it.
 */
function excerptsOf(text: string, { job, pay }: { job: string; pay: Pay | undefined }): string[] {
  const role = roleIn(text, job);
  const first = role === undefined
    ? passageOf(text, job, RECORD_LIMITS.excerpt_characters)
    : passageOf(role, "", RECORD_LIMITS.excerpt_characters);
  const line = pay === undefined ? undefined : lineOfPay(text, pay);
  return line === undefined || first.includes(line) ? [first] : [first, line];
}

/**
 * Returns the text about the role: the text after a heading, or else the text from the first
 * sentence about the role. The text before that is usually about the employer. Returns undefined if
 * little is said about the role, or if the whole text fits into an excerpt.
 */
function roleIn(text: string, job: string): string | undefined {
  if (text.length <= RECORD_LIMITS.excerpt_characters) return undefined;
  const heading = ROLE_HEADING.exec(text);
  const underHeading = heading === null
    ? ""
    : text.slice(heading.index + heading[0].length).trimStart();
  if (underHeading.length >= MIN_ROLE_CHARACTERS) return underHeading;
  const body = text.startsWith(`${job}\n`) ? job.length + 1 : 0;
  const about = text.slice(body).search(ABOUT_ROLE);
  if (about === -1) return undefined;
  const before = text.slice(0, body + about);
  const start = Math.max(
    ...[...before.matchAll(/\n|[.!?][^\S\n]+/g)].map(({ 0: end, index }) => index + end.length),
    body,
  );
  return text.length - start >= MIN_ROLE_CHARACTERS ? text.slice(start) : undefined;
}

function lineOfPay(text: string, pay: Pay): string | undefined {
  const figures = [pay.min, pay.max].filter((value) => value != null).map((
    value,
  ) => [value.toLocaleString("en-CA"), String(value), `${value / 1_000}K`, `${value / 1_000}k`]);
  const line = text.split("\n").find((line) =>
    figures.every((spellings) => spellings.some((spelling) => line.includes(spelling)))
  );
  return line && cutAtWord(line, PAY_CHARACTERS);
}
