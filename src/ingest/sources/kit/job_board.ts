/** Common functions of the sources of job boards. A board lists the openings of one employer. */
import { z } from "zod";
import { normalizeInstant } from "../../../contract/instant.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import type { LeftOut, ReadContext, SourceEntry } from "../../record/entry.ts";
import { faultOfBounds } from "../../record/field_bounds.ts";
import { parseJson, readElements } from "../../formats/json_elements.ts";
import { readXmlRows } from "../../formats/xml_rows.ts";
import { shownValue } from "../../masking/mask_text.ts";
import { type Judged, normalizeRecord } from "../../record/normalize.ts";
import {
  distinctPlaces,
  type Elsewhere,
  type PlaceReading,
  readPlaces,
} from "../../classify/places.ts";
import type { Remote } from "./source.ts";
import { type Posting, prefixOfBoard, recordOfPosting } from "./job_record.ts";

/** Schema of a required text of a posting. */
export const neededText = z.string().trim().min(1, { error: "is empty" });
/** Schema of a required time of a posting. */
export const neededInstant = z.string().refine((text) => normalizeInstant(text) !== undefined, {
  error: "is not a date and time with an offset",
});
/** Schema of an address of a posting. */
export const webAddress = z.url({ protocol: /^https?$/, error: "is not a web address" });

/** A posting, or the reason why it is rejected or left out. */
export type PostingOutcome = { posting: Posting } | LeftOut | { reason: string };

/**
 * Returns the description of a source's requests for boards. One answer contains all open postings
 * of a board.
 */
export function remoteOfBoards({ address, target, urlOf, accept = "application/json" }: {
  address: string;
  target: Remote["target"];
  /** @param board the board's name, escaped for a URL */
  urlOf(address: string, board: string): string;
  /** The requested media type. */
  accept?: string;
}): Remote {
  return {
    address,
    target,
    interval_seconds: 21_600,
    pause_milliseconds: 1_000,
    bytes_max: 64 * 1_048_576,
    request: (address, { target }) => ({
      url: urlOf(address, encodeURIComponent(target!)),
      accept,
      target,
    }),
    // A posting that is no longer in the answer is closed.
    listed: (target) => ({ external_id_prefix: prefixOfBoard(target!) }),
  };
}

/**
 * Returns the address of a board. The default address of some sources contains `{board}`. Below an
 * address without it, such as that of a mirror, each board has a folder.
 */
export function addressOfBoard(address: string, board: string): string {
  return address.includes("{board}") ? address.replace("{board}", board) : `${address}/${board}`;
}

/**
 * Reads a board's answer into entries. A posting gives one entry for each country in which it is
 * open, or one entry if it is left out or rejected.
 */
export async function* readPostings(
  stream: AsyncIterable<Uint8Array>,
  { member, element, context, postingOf }: {
    /** JSON: the member with the postings. Absent: the document is the list. */
    member?: string;
    /** XML: the name of the elements that are postings. */
    element?: string;
    context: ReadContext;
    postingOf(element: unknown): PostingOutcome;
  },
): AsyncGenerator<SourceEntry> {
  const parsed = element === undefined
    ? readJsonPostings(stream, member)
    : readXmlPostings(stream, element);
  let position = 0;
  for await (const { line, parsed: posting } of parsed) {
    const element = ++position;
    const outcome = "reason" in posting
      ? { reason: `the element ${posting.reason}` }
      : postingOf(posting.value);
    const value = "value" in posting ? posting.value : undefined;
    for (const judged of judgedOf(outcome, context)) {
      yield {
        line,
        get raw() {
          return shownValue(shownOf(element, value));
        },
        judged,
        ...("reason" in posting && "reason" in judged && { doubt: judged.reason }),
      };
    }
  }
}

/** An element as a value, or the reason why it is none. */
interface ParsedPosting {
  line: number;
  parsed: { value: unknown } | { reason: string };
}

async function* readJsonPostings(
  stream: AsyncIterable<Uint8Array>,
  member: string | undefined,
): AsyncGenerator<ParsedPosting> {
  for await (const { number: line, text, fault } of readElements(stream, { member })) {
    yield { line, parsed: fault === undefined ? parseJson(text) : { reason: fault } };
  }
}

