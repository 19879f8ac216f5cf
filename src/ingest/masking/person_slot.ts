/**
 * Reads a person's name by its position: the slot after a contact label. The slot ends at a comma,
 * the end of the line, an address or a number. The words in it are a person's name, unless one of
 * them excludes that.
 */
import { isGivenName } from "./given_names.ts";
import { isBrandName, isHead, isNounGivenName, isPlaceName, meaningOf } from "./name_words.ts";
import { type NameWord, type PersonName, skipTitles, wordsAt } from "./person_name.ts";

/** Min and max number of words of a name without its initials. */
const FULL_WORDS_MIN = 2;
const FULL_WORDS_MAX = 4;

const PHONE_AFTER = "\\+?\\(?\\d{3}[-). ]";
/** Matches the end of a slot. */
const SLOT_END = new RegExp(
  `^(?:[ \\u00a0]?(?:$|[,;|(\\n@/<[]|[-–—][ \\u00a0]|${PHONE_AFTER})|\\.(?:\\s|$)|` +
    "[ \\u00a0](?:at|by|via|and|or|will|if|au|à|par|et|ou|ext|poste|phone|tel|tél|e-?mail|courriel)(?!\\p{L}))",
  "u",
);

/** Reads a name that fills the slot at an index, with or without a title. */
export function personInSlot(text: string, at: number): PersonName | undefined {
  const { start, titled } = skipTitles(text, at);
  const words = wordsAt(text, start, { hasCapitalParticles: true });
  const roleAt = words.findIndex(({ meaning }) => meaning === "role");
  const name = roleAt === -1 ? words : words.slice(0, roleAt);
  const last = name.at(-1);
  if (last === undefined) return undefined;
  if (name.length === 1) return surnameFirst(text, start, last);
  const isEnded = roleAt > -1 || SLOT_END.test(text.slice(last.end, last.end + 12));
  return isEnded && isPerson(name) ? { start, end: last.end, isSure: titled } : undefined;
}

/**
 * Returns whether the words can only be a person's name. The first word must not be a noun, unless
 * it is also a given name. The last word may be "Hall" or "Park" only after a given name, because
 * names of places end with such words.
 */
function isPerson(words: readonly NameWord[]): boolean {
  const full = words.filter(({ isInitial }) => !isInitial);
  if (full.length < FULL_WORDS_MIN || full.length > FULL_WORDS_MAX) return false;
  const name = full.map(({ text }) => text);
  if (isPlaceName(name) || isBrandName(name)) return false;
  const [first] = full;
  const last = full.at(-1)!;
  if (words.at(-1) !== last || isAcronym(first!.text) || isAcronym(last.text)) return false;
  const isGiven = isGivenName(first!.text) || isNounGivenName(first!.text);
  const isFirst = isGiven || first!.meaning === "open" || isShortSurname(first!.text);
  return isFirst &&
    full.slice(1).every(({ text, meaning }) =>
      meaning === "open" || isShortSurname(text) || isGivenName(text) ||
      (meaning === "surname" && (isGiven || !isHead(text)))
    );
}

/** Reads a name with the surname first: "PARK, SUMMER". The second word must be a given name. */
function surnameFirst(text: string, start: number, surname: NameWord): PersonName | undefined {
  if (surname.isInitial || !["open", "surname"].includes(surname.meaning)) return undefined;
  const comma = /^,[ \u00a0]{1,2}/u.exec(text.slice(surname.end, surname.end + 3));
  if (comma === null) return undefined;
  const [given, ...others] = wordsAt(text, surname.end + comma[0].length);
  if (given === undefined || others.some(({ isInitial }) => !isInitial)) return undefined;
  const { end } = others.at(-1) ?? given;
  const isGiven = isGivenName(given.text) || isNounGivenName(given.text);
  return isGiven && SLOT_END.test(text.slice(end, end + 12))
    ? { start, end, isSure: false }
    : undefined;
}

/** Returns whether a word is one of the short surnames, such as "Le", "Van" and "Ma". */
function isShortSurname(word: string): boolean {
  return word.length <= 3 && /[aeiouy]/i.test(word) && meaningOf(word) === "surname";
}

/** Returns whether a word is an acronym without vowels, such as "PSPC". */
function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase() && !/[AEIOUYÀ-Ý]/.test(word);
}
