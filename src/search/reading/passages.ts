/**
 * A query that rules read one after the other. A rule does not see spans that earlier rules have
 * taken.
 */
import { unaccent } from "../engine/words.ts";

/** A span of a text. */
export interface Span {
  start: number;
  end: number;
}

/** Returns whether two spans have characters in common. */
export function overlaps(one: Span, next: Span): boolean {
  return one.start < next.end && next.start < one.end;
}

/** Returns whether a span is within another span. */
export function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** A run of letters and digits, folded. */
export interface Word extends Span {
  text: string;
}

/** Returns the runs of letters and digits of a folded text. */
export function wordsOf(text: string): Word[] {
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

/** A query, with copies of equal length in which spans that rules have read are blank. */
export class Reading {
  /** Query with its capitals, because "US" is not "us". */
  readonly #cased: string;
  #rest: string;
  #kept: string;
  #wanted: string;
  #unnamed: string;

  constructor(query: string) {
    const plain = unaccent(query);
    const small = plain.toLowerCase();
    // The small form of a few capitals is longer. With such a capital, the whole query is in small
    // letters, so that all texts have the same positions.
    this.#cased = small.length === plain.length ? plain : small;
    this.#rest = small;
    this.#kept = this.#wanted = this.#unnamed = this.#cased;
  }

  /** Whole query, with its capitals. */
  get query(): string {
    return this.#cased;
  }

  /** Query in small letters, with blanks in place of taken spans. */
  get rest(): string {
    return this.#rest;
  }

  /** Query with its capitals, and with blanks in place of dropped spans. */
  get kept(): string {
    return this.#kept;
  }

  /** Query with its capitals, and with blanks in place of excluded spans. */
  get wanted(): string {
    return this.#wanted;
  }

  /** Query with its capitals, and with blanks in place of dropped and named spans. */
  get unnamed(): string {
    return blanked(this.#unnamed, this.#kept);
  }

  /**
   * Marks a span that names a kind, country, document or role. Later rules still see it, but its
   * words are not searched for.
   */
  name(span: Span): void {
    this.#unnamed = withBlank(this.#unnamed, span);
  }

  /** Finds the matches of a pattern (with flag g) in the text that is not taken. */
  find(pattern: RegExp, text: "rest" | "cased" = "rest"): Passage[] {
    const passages: Passage[] = [];
    const from = text === "rest" ? this.#rest : blanked(this.#cased, this.#rest);
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

  /** Takes a span: later rules do not see it. Its words are still searched for. */
  take(span: Span): void {
    this.#rest = withBlank(this.#rest, span);
  }

  /** Takes a span whose words are not searched for. */
  drop(span: Span): void {
    this.take(span);
    this.#kept = withBlank(this.#kept, span);
  }

  /**
   * Calls name() for the matches of a pattern, except for the texts of its groups.
   *
   * @returns whether there was a match
   */
  nameAll(pattern: RegExp, text: "rest" | "cased" = "rest"): boolean {
    const passages = this.find(pattern, text);
    for (const passage of passages) {
      let { start } = passage;
      for (const group of passage.groups) {
        if (!group) continue;
        const at = this.#rest.indexOf(group, start);
        if (at < 0 || at + group.length > passage.end) continue;
        this.name({ start, end: at });
        start = at + group.length;
      }
      this.name({ start, end: passage.end });
    }
    return passages.length > 0;
  }

  /** Drops the matches of a pattern. @returns whether there was a match */
  dropAll(pattern: RegExp): boolean {
    const passages = this.find(pattern);
    for (const passage of passages) this.drop(passage);
    return passages.length > 0;
  }

  /** Drops a span of unwanted words. */
  exclude(span: Span): void {
    this.drop(span);
    this.#wanted = withBlank(this.#wanted, span);
  }
}

function withBlank(text: string, { start, end }: Span): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}

/** Returns a text with blanks wherever another text of the same length has blanks. */
function blanked(text: string, rest: string): string {
  let shown = "";
  for (let place = 0; place < text.length; place++) {
    shown += rest[place] === " " ? " " : text[place];
  }
  return shown;
}

/**
 * Returns a pattern that matches any of the phrases as whole words. Semicolons separate phrases. A
 * space matches one or more spaces, hyphens and apostrophes, and " ?" matches any number of them.
 * Phrases have no accents. They may contain regular expressions.
 */
export function anyOf(...phrases: string[]): string {
  const all = phrases.flatMap((list) => list.split("; ")).map((phrase) =>
    phrase.trim().replaceAll(" ?", "[\\s'-]*").replaceAll(" ", "[\\s'-]+")
  );
  return `(?<![\\p{L}\\p{N}])(?:${all.join("|")})(?![\\p{L}\\p{N}])`;
}

/** Returns a pattern for each name of a table of phrases (see anyOf). */
export function patternsOf<Name extends string>(
  table: Readonly<Record<Name, readonly string[]>>,
): [Name, RegExp][] {
  return Object.entries<readonly string[]>(table)
    .map(([name, phrases]) => [name as Name, new RegExp(anyOf(...phrases), "gu")]);
}

/**
 * Returns the names whose pattern occurs in the rest of a query, in the order of the patterns.
 * Marks the matches by Reading.nameAll().
 */
export function readNames<Name extends string>(
  patterns: readonly [Name, RegExp][],
  reading: Reading,
): Name[] {
  return patterns.filter(([, pattern]) => reading.nameAll(pattern)).map(([name]) => name);
}
