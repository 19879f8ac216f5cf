/** A query while rules read it. A rule does not see what earlier rules have taken. */
import { unaccent } from "../engine/words.ts";

/** Position of a match in the query, and its groups as they are written, without accents. */
export interface Passage {
  start: number;
  end: number;
  /** Groups in small letters. */
  groups: (string | undefined)[];
}

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
    // A few letters of other scripts are longer in small: then case tells nothing.
    this.#cased = small.length === plain.length ? plain : small;
    this.#rest = small;
    this.#kept = this.#wanted = this.#unnamed = this.#cased;
  }

  /** Whole query, in its own case. */
  get query(): string {
    return this.#cased;
  }

  /** Remaining text in small letters, with blanks for what was taken. */
  get rest(): string {
    return this.#rest;
  }

  /** Text to search for, in its own case. */
  get kept(): string {
    return this.#kept;
  }

  /** Text without the excluded passages, in its own case. */
  get wanted(): string {
    return this.#wanted;
  }

  /** Text to search for, without the names of kinds, places, sectors and times, in its own case. */
  get unnamed(): string {
    return blanked(this.#unnamed, this.#kept);
  }

  /** Notes a passage that names a kind, place or sector. Its words are searched for all the same. */
  name({ start, end }: Pick<Passage, "start" | "end">): void {
    this.#unnamed = withBlank(this.#unnamed, start, end);
  }

  /** Finds the matches of a pattern (with flag g) in the text that is left. */
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
      // A pattern that matches nothing would match it for ever.
      if (match[0] === "") pattern.lastIndex++;
    }
    return passages;
  }

  /** Keeps other rules from reading a passage, whose words are searched for all the same. */
  take({ start, end }: Pick<Passage, "start" | "end">): void {
    this.#rest = withBlank(this.#rest, start, end);
  }

  /** Takes a passage that is not to be searched for. */
  drop(passage: Pick<Passage, "start" | "end">): void {
    this.take(passage);
    this.#kept = withBlank(this.#kept, passage.start, passage.end);
  }

  /** Takes a passage that tells what is not wanted. */
  exclude(passage: Pick<Passage, "start" | "end">): void {
    this.drop(passage);
    this.#wanted = withBlank(this.#wanted, passage.start, passage.end);
  }
}

function withBlank(text: string, start: number, end: number): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}

/** Returns a text with blanks wherever another text of its length has blanks. */
function blanked(text: string, rest: string): string {
  let shown = "";
  for (let place = 0; place < text.length; place++) {
    shown += rest[place] === " " ? " " : text[place];
  }
  return shown;
}

/**
 * Returns a pattern of any of some phrases as whole words. Semicolons separate phrases. A space
 * stands for what separates words, hyphens and apostrophes included. " ?" stands for that or
 * nothing. Phrases have no accents and may be patterns.
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
  return Object.entries<readonly string[]>(table).map(([name, phrases]) =>
    [name as Name, new RegExp(anyOf(...phrases), "gu")] as const
  ) as [Name, RegExp][];
}
