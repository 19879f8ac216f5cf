/**
 * Text to words to stems, the same way for documents and queries: accents and case folded, stop
 * words and single letters left out, English or French endings removed. Names that live by their
 * signs are words: R&D and AT&T, U.S., c++ and c#, .net, acme.com and node.js, e-mail.
 */
import { grown } from "./dictionary.ts";
import { PlainText } from "./letters.ts";
import { IS_NET, Lexicon, SEARCHED, type Span, TELLS_ENGLISH, TELLS_FRENCH } from "./lexicon.ts";
import { fold, type Language, LANGUAGES, stem } from "./words.ts";

export { fold, type Language, LANGUAGES, stem };

/** U.S., U.S.A., S.A.R.L. */
const ABBREVIATION = /(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{N}])/uy;
/** R&D, M&A, AT&T: letters that mean something only together. */
const AMPERSAND = /\p{L}{1,2}&\p{L}{1,2}(?![\p{L}\p{N}])/uy;
const SIGNED = /\p{L}(?:\+\+|#)(?![\p{L}\p{N}+#])/uy;
const JOINED = /[\p{L}\p{N}]+(?:[.-][\p{L}\p{N}]+)+/uy;
const HAS_LETTER = /\p{L}/u;
/** A name, not a number. */
const ENDS_IN_LETTERS = /\.\p{L}[^.]*$/u;
const ENDS_IN_FREE_DOT = /(?<![\p{L}\p{N}.])\.$/u;

/** Parts of hostnames that say nothing of whose they are. */
const NETWORK_PARTS: ReadonlySet<string> = new Set(
  "www com org net gov edu info biz io co ca us uk fr eu".split(" "),
);

const AMPERSAND_SIGN = 38;
const APOSTROPHE = 39;
const HYPHEN = 45;
const DOT = 46;

/** Small letters that are words by themselves in English or French. */
const VOWELS: ReadonlySet<number> = new Set(Array.from("aeiouy", (letter) => letter.charCodeAt(0)));

/** A lexicon that has grown so large is left for another: some ten megabytes. */
const WORDS_MAX = 120_000;

/** The words of a text, from a place of an analyzer's up to another, and what tells its language. */
export interface Analysis {
  from: number;
  to: number;
  english: number;
  french: number;
  /** Single letters and digits, from one of an analyzer's up to another. */
  singlesFrom: number;
  singlesTo: number;
}

/** Cuts texts into words, one document or query at a time. */
export class Analyzer {
  /** What `words` are numbers of. */
  lexicon = new Lexicon();
  /** The words of all texts since `begin` in their order, but for those that are not searched for. */
  words = new Uint32Array(1 << 10);
  /**
   * Side by side the place of the next word and the code unit, in lower case, of single letters and
   * digits. They are no words, but a neighbour may give them a meaning: "Series A", "vitamin D".
   */
  singles = new Uint32Array(1 << 6);
  #size = 0;
  #singles = 0;
  readonly #plain = new PlainText();
  readonly #span: Span = { units: this.#plain.units, from: 0, to: 0, hash: 0 };

  /** Lets go of the words so far. */
  begin(): void {
    this.#size = 0;
    this.#singles = 0;
    if (this.lexicon.size > WORDS_MAX) this.lexicon = new Lexicon();
  }

  add(text: string): Analysis {
    const plain = this.#plain;
    plain.set(text);
    const analysis: Analysis = {
      from: this.#size,
      to: 0,
      english: 0,
      french: plain.accented / 2,
      singlesFrom: this.#singles,
      singlesTo: 0,
    };
    const span = this.#span;
    for (let at = 0; at < plain.length;) {
      plain.read(at, span);
      at = span.to === at ? at + 1 : this.#takeWord(analysis);
    }
    analysis.to = this.#size;
    analysis.singlesTo = this.#singles;
    return analysis;
  }

  /** The words of a text, as texts. */
  textsOf({ from, to }: Analysis): string[] {
    return Array.from(this.words.subarray(from, to), (word) => this.lexicon.text(word));
  }

  /** @returns where the rest of the text begins */
  #takeWord(analysis: Analysis): number {
    const span = this.#span;
    const { units, from, to } = span;
    const next = units[to]!;
    if (next >= 35 && next <= 46) {
      const after = this.#takeName(next);
      if (after > 0) return after;
    }
    const word = this.lexicon.find(span);
    const marks = this.lexicon.marks[word]!;
    if ((marks & SEARCHED) !== 0) this.#push(word);
    else if (to - from === 1) this.#takeSingle();
    if ((marks & TELLS_ENGLISH) !== 0) analysis.english++;
    if ((marks & TELLS_FRENCH) !== 0) analysis.french++;
    if ((marks & IS_NET) !== 0 && units[from - 1] === DOT) this.#takeNet(from);
    return to;
  }

  /** Notes a single letter or digit, unless it is an article ("a", "y") or a part of "l'eau". */
  #takeSingle(): void {
    const { units, from, to } = this.#span;
    const unit = units[from]!;
    const small = unit | 32;
    const isDigit = unit >= 48 && unit <= 57;
    const isLetter = small >= 97 && small <= 122;
    if (!isDigit && !isLetter) return;
    if (VOWELS.has(unit) || units[from - 1] === APOSTROPHE || units[to] === APOSTROPHE) return;
    if (2 * this.#singles === this.singles.length) {
      this.singles = grown(this.singles, 2 * this.#singles + 2);
    }
    this.singles[2 * this.#singles] = this.#size;
    this.singles[2 * this.#singles++ + 1] = isDigit ? unit : small;
  }

  #takeNet(from: number): void {
    const before = this.#plain.text.slice(Math.max(0, from - 3), from);
    if (ENDS_IN_FREE_DOT.test(before)) this.#pushText(".net");
  }

  /** @returns where the name ends, or 0 where there is none */
  #takeName(next: number): number {
    const { units, from, to } = this.#span;
    if (next === AMPERSAND_SIGN) return to - from > 2 ? 0 : this.#takeSigned(AMPERSAND, "&");
    if (next !== DOT && next !== HYPHEN) {
      return to - from > 1 ? 0 : this.#takeSigned(SIGNED, " ");
    }
    if (next === DOT && to - from === 1 && units[from - 1] !== DOT) {
      const after = this.#takeSigned(ABBREVIATION, ".");
      if (after > 0) return after;
    }
    // Most joints are but the ends of sentences.
    const name = this.#plain.isPartAt(to + 1) ? match(JOINED, this.#plain.text, from) : undefined;
    if (name === undefined) return 0;
    this.#takeParts(name);
    return from + name.length;
  }

  /** Takes a name without its signs. @returns where it ends, or 0 where there is none */
  #takeSigned(pattern: RegExp, sign: string): number {
    const { from } = this.#span;
    const name = match(pattern, this.#plain.text, from);
    if (name === undefined) return 0;
    this.#pushText(name.replaceAll(sign, ""));
    return from + name.length;
  }

  /**
   * The parts of a joined name, and the name as a whole where its parts are too little: acme.com is
   * not just any com, and an e-mail is no mail.
   */
  #takeParts(name: string): void {
    const parts = name.split(/[.-]/);
    const dotted = name.includes(".");
    for (const part of parts) {
      if (!dotted || !NETWORK_PARTS.has(part.toLowerCase())) this.#pushText(part);
    }
    if (dotted && ENDS_IN_LETTERS.test(name)) this.#pushText(name);
    const short = parts.some((part) => part.length === 1);
    if (!dotted && short && HAS_LETTER.test(name)) this.#pushText(parts.join(""));
  }

  #pushText(text: string): void {
    const word = this.lexicon.findText(text);
    if ((this.lexicon.marks[word]! & SEARCHED) !== 0) this.#push(word);
  }

  #push(word: number): void {
    if (this.#size === this.words.length) this.words = grown(this.words, this.#size + 1);
    this.words[this.#size++] = word;
  }
}

/** One document or query at a time: neither waits for anything. */
export const ANALYZER = new Analyzer();

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The words of a text in their order, folded, without stop words and single letters. */
export function words(text: string): string[] {
  ANALYZER.begin();
  return ANALYZER.textsOf(ANALYZER.add(text));
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
  ANALYZER.begin();
  return languageOf(ANALYZER.add(text), otherwise);
}
