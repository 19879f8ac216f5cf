/**
 * Text to words to stems, the same way for documents and queries: accents and case folded, stop
 * words and single letters left out, English or French endings removed. Names that live by their
 * signs are words: R&D and AT&T, U.S., c++ and c#, .net, acme.com and node.js, e-mail.
 */
import { HASH_START, hashUnit, wordAt, wordOf } from "./word_table.ts";
import { fold, type Language, LANGUAGES, stem, unaccent, type Word } from "./words.ts";

export { fold, type Language, LANGUAGES, stem };

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** U.S., U.S.A., S.A.R.L. */
const ABBREVIATION = /(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{N}])/uy;
/** R&D, M&A, AT&T: letters that mean something only together. */
const AMPERSAND = /\p{L}{1,2}&\p{L}{1,2}(?![\p{L}\p{N}])/uy;
const SIGNED = /\p{L}(?:\+\+|#)(?![\p{L}\p{N}+#])/uy;
const JOINED = /[\p{L}\p{N}]+(?:[.-][\p{L}\p{N}]+)+/uy;
const HAS_LETTER = /\p{L}/u;
/** A name, not a number. */
const ENDS_IN_LETTERS = /\.\p{L}[^.]*$/u;
const ACCENTED_WORD = /\p{L}*[àâçèéêëîïôùûœ]\p{L}*/giu;

/** Parts of hostnames that say nothing of whose they are. */
const NETWORK_PARTS: ReadonlySet<string> = new Set(
  "www com org net gov edu info biz io co ca us uk fr eu".split(" "),
);

const AMPERSAND_SIGN = 38;
const HYPHEN = 45;
const DOT = 46;

/** By UTF-16 unit: 0 not known yet, 1 part of no word, 2 part of a word. */
const units = new Uint8Array(1 << 16);

/** The words of a text, and what tells its language. */
export interface Analysis {
  words: Word[];
  english: number;
  french: number;
}

/** Every word of a text in its order, those that are not searched for included. */
export function analyze(text: string): Analysis {
  const plain = unaccent(text);
  const analysis: Analysis = { words: [], english: 0, french: 0 };
  // What was folded may have had accents; they tell the language.
  if (plain !== text) {
    analysis.french += (text.normalize("NFC").match(ACCENTED_WORD)?.length ?? 0) / 2;
  }
  for (let at = 0; at < plain.length;) {
    let hash = HASH_START;
    let end = at;
    for (; end < plain.length; end++) {
      const unit = plain.charCodeAt(end);
      if (units[unit] !== 2) {
        const more = learn(plain, end, unit);
        if (more === 0) break;
        if (more === 2) hash = hashUnit(hash, plain.charCodeAt(end++));
      }
      hash = hashUnit(hash, plain.charCodeAt(end));
    }
    at = end === at ? at + 1 : takeWord(plain, { at, end, hash, analysis });
  }
  return analysis;
}

interface Place {
  at: number;
  end: number;
  hash: number;
  analysis: Analysis;
}

/** @returns where the rest of the text begins */
function takeWord(plain: string, place: Place): number {
  const { at, end, hash, analysis } = place;
  const next = end < plain.length ? plain.charCodeAt(end) : 0;
  if (next >= 35 && next <= 46) {
    const after = takeName(plain, place, next);
    if (after > 0) return after;
  }
  const word = wordAt(plain, at, end, hash);
  analysis.words.push(word);
  if (word.tells !== null) analysis[word.tells]++;
  if (word.text === "net" && /(?<![\p{L}\p{N}.])\.$/u.test(plain.slice(Math.max(0, at - 3), at))) {
    analysis.words.push(wordOf(".net"));
  }
  return end;
}

/** @returns where the name ends, or 0 where there is none */
function takeName(plain: string, { at, end, analysis: { words } }: Place, next: number): number {
  const sign = (pattern: RegExp, left: string) => {
    const name = match(pattern, plain, at);
    if (name !== undefined) words.push(wordOf(name.replaceAll(left, "")));
    return name === undefined ? 0 : at + name.length;
  };
  if (next === AMPERSAND_SIGN) return end - at > 2 ? 0 : sign(AMPERSAND, "&");
  if (next !== DOT && next !== HYPHEN) return end - at > 1 ? 0 : sign(SIGNED, " ");
  if (next === DOT && end - at === 1 && plain.charCodeAt(at - 1) !== DOT) {
    const after = sign(ABBREVIATION, ".");
    if (after > 0) return after;
  }
  const name = startsWord(plain, end + 1) ? match(JOINED, plain, at) : undefined;
  if (name === undefined) return 0;
  takeParts(name, words);
  return at + name.length;
}

/**
 * The parts of a joined name, and the name as a whole where its parts are too little: acme.com is
 * not just any com, and an e-mail is no mail.
 */
function takeParts(name: string, words: Word[]): void {
  const parts = name.split(/[.-]/);
  const dotted = name.includes(".");
  for (const part of parts) {
    if (!dotted || !NETWORK_PARTS.has(part.toLowerCase())) words.push(wordOf(part));
  }
  if (dotted && ENDS_IN_LETTERS.test(name)) words.push(wordOf(name));
  const short = parts.some((part) => part.length === 1);
  if (!dotted && short && HAS_LETTER.test(name)) words.push(wordOf(parts.join("")));
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/**
 * Whether a letter or digit stands at a place that is not known to hold one.
 *
 * @returns how many units it has: 0, 1 or 2
 */
function learn(text: string, at: number, unit: number): number {
  if (units[unit] === 1) return 0;
  if (unit >= 0xd800 && unit < 0xdc00) {
    const pair = String.fromCodePoint(text.codePointAt(at)!);
    return LETTER_OR_DIGIT.test(pair) ? pair.length : 0;
  }
  units[unit] = LETTER_OR_DIGIT.test(String.fromCharCode(unit)) ? 2 : 1;
  return units[unit]! - 1;
}

/** Most joints are but the ends of sentences. */
function startsWord(text: string, at: number): boolean {
  return at < text.length && units[text.charCodeAt(at)] !== 1;
}

/** The words of a text in their order, folded, without stop words and single letters. */
export function words(text: string): string[] {
  return analyze(text).words.map((word) => word.text).filter((word) => word !== "");
}

/** The language of what has been analyzed, or `otherwise` where it does not tell. */
export function languageOf(
  { english, french }: Pick<Analysis, Language>,
  otherwise: Language,
): Language {
  if (french === english) return otherwise;
  return french > english ? "french" : "english";
}

/**
 * The language of a document's text, told by its stop words and accents, or `otherwise` where they
 * do not tell. Queries are too short for that: their words are looked up in both languages.
 */
export function detectLanguage(text: string, otherwise: Language = "english"): Language {
  return languageOf(analyze(text), otherwise);
}
