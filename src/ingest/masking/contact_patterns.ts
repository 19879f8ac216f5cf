/** Builds patterns for the forms of a person's name, and finds persons in e-mail addresses. */
import { emailsOf, MASK } from "./contacts.ts";
import { isGivenName, isListed, isNounSurname, isPlaceWord, meaningOf } from "./name_words.ts";

/** A person whom a record names. */
export interface Person {
  given: string;
  /**
   * Family names: first all words together, then, if there are several, each capitalized word of at
   * least 3 characters. Empty if only one name is known.
   */
  families: string[];
  /** True if a contact cell contains the name, so that it also counts in lower case. */
  isOfCell?: true;
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
  const full = persons.flatMap(({ given, families, isOfCell }) =>
    families.length === 0 ? [patternOfTitled(given)] : families.flatMap((family) => {
      const isNoun = isListed("noun_given_name", given) && isNounSurname(family);
      const inLower = isOfCell === true && !isNoun;
      return [patternOfPerson(given, family, { inLower }), patternOfTitled(family, given)];
    })
  );
  if (full.length === 0) return full;
  const rest = texts.map((text) => full.reduce((kept, name) => kept.replace(name, MASK), text))
    .join("\n");
  const surnames = new Set(persons.flatMap(({ families }) => families));
  return [...full, ...[...surnames].flatMap((family) => patternOfSurname(family, rest) ?? [])];
}

/**
 * Returns a pattern for "Jane Doe", "Jane A. Doe", "JANE DOE" and "Doe, Jane", and, if `inLower` is
 * true, for "jane doe".
 */
