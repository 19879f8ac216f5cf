/** Holds the text of a query for patterns. A reader does not see what earlier readers have taken. */

import { decodeHTMLStrict } from "entities";
import { cleanParagraphs } from "../../ingest/text/clean_text.ts";
import type { Language } from "../words/stems.ts";
import { languageOf, wordsOf } from "../words/tokens.ts";
import { NAMES_OF_MONTHS, utc } from "./calendar.ts";

/** Marks of Markdown around a word: "**roofing**". */
const EMPHASIS =
  /(?<![\p{L}\p{N}])[*_`]+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[*_`]+(?![\p{L}\p{N}])/gu;

/**
 * Returns a query as plain text in NFC, for the readers: without hidden characters, entities of HTML
 * and emphasis of Markdown, with simple signs and spaces, and with a word for "&".
 */
export function plainQuery(query: string): string {
  const plain = cleanParagraphs(decodeHTMLStrict(query))
    .replace(/[\ufb00-\ufb06\uff01-\uff5e]/g, (sign) => sign.normalize("NFKC"))
    .replace(/[’‘ʼ′´]|(?<=\p{L})`(?=\p{L})/gu, "'")
    .replace(/(?<=[\p{L}\p{N}])[‐‑‒–−](?=[\p{L}\p{N}])/gu, "-")
    .replace(EMPHASIS, "")
    // An object in JSON.
    .replace(/^\{.*\}$/s, (object) => object.replace(/[{}"]/g, ""))
    // Signs between keywords and before them. Both of "museums AND theatres" are asked for.
    .replace(/ \|(?= )|(?<!\S)(?:[•·▪◦●] ?|\+(?=[\p{L}\p{N}]))/gu, "")
    .replace(/(?<=\p{Ll}.*) AND | AND (?=NOT |.*\p{Ll})|(?<=[<>]=?)(?=\d)/gu, " ");
  const language = languageOf(wordsOf(plain));
  return writeDates(plain.replaceAll(" & ", language === "fr" ? " et " : " and "), language);
}

const YEAR = "(?<year>(?:19[89]|20\\d)\\d)";
const TIME = "(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?";
/**
 * Pattern of a date or month of numbers: 2012-12-31, 2012/12, 12/31/2012, 31.12.2012, 12/2012,
 * 12/31/12. A quotation means itself, and "RFP-2012-12" is a number.
 */
const NUMERIC = new RegExp(
  '(?<!["“«$#\\p{L}\\p{N}/]|\\p{L}-|\\p{N}\\.)(?:' +
    `${YEAR}(?:(?<sign>[-/.])(?<month>\\d\\d?)\\k<sign>(?<day>\\d\\d?)${TIME}|[-/](?<month>\\d\\d?)(?!-\\d))|` +
    `(?<first>\\d\\d?)(?<sign>[-/.])(?<second>\\d\\d?)\\k<sign>${YEAR}|(?<month>\\d\\d?)/${YEAR}|` +
    "(?<first>\\d\\d)/(?<second>\\d\\d)/(?<short>[0-2]\\d))(?![\\p{L}\\p{N}]|[./]\\p{N})",
  "giu",
);

/**
 * Returns a text with its numeric dates written out. A part above 12 is the day, and tells the order
 * in all dates. Otherwise the month is first in English, and the day in French.
 */
function writeDates(text: string, language: Language): string {
  const dates = [...text.matchAll(NUMERIC)].map(({ groups }) => groups!);
  const isDayFirst = dates.some(({ first }) => Number(first) > 12) ||
    language === "fr" && !dates.some(({ second }) => Number(second) > 12);
  return text.replace(NUMERIC, (date, ...groups) => {
    const { year, short, month, day, first, second } = groups.at(-1);
    const [monthWritten, dayWritten] = isDayFirst ? [second, first] : [first, second];
    const [place, days] = [Number(month ?? monthWritten) - 1, day ?? dayWritten];
    const years = year ?? `20${short}`;
    const isDate = utc(Number(years), place, Number(days ?? 1)).getUTCMonth() === place;
    const name = NAMES_OF_MONTHS[place]?.[Number(language === "fr")];
    return isDate ? `${days === undefined ? "" : `${Number(days)} `}${name} ${years}` : date;
  });
}

/** A span of a text, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

/** Tells whether two spans have characters in common. */
export function overlaps(one: Span, next: Span): boolean {
  return one.start < next.end && next.start < one.end;
}

/** A run of letters and digits. */
export interface Run extends Span {
  text: string;
}

/** Returns the runs of letters and digits of a folded text. */
export function runsOf(text: string): Run[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ index: start, 0: text }) => {
    return { start, end: start + text.length, text };
  });
}

/** A match of a pattern in a query. */
export interface Passage extends Span {
  /** Texts of the groups of the pattern, in small letters and without accents. */
  groups: (string | undefined)[];
}

/** A query without accents. All of its texts have the positions of the query itself. */
export class QueryText {
  /** The query with its capitals, because "US" is not "us". */
  readonly cased: string;
  /** True if the query has small and capital letters, so that capitals tell something. */
  readonly hasCase: boolean;
  /** The query in small letters, with blanks in place of what readers have taken. */
  rest: string;

  constructor(query: string) {
    this.cased = mapped(
      query,
      (unit) => unit < "\u0080" ? unit : unit.normalize("NFKD").replace(/\p{M}+/gu, ""),
    );
    this.hasCase = /\p{Ll}/u.test(this.cased) && /\p{Lu}/u.test(this.cased);
    this.rest = mapped(this.cased, (unit) => unit === "\n" ? " " : unit.toLowerCase());
  }

  /** Finds the matches of a pattern (with flag g) in what is not taken. */
  find(pattern: RegExp, letters: "small" | "cased" = "small"): Passage[] {
    const from = letters === "small"
      ? this.rest
      : this.rest.replace(/[^ ]/g, (_, at) => this.cased[at]!);
    return Array.from(from.matchAll(pattern), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      groups: match.slice(1).map((group) => group?.toLowerCase()),
    }));
  }

  /** Takes a span: later readers do not see it. */
  take({ start, end }: Span): void {
    this.rest = this.rest.slice(0, start) + " ".repeat(end - start) + this.rest.slice(end);
  }
}

/** Maps each code unit of a text. A code unit whose image is longer stays as it is. */
function mapped(text: string, image: (unit: string) => string): string {
  return text.replace(/[^]/g, (unit) => {
    const mapped = image(unit);
    return mapped.length === 1 ? mapped : unit;
  });
}
