/** Patterns for surnames alone, of persons whom the same record names in full. */
import { accented } from "../text/accent_patterns.ts";
import { memoized } from "../../memoized.ts";
import { isNounSurname, isPlaceWord, meaningOf } from "./name_words.ts";

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
export function patternOfSurname(family: string, text: string): RegExp | undefined {
  const words = family.split(/\s+/);
  const last = words.at(-1)!;
  if (family.length < CHARACTERS_MIN || isPlaceWord(family) || isNounSurname(last)) {
    return undefined;
  }
  if (!words.every((word) => /^\p{Ll}/u.test(word) || meaningOf(word) === "open")) return undefined;
  if (hasOtherUse(last, text)) return undefined;
  return surnamePattern(family);
}

/** Max number of surnames whose patterns are kept, because rows often name one person. */
const PATTERNS_MAX = 1_000;

const surnamePattern = memoized((family) =>
  new RegExp(
    `(?=[\\p{Lu}dv])${BEFORE_SURNAME}(?i:${accented(family)})${AFTER_SURNAME}`,
    "gu",
  ), PATTERNS_MAX);

/** Returns the patterns of a surname in lower case, and before "&", "+" or a capitalized word. */
const otherUses = memoized((family) => ({
  common: new RegExp(`(?<![\\p{L}@./_-])${accented(family)}(?![\\p{L}@./_-])`, "u"),
  next: new RegExp(
    `(?<![\\p{L}@.])(?i:${accented(family)})(?:[ \\u00a0](\\p{Lu}[\\p{L}'’-]*)|[ \\u00a0]?[&+])`,
    "gu",
  ),
}), PATTERNS_MAX);

/**
 * Returns whether the text contains the word in lower case, or before "&", "+" or a capitalized
 * word that is not a role.
 */
function hasOtherUse(family: string, text: string): boolean {
  const { common, next } = otherUses(family);
  if (common.test(text)) return true;
  for (const [, word] of text.matchAll(next)) {
    if (word === undefined || meaningOf(word) !== "role") return true;
  }
  return false;
}
