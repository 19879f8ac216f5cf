/** Holds the text of a query for patterns. A reader does not see what earlier readers have taken. */

import { decodeHTMLStrict } from "entities";
import { cleanParagraphs } from "../../ingest/text/clean_text.ts";
import { languageOf } from "../words/tokens.ts";
import { writeDates } from "./numeric_dates.ts";

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
  const language = languageOf(plain);
  return writeDates(plain.replaceAll(" & ", language === "fr" ? " et " : " and "), language);
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
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
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
  #rest: string;

  constructor(query: string) {
    this.cased = mapped(query, unaccented);
    this.#rest = mapped(this.cased, (unit) => unit === "\n" ? " " : unit.toLowerCase());
  }

  /** The query in small letters, with blanks in place of what readers have taken. */
  get rest(): string {
    return this.#rest;
  }

  /** Finds the matches of a pattern (with flag g) in what is not taken. */
  find(pattern: RegExp, letters: "small" | "cased" = "small"): Passage[] {
    const passages: Passage[] = [];
    const from = letters === "small" ? this.#rest : this.#casedRest();
    pattern.lastIndex = 0;
    for (let match = pattern.exec(from); match !== null; match = pattern.exec(from)) {
      passages.push({
        start: match.index,
        end: pattern.lastIndex,
        groups: match.slice(1).map((group) => group?.toLowerCase()),
      });
      // An empty match would otherwise be found again and again.
      if (match[0] === "") pattern.lastIndex++;
    }
    return passages;
  }

  /** Takes a span: later readers do not see it. */
  take({ start, end }: Span): void {
    this.#rest = this.#rest.slice(0, start) + " ".repeat(end - start) + this.#rest.slice(end);
  }

  #casedRest(): string {
    let text = "";
    for (let at = 0; at < this.cased.length; at++) {
      text += this.#rest[at] === " " ? " " : this.cased[at];
    }
    return text;
  }
}

/** Maps each code unit of a text. A code unit whose image is longer stays as it is. */
function mapped(text: string, image: (unit: string) => string): string {
  let result = "";
  for (let at = 0; at < text.length; at++) {
    const unit = image(text[at]!);
    result += unit.length === 1 ? unit : text[at];
  }
  return result;
}

function unaccented(unit: string): string {
  if (unit < "\u0080") return unit;
  return unit.normalize("NFKD").replace(/\p{M}+/gu, "");
}
