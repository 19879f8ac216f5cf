/** Reads a person's name at an index of a text. */
import type { Span } from "./contacts.ts";
import {
  isBrandName,
  isGivenName,
  isListed,
  isPlaceName,
  meaningOf,
  type WordMeaning,
} from "./name_words.ts";

/** A name in a text, without the titles before it. */
export interface PersonName extends Span {
  /**
   * True if a title, a common given name or the position confirms that it is the name of a person.
   * Otherwise callers look for further signs.
   */
  isSure: boolean;
}

/**
 * Source of a pattern for "Clark", "McKay" and "O’Neil-Roy". In "ClarkEmail" it matches "Clark".
 */
const CAPITALIZED = "(?:[dl]['’]|al-|el-)?\\p{Lu}(?:\\p{Ll}|\\p{M}|['’-]\\p{L}|" +
  "(?<=(?<!\\p{L})(?:Ma?c|L[ea]|D[eiu]|Van|Fitz|St))\\p{Lu}){1,40}";
const UPPER = "(?:Ma?c|[OD]['’])?\\p{Lu}{2,40}(?:['’-]\\p{Lu}{1,40}){0,3}(?![\\p{Ll}\\p{N}])";
const INITIAL = "\\p{Lu}(?:\\.-?\\p{Lu}){0,2}\\.?(?![\\p{L}\\p{N}'’])";
const TOKEN = new RegExp(`(${UPPER}|${CAPITALIZED})(?!\\p{N})|(${INITIAL})`, "uy");
const PARTICLE =
  "(?:de|du|des|da|das|dos|del|della|di|van|von|der|den|la|le|los|bin|binti|ben|ibn|ter)";
const PARTICLES = new RegExp(`(?:${PARTICLE}[ \\u00a0]){1,2}`, "uy");
/** Matches capitalized particles before a capitalized word: "De La Cruz". */
const CAPITAL_PARTICLES = new RegExp(`(?:${PARTICLE}[ \\u00a0]){1,2}(?=\\p{Lu})`, "uiy");
const GAP = /[ \u00a0]{1,2}/uy;

/** Source of a pattern for civil titles of persons. */
const CIVIL =
  "Mrs?|Ms|MS|MRS?|Mx|Miss|Mmes?|Mlles?|Madame|Monsieur|Mademoiselle|MME|Messrs|M|Drs?|" +
  "DR|Drs|MM|Mesdames|Mesdemoiselles|Messieurs|Dre|Me|Prof|Professor|Professeure?|Sir|Hon|Eng|Ing";
/** Source of a pattern for ranks of the armed forces and the police. */
const RANKS =
  "Capt(?:ain|aine)?|CAPT|CPT|L(?:ieu)?t(?:enant)?|1LT|2LT|1Lt|2Lt|LCol|LTC|LtCol|Col(?:onel)?|COL|" +
  "Maj(?:or)?|MAJ|S[Ss]?g?t|SGT|SSG|SFC|MSG|[MT]Sgt|SMSgt|CMSgt|SrA|A1C|Sergeant|Sergent|M?Cpl|CPL|" +
  "Corporal|[MC]?WO|PO[12]|[CS]?CPO|L?Cdr|LCDR|CDR|Cmdr|Commander|Ens|Gen|BGen|MGen|Adj|Chief|Inspector|" +
  "Constable|Cst|Det|Supt|CW[2-5]|GS-\\d\\d?";
const TITLE = new RegExp(`(?:${CIVIL}|${RANKS})(?:\\.[ \\u00a0]{0,2}|[ \\u00a0]{1,2})`, "uy");

/** Sources of patterns for the titles after which a name is that of a person. */
export const MARKING_TITLES = {
  /** Titles of several persons. "25 MM." are millimetres. */
  plural: "Mmes|Mlles|Mesdames|Mesdemoiselles|Messieurs|Messrs|Drs|(?<!\\d[ \\u00a0]?)MM(?=\\.)",
  civil: "M[rs]s?|Mx|Mme|Mlle|Madame|Monsieur|Mademoiselle|MME|MRS?|Prof",
  ranks: "Capt|CPT|LCol|LTC|LtCol|S[Ss]gt|Sgt|SGT|SSG|SFC|[MT]Sgt|M?Cpl|LCdr|Cmdr|1LT|2LT|Miss",
} as const;

/**
 * Max number of capitalized words that are read at an index. A longer run of such words is a
 * heading.
 */
const WORDS_MAX = 5;

/** A word of a possible name. */
interface NameWord {
  text: string;
  end: number;
  isInitial: boolean;
  meaning: WordMeaning;
}

