/** Builds patterns for the forms of a person's name. */
import { MASK } from "./contacts.ts";
import { patternOfSurname } from "./lone_surname.ts";
import { accented } from "../text/accent_patterns.ts";
import { memoized } from "../../memoized.ts";

/** A person whom a record names. */
export interface Person {
  given: string;
  /**
   * Family names: first all words together, then, if there are several, each capitalized word of at
   * least 3 characters. Empty if only one name is known.
   */
  families: string[];
}

/** Splits a written name: "Jane Q. Doe", "Doe, Jane", "Zoé de la Cruz". */
export function personOfName(written: string): Person | undefined {
  const [before, after] = written.split(/,\s*/);
  const words = (after === undefined ? written : `${after} ${before}`).split(/\s+/)
    .filter((word) => !/^(?:\p{Lu}\.?)+$/u.test(word) || /\p{Lu}{2}/u.test(word));
  const [given, ...family] = words;
  if (given === undefined) return undefined;
  const full = family.filter((word) => /^\p{Lu}.{2}/u.test(word));
  const families = family.length === 0
    ? []
    : [family.join(" "), ...(family.length > 1 ? full : [])];
  return { given, families };
}

/**
 * Returns patterns for the full names of persons, for surnames with a title or initial, and for
 * surnames alone. A surname alone is included only if the texts do not use the word with another
 * meaning.
 */
export function patternsOf(persons: readonly Person[], texts: readonly string[]): RegExp[] {
  const full = persons.flatMap(({ given, families }) =>
    families.length === 0 ? [patternOfTitled(given)] : families.flatMap((
      family,
    ) => patternsOfName(`${given}\n${family}`))
  );
  if (full.length === 0) return full;
  const rest = texts.map((text) => full.reduce((kept, name) => kept.replace(name, MASK), text))
    .join("\n");
  const surnames = new Set(persons.flatMap(({ families }) => families));
  return [...full, ...[...surnames].flatMap((family) => patternOfSurname(family, rest) ?? [])];
}

/**
 * Returns the patterns for a given name and a family name, with a line break between them. They are
 * kept, because a pattern is compiled again for each new object, and rows often name one person.
 */
const patternsOfName = memoized((name) => {
  const [given = "", family = ""] = name.split("\n");
  return [patternOfPerson(given, family), patternOfTitled(family, given)];
}, 1_000);

/** Returns a pattern for "Jane Doe", "Jane A. Doe", "JANE DOE" and "Doe, Jane". */
function patternOfPerson(given: string, family: string): RegExp {
  const [first, last] = [given, family].map(accented);
  const gap = "(?:[\\s\\u00a0]|&nbsp;){1,3}";
  return new RegExp(
    `(?<!\\p{L})(?:(?=\\p{Lu})(?i:${first})${gap}(?:\\p{Lu}\\.?${gap})?(?=[\\p{Lu}dv])(?i:${last})|` +
      `(?=\\p{Lu})(?i:${last}),?${gap}(?=\\p{Lu})(?i:${first}))(?!\\p{Ll})`,
    "gu",
  );
}

const TITLES = "Mrs?|MRS?|M[Ss]|Mme|MME|Mlle|MLLE|DR|Dre?|Prof|PROF|Monsieur|Madame|M|Capt|CAPT|" +
  "Sgt|SGT|Lt|LT|Maj|MAJ";

/**
 * Returns a pattern for "Ms. Doe" and "J. Doe" if the person is Jane Doe. With a different initial,
 * the name is that of another person or a place: "R.C. Harris Plant".
 */
function patternOfTitled(family: string, given?: string): RegExp {
  const initial = given === undefined ? "\\p{Lu}" : `(?=\\p{Lu})(?i:${accented(given[0]!)})`;
  return new RegExp(
    `(?<![\\p{L}.])(?:(?:${TITLES})\\.?\\s|${initial}\\.(?:[- ]?\\p{Lu}\\.)?\\s?)` +
      `(?=[\\p{Lu}dv])(?i:${accented(family)})(?!\\p{Ll})`,
    "gu",
  );
}
