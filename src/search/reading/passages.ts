/**
 * A query that rules read one after the other. A rule does not see what earlier rules have taken.
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

/** Returns whether a span lies within another one. */
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
  /** Groups of the pattern in small letters, without accents. */
  groups: (string | undefined)[];
}

/** A query, and what the rules have left of it. All texts have the same positions. */
export class Reading {
  /** Query in its own case, because US is not us. */
  readonly #cased: string;
  #rest: string;
  #kept: string;
  #wanted: string;
  #unnamed: string;

  constructor(query: string) {
    const plain = unaccent(query);
    const small = plain.toLowerCase();
    // A few letters are longer in small letters. Then the case is ignored, to keep the positions.
    this.#cased = small.length === plain.length ? plain : small;
    this.#rest = small;
    this.#kept = this.#wanted = this.#unnamed = this.#cased;
  }

  /** Whole query, in its own case. */
  get query(): string {
    return this.#cased;
  }

  /** Query with blanks for what was taken, in small letters. */
  get rest(): string {
    return this.#rest;
  }

  /** Query with blanks for what was dropped, in its own case. */
  get kept(): string {
    return this.#kept;
  }

  /** Query with blanks for what was excluded, in its own case. */
  get wanted(): string {
    return this.#wanted;
  }

  /** Query with blanks for what was dropped or named, in its own case. */
  get unnamed(): string {
    return blanked(this.#unnamed, this.#kept);
  }

  /** Notes a span that names a kind, place or sector. Later rules still read it. */
  name(span: Span): void {
    this.#unnamed = withBlank(this.#unnamed, span);
  }

  /** Finds the matches of a pattern (with flag g) in what was not taken. */
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

  /** Keeps later rules from reading a span. Its words are still searched for. */
  take(span: Span): void {
    this.#rest = withBlank(this.#rest, span);
  }

  /** Takes a span that is not to be searched for. */
  drop(span: Span): void {
    this.take(span);
    this.#kept = withBlank(this.#kept, span);
  }

  /**
   * Names what a pattern matches, except for what its groups capture.
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

  /** Drops what a pattern matches. @returns whether there was a match */
  dropAll(pattern: RegExp): boolean {
    const passages = this.find(pattern);
    for (const passage of passages) this.drop(passage);
    return passages.length > 0;
  }

  /** Takes a span that tells what the query does not want. */
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
 * space stands for spaces, hyphens and apostrophes, and " ?" for any of these or nothing. Phrases
 * have no accents and may be patterns.
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

/** Returns the names whose pattern occurs in the unread rest, in the order of the patterns. */
export function readNames<Name extends string>(
  patterns: readonly [Name, RegExp][],
  reading: Reading,
): Name[] {
  return patterns.filter(([, pattern]) => reading.nameAll(pattern)).map(([name]) => name);
}
