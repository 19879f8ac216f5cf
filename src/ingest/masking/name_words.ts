/** Classifies words by whether they can be part of a person's name. name_words.txt lists them. */
import { CITY_NAMES, REGION_NAMES } from "../classify/gazetteer.ts";
import { wordLists } from "../text/word_lists.ts";
import listed from "./name_words.txt" with { type: "text" };

/** Lists of name_words.txt, which explains them. */
type ListName =
  | ("common_surname" | "given_name" | "head" | "noun_given_name" | "other" | "personal_brand")
  | ("place_start" | "pure_surname" | "role" | "surname" | "titled_brand");

/**
 * Words by list. A word with accents is also listed without accents, because capitals are often
 * written without them.
 */
const LISTS = new Map(
  Object.entries(wordLists<ListName>(listed)).map(([name, words]) => [
    name as ListName,
    new Set([...words, ...words.map(withoutAccents)]),
  ]),
);

/** Returns whether a word is in a list, in any case of letters. */
export function isListed(list: ListName, word: string): boolean {
  return LISTS.get(list)!.has(word.toLowerCase());
}

/** Returns whether a word, or the first part of a hyphenated one, is a common given name. */
export function isGivenName(word: string): boolean {
  const plain = withoutAccents(word);
  return isListed("given_name", plain) || isListed("given_name", plain.split("-")[0]!);
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}+/gu, "");
}

/** Returns whether a name begins with the words of a brand: "Herman Miller Aeron". */
export function isBrandName(words: readonly string[]): boolean {
  return isListed("personal_brand", words.slice(0, 2).join("-"));
}

/** Names of cities and regions in lower case. */
const PLACES: ReadonlySet<string> = new Set(
  [CITY_NAMES, REGION_NAMES].flatMap((countries) => Object.values(countries))
    .flatMap((names) => Object.values(names)).flatMap((names) => names.split(/[|=]/))
    .map((name) => name.replace("*", "").replaceAll("-", " ").toLowerCase()),
);

/** Returns whether words name a place: "Los Gatos", "Ann Arbor", "Colombie-Britannique". */
export function isPlaceName(words: readonly string[]): boolean {
  const [first, second] = words;
  if (first === undefined || second === undefined) return false;
  return isListed("place_start", first) || isPlaceWord(words.join(" "));
}

/** Returns whether a word or name is also that of a city or region: "Nelson", "Vernon". */
export function isPlaceWord(name: string): boolean {
  return PLACES.has(name.toLowerCase());
}

/**
 * Returns whether a surname is also a noun or the name of a place. If such a word occurs alone, it
 * may not be a name.
 */
export function isNounSurname(word: string): boolean {
  return isListed("surname", word) && !isListed("pure_surname", word);
}

/**
 * Class of a capitalized word. "head" ends the name of an organization or place. "surname" is a
 * common word that is also a surname. "role" belongs to a form or an office. "other" is part of no
 * person's name. "open" is any other word, which may be part of a person's name.
 */
export type WordMeaning = "head" | "surname" | "other" | "role" | "open";

/** Returns the class of a capitalized word. */
export function meaningOf(word: string): WordMeaning {
  const single = word.toLowerCase().replace(/[’']s$/, "");
  const [isHead, isOther] = [isListed("head", single), isListed("other", single)];
  if (isListed("surname", single) && (isOther || isHead)) return "surname";
  if (isHead) return "head";
  if (isListed("role", single)) return "role";
  return isOther || single.endsWith("day") ? "other" : "open";
}