function patternOfPerson(given: string, family: string, { inLower = false }): RegExp {
  const [first, last] = [given, family].map((name) => `(?i:${accented(name)})`);
  const gap = "(?:[-‐‑\\s\\u00a0]|&nbsp;){1,3}";
  const blank = "[\\s\\u00a0]{1,3}";
  const anyCase = `|${first}${blank}(?:\\p{L}\\.${blank})?${last}|${last},${blank}${first}`;
  return new RegExp(
    `(?<!\\p{L})(?:(?=\\p{Lu})${first}${gap}(?:\\p{Lu}\\.?${gap})?(?=[\\p{Lu}dv])${last}|` +
      `(?=\\p{Lu})${last},?${gap}(?=\\p{Lu})${first}${inLower ? anyCase : ""})(?!\\p{Ll})`,
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

/**
 * Min number of characters of a surname. Shorter surnames are often other words or abbreviations.
 */
const CHARACTERS_MIN = 3;

/**
 * Source of a pattern for the position before a surname. Only some capitalized words may precede
 * it, such as roles and "Contact". Any other capitalized word would be part of a longer name.
 */
const BEFORE_SURNAME = "(?<![\\p{L}\\p{N}\\p{M}'’&@./-])" +
  "(?<!(?<![\\p{L}\\p{N}])(?!(?:Contact(?:e[rz])?|Call|E-?mail|Ask|See|Write|Phone|Officer|Specialist|" +
  "Manager|Buyer|Director|Authority|Inspector|Engineer|Coordinator|Representative|Agente?|" +
  "Acheteu(?:r|se)|Gestionnaire|And|Et|Or|Ou|To|By|From|With|CO|KO|PCO|ACO|COR|COTR|POC)[ \\u00a0])" +
  "\\p{Lu}[\\p{L}\\p{N}\\p{M}'’.&-]{0,40}[ \\u00a0])(?<![&+\\d][ \\u00a0])";

/**
 * Words after a person's name in a sentence. A noun after a name shows that it is a brand: "Bosch
 * drill".
 */
const SENTENCE =
  "will|can|shall|may|must|should|would|is|was|has|had|does|did|said|says|confirm(?:s|ed)|" +
  "answer(?:s|ed)|repl(?:y|ies|ied)|leads?|handles|receives|manages|reviews|decides|wrote|writes|at|by|via|" +
  "before|during|on|or|and|if|with|for|to|from|who|directly|no later|ext|peut|va|est|a|sera|fera|" +
  "répond(?:r(?:a|ont))?|doit|recevra|dirige(?:ra)?|returns|attends|coordinates|oversees|prepares|signs|issues|shows|meets|provides|accepts|opens|confirme(?:ra)?|au|avant|ou|et|par|pour|dès|qui|poste";

/**
 * Source of a pattern for the text after a surname: the end of a phrase, a possessive, an address,
 * or a word of SENTENCE.
 */
const AFTER_SURNAME =
  "(?=['’]s [\\p{Ll}]|[ \\u00a0]?(?:$|[;:!?)\\n\\[<]|,(?! ?(?:Inc|Ltd|Ltée|LL[CP]|Corp|\\p{Lu}))|\\.(?=\\s|$)|" +
  "\\((?:\\d{3}|\\[|\\p{Ll}+@))|[ \\u00a0][-–—][ \\u00a0]|" +
  `[ \\u00a0](?:\\[|(?:${SENTENCE})(?!\\p{L})(?! (?:Sons|Co|Fils|Associates|Partners)\\b)))`;

/**
 * Returns a pattern for a surname alone. Returns undefined if the word may have another meaning in
 * the text: a noun, a place, or the name of a firm or street.
 */
function patternOfSurname(family: string, text: string): RegExp | undefined {
  const words = family.split(/\s+/);
  const last = words.at(-1)!;
  if (family.length < CHARACTERS_MIN || isPlaceWord(family) || isNounSurname(last)) {
    return undefined;
  }
  if (!words.every((word) => /^\p{Ll}/u.test(word) || meaningOf(word) === "open")) return undefined;
  if (hasOtherUse(last, text)) return undefined;
  return new RegExp(
    `(?=[\\p{Lu}dv])${BEFORE_SURNAME}(?i:${accented(family)})${AFTER_SURNAME}`,
    "gu",
  );
}

/**
 * Returns whether the text contains the word in lower case, or before "&", "+" or a capitalized
 * word that is not a role.
 */
function hasOtherUse(family: string, text: string): boolean {
  const name = accented(family);
  if (new RegExp(`(?<![\\p{L}@./_-])${name}(?![\\p{L}@./_-])`, "u").test(text)) return true;
  const before = new RegExp(
    `(?<![\\p{L}@.])(?i:${name})(?:[ \\u00a0](\\p{Lu}[\\p{L}'’-]*)|[ \\u00a0]?[&+])`,
    "gu",
  );
  return text.matchAll(before)
    .some(([, word]) => word === undefined || meaningOf(word) !== "role");
}

/** Max number of addresses that are searched for names. Notices have fewer. */
const ADDRESSES = 50;

/** Returns the persons whose names are in addresses such as jane.doe@…. */
export function personsOfAddresses(text: string): Person[] {
  const addresses = emailsOf(text).take(ADDRESSES);
  return [...addresses].flatMap(({ start, end }) => personsOfAddress(text.slice(start, end)));
}

/**
 * Returns the person in an address such as jane.doe@…, or an empty list. `isPerson` is true if the
 * address is expected to be that of a person. Surnames that are also common words count then, and
 * after a given name.
 */
export function personsOfAddress(address: string, { isPerson = false } = {}): Person[] {
  const local = /^(\p{L}{2,})[._-](?:\p{L}[._-])?(\p{L}{2,})\d*(?:[@＠]|%40)/u.exec(address);
  const words = local?.slice(1) ?? [];
  if (local === null || words.some((word) => !canBeOfPerson(word, words, isPerson))) return [];
  return [{ given: words[0]!, families: [words[1]!] }];
}

function canBeOfPerson(word: string, [first]: readonly string[], isPerson: boolean): boolean {
  const meaning = meaningOf(word);
  if (meaning === "open") return true;
  return (isPerson || isGivenName(first!)) && (meaning === "surname" || isGivenName(word));
}

/** Patterns of a letter with or without accents, by the plain letter. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: "[aàáâãäå]",
  c: "[cç]",
  e: "[eèéêë]",
  i: "[iìíîï]",
  n: "[nñ]",
  o: "[oòóôõöø]",
  u: "[uùúûü]",
  y: "[yýÿ]",
};

/**
 * Returns a pattern for a name with or without accents and apostrophes, and with hyphens or blanks.
 * E-mail addresses contain names without their accents.
 */
function accented(word: string): string {
  const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return [...plain].map((letter) => ACCENTED[letter] ?? letterOf(letter)).join("");
}

function letterOf(letter: string): string {
  return /['’]/.test(letter) ? "['’ ]?" : /[\s-]/.test(letter) ? "[-‐‑\\s]" : RegExp.escape(letter);
}