/**
 * Reads a name at an index, with or without a title. `isPerson` is true if only a person or an
 * office is expected there.
 */
export function nameAt(
  text: string,
  at: number,
  { isPerson = false } = {},
): PersonName | undefined {
  const { start, titled } = skipTitles(text, at);
  const words = wordsAt(text, start);
  const [first] = words;
  if (first === undefined || (titled && isListed("titled_brand", first.text))) return undefined;
  const isSure = isPerson || titled || (!first.isInitial && isGivenName(first.text));
  const kept = personWords(words, { isSure, titled });
  if (kept === undefined) return undefined;
  const name = kept.map(({ text }) => text);
  if (!titled && (isPlaceName(name) || isBrandName(name))) return undefined;
  const end = kept.at(-1)!.end;
  if (ORGANIZATION_AFTER.test(text.slice(end, end + 12))) return undefined;
  const full = kept.filter(({ isInitial }) => !isInitial).length;
  if (full === 1 && kept.length === 1) {
    return surnameFirst(text, start, kept[0]!) ??
      (isSure && (titled || END_OF_PHRASE.test(text.slice(end, end + 4)))
        ? { start, end, isSure }
        : undefined);
  }
  if (full === 0 || (kept.at(-1)!.isInitial && !isSure)) return undefined;
  return hasAcronym(kept) && !isSure ? undefined : { start, end, isSure };
}

const ORGANIZATION_AFTER =
  /^,? (?:Inc|Ltd|Ltée|LLC|LLP|Corp|GmbH|& (?:Sons|Co|Fils|Associates))\b/u;
/** Matches the end of a phrase. A given name alone before it can be the whole name. */
const END_OF_PHRASE = /^(?:$|[,;)\n@]|[.](?:\s|$)| (?:at|au|à|[-–(@]))/u;

/** Returns the index of a name after its titles, and whether it has titles. */
function skipTitles(text: string, at: number): { start: number; titled: boolean } {
  let start = at;
  for (let count = 0; count < 3; count++) {
    TITLE.lastIndex = start;
    if (!TITLE.test(text)) break;
    start = TITLE.lastIndex;
  }
  return { start, titled: start > at };
}

/**
 * Reads the capitalized words at an index. Particles such as "de la" belong to the next word.
 * After the first word, capitalized particles ("De La") do so too if that word is a given name or
 * `hasCapitalParticles` is true.
 */
export function wordsAt(
  text: string,
  start: number,
  { hasCapitalParticles = false } = {},
): NameWord[] {
  const words: NameWord[] = [];
  let at = start;
  while (words.length < WORDS_MAX) {
    const isGiven = hasCapitalParticles || (words.length > 0 && isGivenName(words[0]!.text));
    const particles = isGiven && words.length > 0 ? CAPITAL_PARTICLES : PARTICLES;
    particles.lastIndex = at;
    const hasParticle = particles.test(text);
    if (hasParticle) at = particles.lastIndex;
    TOKEN.lastIndex = at;
    const [, word, initial] = TOKEN.exec(text) ?? [];
    if (word === undefined && initial === undefined) break;
    const isInitial = word === undefined;
    const written = (word ?? initial)!;
    // After a particle, any word is part of the name: "Zoé de la Tour".
    const isOpen = isInitial || (hasParticle && words.length > 0);
    const meaning = isOpen ? "open" : meaningOf(written);
    words.push({ text: written, end: TOKEN.lastIndex, isInitial, meaning });
    GAP.lastIndex = TOKEN.lastIndex;
    // An initial needs no space after it: "J.Public".
    if (GAP.test(text)) at = GAP.lastIndex;
    else if (isInitial && written.endsWith(".")) at = TOKEN.lastIndex;
    else break;
  }
  return words;
}

/** Returns the words of the person's name, or undefined if the words name something else. */
function personWords(
  words: readonly NameWord[],
  { isSure, titled }: { isSure: boolean; titled: boolean },
): NameWord[] | undefined {
  const kept: NameWord[] = [];
  for (const word of words) {
    const isFirst = kept.length === 0;
    const { meaning } = word;
    if (meaning === "role" && !isFirst) break;
    const isNamePart = meaning === "open" ||
      (isSure && (meaning === "surname" || (isFirst && isGivenName(word.text)))) ||
      (meaning === "surname" && !isFirst && kept.every(({ isInitial }) => isInitial));
    if (!isNamePart) {
      const ends = isSure && kept.length > (titled ? 0 : 1) && meaning !== "head";
      if (!ends) return undefined;
      break;
    }
    kept.push(word);
  }
  const full = kept.filter(({ isInitial }) => !isInitial);
  return kept.length === 0 || kept.length > 4 || full.every(({ meaning }) => meaning === "other")
    ? undefined
    : kept;
}