/** Reads elements of XML. The number of an element stands for that of its line. */
async function* readXmlPostings(
  stream: AsyncIterable<Uint8Array>,
  element: string,
): AsyncGenerator<ParsedPosting> {
  for await (const { number, value, fault } of readXmlRows(stream, element)) {
    yield { line: number, parsed: fault === undefined ? { value } : { reason: fault } };
  }
}

/**
 * Returns the position and the short members of an element. The number of its line is not enough to
 * find it, because the whole answer can be one line.
 */
function shownOf(element: number, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { element };
  const members = ["id", "title", "text", "absolute_url", "hostedUrl", "jobUrl"]
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => [name, (value as Record<string, unknown>)[name]] as const)
    .filter(([, member]) => typeof member === "string" || typeof member === "number");
  return { element, ...Object.fromEntries(members) };
}

function judgedOf(outcome: PostingOutcome, context: ReadContext): (Judged | LeftOut)[] {
  if (!("posting" in outcome)) return [outcome];
  const { posting } = outcome;
  const countries = [...new Set(posting.reading.places.map(({ country }) => country))];
  if (countries.length === 0) return [{ left_out: whyNowhere(posting.reading) }];
  const board = context.target ?? posting.board ?? posting.site;
  if (board === undefined) return [{ reason: "the posting's address names no board" }];
  return countries.map((country) =>
    normalizeRecord(recordOfPosting(posting, { context, board, country, countries }))
  );
}

/** Returns the country of a posting, if Canada or the United States is the only one. */
export function onlyCountryOf({ places }: PlaceReading): Country | undefined {
  const [country, second] = new Set(places.map((place) => place.country));
  return second === undefined ? country : undefined;
}

/**
 * Reads a place with a separate field for the country. If the text names that country too, returns
 * the reading of the text, which may name further countries. Otherwise the field decides.
 */
export function readingInCountry(
  text: string,
  country: Country | Elsewhere | undefined,
): PlaceReading {
  const reading = readPlaces(text);
  if (country === undefined) return reading;
  const isAgreed = country === "elsewhere"
    ? reading.elsewhere && reading.places.length > 0
    : reading.places.some((place) => place.country === country);
  if (isAgreed) return reading;
  return country === "elsewhere"
    ? { places: [], elsewhere: true, unclear: false, doubtful: false }
    : { places: [{ country }], elsewhere: false, unclear: false, doubtful: false };
}

/** Joins the readings of a posting's places. */
export function joinReadings(readings: readonly PlaceReading[]): PlaceReading {
  return {
    places: distinctPlaces(readings.flatMap(({ places }) => places)),
    elsewhere: readings.some(({ elsewhere }) => elsewhere),
    unclear: readings.some(({ unclear }) => unclear),
    doubtful: readings.some(({ doubtful }) => doubtful),
  };
}

function whyNowhere({ elsewhere, unclear }: PlaceReading): string {
  if (unclear) return "a place whose country is not clear";
  return elsewhere
    ? "a place outside Canada and the United States"
    : "no place that names a country";
}

/** Names of the members with long texts, for all boards. */
const DESCRIPTIONS = [
  ...["content", "value"],
  ...["description", "descriptionHtml", "descriptionPlain"],
  ...["additional", "additionalPlain", "salaryDescriptionPlain", "requirements"],
];

/** Parses an element, or returns its first faults with the names of the fields. */
export function shapeOf<Shape>(
  schema: z.ZodType<Shape>,
  element: unknown,
): { shape: Shape } | { reason: string } {
  const parsed = schema.safeParse(element);
  if (parsed.success) {
    const reason = faultOfBounds(parsed.data, { descriptions: DESCRIPTIONS });
    return reason === undefined ? { shape: parsed.data } : { reason };
  }
  const faults = parsed.error.issues.slice(0, 3).map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`
  );
  return { reason: faults.join("; ") };
}

/**
 * Returns the board that a URL names: the first segment of its path, if the host is that of the
 * boards.
 */
export function boardOfUrl(url: string, host: RegExp): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !host.test(parsed.hostname)) return undefined;
  const segment = parsed.pathname.split("/")[1] ?? "";
  // The address of a form inside the employer's own page: /embed/job_app?for=acme&token=7
  if (segment === "embed") return parsed.searchParams.get("for") || undefined;
  try {
    return decodeURIComponent(segment) || undefined;
  } catch {
    return undefined;
  }
}