/** Reads a name with the surname first: "Doe, Jane", "DOE-POE, Jane Q.". */
function surnameFirst(text: string, start: number, surname: NameWord): PersonName | undefined {
  const comma = /^,[ \u00a0]{0,2}/u.exec(text.slice(surname.end, surname.end + 4));
  if (comma === null) return undefined;
  const words = wordsAt(text, surname.end + comma[0].length);
  const lead = words.slice(0, words.findIndex(({ meaning }) => meaning === "role") >>> 0);
  const [first] = lead;
  if (first === undefined) return undefined;
  const isSure = !first.isInitial && isGivenName(first.text);
  // "Doe, Jane Roe" may be two persons, so only initials and given names continue the name.
  const others = lead.slice(1);
  if (!isSure && (first.meaning !== "open" || others.length > 1)) return undefined;
  if (others.some(({ isInitial, text }) => !isInitial && !isGivenName(text)) && !isSure) {
    return undefined;
  }
  const last = others.findLast(({ isInitial, text }) => isInitial || isGivenName(text)) ?? first;
  return { start, end: last.end, isSure };
}

/**
 * Returns whether one of the words is an acronym: true for "PSPC Ottawa", false for "Marie ROY".
 */
function hasAcronym(words: readonly NameWord[]): boolean {
  const full = words.filter(({ isInitial }) => !isInitial);
  const upper = full.filter(({ text }) => text === text.toUpperCase());
  return upper.length > 0 && upper.length < full.length &&
    !full.some(({ text }) => isGivenName(text)) &&
    upper.some(({ text }) => text.length < 4 || !/[AEIOUY]/.test(text));
}

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

/**
 * Reads a name that fills the slot at an index, with or without a title. A slot follows a contact
 * label and ends at a comma, the end of the line, an address or a number. The words in it are a
 * person's name, unless one of them excludes that.
 */
export function personInSlot(text: string, at: number): PersonName | undefined {
  const { start, titled } = skipTitles(text, at);
  const words = wordsAt(text, start, { hasCapitalParticles: true });
  const roleAt = words.findIndex(({ meaning }) => meaning === "role");
  const name = roleAt === -1 ? words : words.slice(0, roleAt);
  const last = name.at(-1);
  if (last === undefined) return undefined;
  if (name.length === 1) return surnameInSlot(text, start, last);
  const isEnded = roleAt > -1 || SLOT_END.test(text.slice(last.end, last.end + 12));
  return isEnded && isPersonInSlot(name) ? { start, end: last.end, isSure: titled } : undefined;
}

/**
 * Returns whether the words can only be a person's name. The first word must not be a noun, unless
 * it is also a given name. The last word may be "Hall" or "Park" only after a given name, because
 * names of places end with such words.
 */
function isPersonInSlot(words: readonly NameWord[]): boolean {
  const full = words.filter(({ isInitial }) => !isInitial);
  if (full.length < FULL_WORDS_MIN || full.length > FULL_WORDS_MAX) return false;
  const name = full.map(({ text }) => text);
  if (isPlaceName(name) || isBrandName(name)) return false;
  const [first] = full;
  const last = full.at(-1)!;
  if (words.at(-1) !== last || isAcronym(first!.text) || isAcronym(last.text)) return false;
  const isGiven = isGivenName(first!.text) || isListed("noun_given_name", first!.text);
  const isFirst = isGiven || first!.meaning === "open" || isShortSurname(first!.text);
  return isFirst &&
    full.slice(1).every(({ text, meaning }) =>
      meaning === "open" || isShortSurname(text) || isGivenName(text) ||
      (meaning === "surname" && (isGiven || !isListed("head", text)))
    );
}

/** Reads a name with the surname first: "PARK, SUMMER". The second word must be a given name. */
function surnameInSlot(text: string, start: number, surname: NameWord): PersonName | undefined {
  if (surname.isInitial || !["open", "surname"].includes(surname.meaning)) return undefined;
  const comma = /^,[ \u00a0]{1,2}/u.exec(text.slice(surname.end, surname.end + 3));
  if (comma === null) return undefined;
  const [given, ...others] = wordsAt(text, surname.end + comma[0].length);
  if (given === undefined || others.some(({ isInitial }) => !isInitial)) return undefined;
  const { end } = others.at(-1) ?? given;
  const isGiven = isGivenName(given.text) || isListed("noun_given_name", given.text);
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
