/**
 * Splits texts into words, in the same way for documents and queries. Accents and case are folded.
 * Stop words and single letters are left out. Names with signs are words: R&D and AT&T, U.S., c++
 * and c#, .net, acme.com and node.js, e-mail. An analyzer also detects the language of a text. It
 * keeps a table of known words, so that no known word is copied to a string or stemmed again.
 */
import { encode, type TermTable } from "./dictionary.ts";
import { grown } from "./typed_arrays.ts";
import {
  isSurelyContent,
  type Language,
  LANGUAGES,
  readWord,
  SIZE_MAX,
  stem,
  stemEnglishUnits,
  unaccent,
  WORD_LENGTH,
} from "./words.ts";

/** Location of a word among code units, and its hash. */
interface Span {
  units: Uint16Array;
  from: number;
  to: number;
  hash: number;
}

/**
 * Marks of a word: it is searched for; it is a stop word of one language; it is "net", as in .net.
 */
const SEARCHED = 1;

const STOP_ENGLISH = 2;

const STOP_FRENCH = 4;

const IS_NET = 8;

const HASH_START = 0x811c9dc5;

/** Returns the hash of a text from the hash of its prefix and its last code unit. */
function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Bit that turns a capital letter of ASCII into a small one. */
const SMALL = 32;

/** Max number of bytes of a stem. */
const STEM_BYTES_MAX = 255;

const FIRST_WORDS = 1 << 10;

const SLOTS_PER_WORD = 2;

/** Numbers the distinct words of texts, and caches their stems. */
export class WordTable {
  size = 0;
  /** Marks of each word: see SEARCHED. */
  marks = new Uint8Array(FIRST_WORDS);
  /** Pairs of a word's number + 1 and its hash; 0 and 0 if a slot is free. */
  #slots = new Uint32Array(2 * SLOTS_PER_WORD * FIRST_WORDS);
  #hashes = new Uint32Array(FIRST_WORDS);
  #starts = new Uint32Array(FIRST_WORDS + 1);
  #letters = new Uint16Array(8 * FIRST_WORDS);
  /**
   * Location of each stem in `#bytes`, at word * languages + language: its start and its length.
   * The length is 0 until the stem is requested. `#numbered` contains pairs: the stamp of the term
   * table that last numbered the stem, and the stem's number in that table.
   */
  #stemStarts = new Uint32Array(LANGUAGES.length * FIRST_WORDS);
  #stemLengths = new Uint8Array(LANGUAGES.length * FIRST_WORDS);
  #numbered = new Uint32Array(2 * LANGUAGES.length * FIRST_WORDS);
  /** Bytes of the stems, in the form of terms: see dictionary.ts. */
  #bytes = new Uint8Array(16 * FIRST_WORDS);
  #bytesUsed = 0;
  readonly #scratch: Span = { units: new Uint16Array(SIZE_MAX), from: 0, to: 0, hash: 0 };

  /** Returns the number of the word in a span. A new word gets the next number. */
  find(span: Span): number {
    const mixed = (span.hash ^ (span.hash >>> 15)) >>> 0;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = 2 * mixed & mask;; slot = (slot + 2) & mask) {
      const word = slots[slot]! - 1;
      if (word < 0) return this.#add(span, mixed);
      if (slots[slot + 1] === mixed && this.#isAt(word, span)) return word;
    }
  }

  /** Returns the number of a word from its text. A new word gets the next number. */
  findText(text: string): number {
    const span = this.#scratch;
    span.hash = HASH_START;
    span.to = Math.min(text.length, SIZE_MAX);
    for (let at = 0; at < span.to; at++) {
      const unit = span.units[at] = text.charCodeAt(at);
      span.hash = hashUnit(span.hash, unit);
    }
    return this.find(span);
  }

  /** Returns a folded word; empty if it is not searched for. */
  text(word: number): string {
    return readWord(this.#raw(word)).text;
  }

  /** Returns the number of a stem among the terms of a table. A new stem is added to the table. */
  term(stem: number, table: TermTable): number {
    return this.#numbered[2 * stem] === table.stamp
      ? this.#numbered[2 * stem + 1]!
      : this.#number(stem, table);
  }

  #number(stem: number, table: TermTable): number {
    if (this.#stemLengths[stem] === 0) this.#addStem(stem);
    const start = this.#stemStarts[stem]!;
    this.#numbered[2 * stem] = table.stamp;
    return this.#numbered[2 * stem + 1] = table.add(
      this.#bytes,
      start,
      start + this.#stemLengths[stem]!,
    );
  }

  #isAt(word: number, { units, from, to }: Span): boolean {
    const start = this.#starts[word]!;
    const size = this.#starts[word + 1]! - start;
    if (size !== Math.min(to - from, SIZE_MAX)) return false;
    const letters = this.#letters;
    for (let at = 0; at < size; at++) if (letters[start + at] !== units[from + at]) return false;
    return true;
  }

  #add({ units, from, to }: Span, mixed: number): number {
    if (this.size === this.#hashes.length) this.#grow();
    const word = this.size++;
    const start = this.#starts[word]!;
    const end = start + Math.min(to - from, SIZE_MAX);
    if (end > this.#letters.length) this.#letters = grown(this.#letters, end);
    for (let at = start; at < end; at++) this.#letters[at] = units[from + at - start]!;
    this.#starts[word + 1] = end;
    this.#hashes[word] = mixed;
    this.#link(word);
    if (this.#copyPlain(word) && isSurelyContent(this.#scratch.units, end - start)) {
      this.marks[word] = SEARCHED;
      return word;
    }
    const { text, stop_word_of } = readWord(this.#raw(word));
    this.marks[word] = (text === "" ? 0 : SEARCHED) | (text === "net" ? IS_NET : 0) |
      (stop_word_of === "english" ? STOP_ENGLISH : 0) |
      (stop_word_of === "french" ? STOP_FRENCH : 0);
    return word;
  }

  #raw(word: number): string {
    const letters = this.#letters.subarray(this.#starts[word], this.#starts[word + 1]);
    // This is several times as fast as spreading the letters.
    return Reflect.apply(String.fromCharCode, null, letters);
  }

  #addStem(stemNumber: number): void {
    const place = stemNumber % LANGUAGES.length;
    const word = (stemNumber - place) / LANGUAGES.length;
    const start = this.#bytesUsed;
    if (start + STEM_BYTES_MAX > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, start + STEM_BYTES_MAX);
    }
    this.#bytes[start] = place;
    this.#stemStarts[stemNumber] = start;
    this.#bytesUsed = LANGUAGES[place] === "english" && this.#copyPlain(word)
      ? this.#takePlainStem(start + 1, this.#starts[word + 1]! - this.#starts[word]!)
      : encode(stem(this.text(word), LANGUAGES[place]!), this.#bytes, start + 1);
    this.#stemLengths[stemNumber] = this.#bytesUsed - start;
  }

  /**
   * Copies a word in small letters to `#scratch`.
   * @returns false if it has characters other than a to z
   */
  #copyPlain(word: number): boolean {
    const start = this.#starts[word]!;
    const size = this.#starts[word + 1]! - start;
    if (size < 2 || size > WORD_LENGTH) return false;
    for (let at = 0; at < size; at++) {
      const letter = this.#letters[start + at]! | SMALL;
      if (letter < 97 || letter > 122) return false;
      this.#scratch.units[at] = letter;
    }
    return true;
  }

  #takePlainStem(from: number, size: number): number {
    const { units } = this.#scratch;
    const end = from + stemEnglishUnits(units, size);
    for (let at = from; at < end; at++) this.#bytes[at] = units[at - from]!;
    return end;
  }

  #link(word: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes[word]!;
    let slot = 2 * hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 2) & mask;
    this.#slots[slot] = word + 1;
    this.#slots[slot + 1] = hash;
  }

  #grow(): void {
    const words = 2 * this.#hashes.length;
    this.marks = grown(this.marks, words);
    this.#hashes = grown(this.#hashes, words);
    this.#starts = grown(this.#starts, words + 1);
    const stems = words * LANGUAGES.length;
    this.#stemStarts = grown(this.#stemStarts, stems);
    this.#stemLengths = grown(this.#stemLengths, stems);
    this.#numbered = grown(this.#numbered, 2 * stems);
    this.#slots = new Uint32Array(2 * SLOTS_PER_WORD * words);
    for (let word = 0; word < this.size; word++) this.#link(word);
  }
}

const LETTERS = /\p{L}/u;

const PARTS = /[\p{L}\p{N}]/u;

const ACCENTS = /[àâçèéêëîïôùûœ]/iu;

const LETTER_RUNS = /\p{L}+/gu;

const KNOWN = 1;

/** Bit of a letter or digit. */
const PART = 2;

const LETTER = 4;

/** Bit of a letter with an accent that indicates French. */
const ACCENTED = 8;

/**
 * Code unit that needs context to fold: a surrogate half, a combining mark, or a letter that folds
 * to several letters.
 */
const BOUND = 16;

/** Bits of each UTF-16 code unit (KNOWN, PART and others), and its plain form. `learn` sets them. */
const kinds = new Uint8Array(1 << 16);

const plain = new Uint16Array(1 << 16);

for (let unit = 0; unit < 128; unit++) learn(unit);

function learn(unit: number): number {
  const letter = String.fromCharCode(unit);
  const folded = unaccent(letter);
  const isAlike = PARTS.test(letter) === PARTS.test(folded) &&
    LETTERS.test(letter) === LETTERS.test(folded);
  const isBound = folded.length !== 1 || !isAlike || (unit >= 0xd800 && unit < 0xe000);
  plain[unit] = folded.charCodeAt(0);
  return kinds[unit] = KNOWN | (PARTS.test(letter) ? PART : 0) |
    (LETTERS.test(letter) ? LETTER : 0) |
    (ACCENTS.test(letter) ? ACCENTED : 0) | (isBound ? BOUND : 0);
}

/** A text without accents, as code units. An instance is reused for one text after the other. */
class PlainText {
  /** Code units of the text without accents, followed by a 0. */
  units = new Uint16Array(1 << 12);
  length = 0;
  /** Number of runs of letters with accents that indicate French. */
  accented = 0;
  #source = "";
  /** Cached value of `text`, which is needed for each name with signs. */
  #text: string | undefined;
  #lastAccent = -1;

  /** The text as a string. Positions in it are those of `units`. */
  get text(): string {
    return this.#text ??= unaccent(this.#source);
  }

  set(text: string): void {
    this.#start(text);
    const { units } = this;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128) {
        units[at] = unit;
        continue;
      }
      const kind = kinds[unit] || learn(unit);
      if ((kind & BOUND) !== 0) return this.#setWhole(text);
      if ((kind & ACCENTED) !== 0) this.#noteAccent(at);
      units[at] = plain[unit]!;
    }
    units[text.length] = 0;
  }

  /** Returns whether a letter or digit is at a place. */
  isPartAt(at: number): boolean {
    return this.#partAt(at) > 0;
  }

  /** Sets a span to the run of letters and digits that begins at a place. The run may be empty. */
  read(from: number, span: Span): void {
    const { units } = this;
    let hash = HASH_START;
    let at = from;
    for (let size = 1; size > 0;) {
      for (; (kinds[units[at]!]! & PART) !== 0; at++) hash = hashUnit(hash, units[at]!);
      size = this.#partAt(at);
      for (const end = at + size; at < end; at++) hash = hashUnit(hash, units[at]!);
    }
    span.units = units;
    span.from = from;
    span.to = at;
    span.hash = hash;
  }

  /** Returns the number of code units of a letter or digit at a place: 0, 1 or 2. */
  #partAt(at: number): number {
    const unit = this.units[at]!;
    const kind = kinds[unit] || learn(unit);
    if ((kind & PART) !== 0) return 1;
    if (unit < 0xd800 || unit >= 0xdc00) return 0;
    const pair = String.fromCharCode(unit, this.units[at + 1]!);
    return pair.codePointAt(0)! > 0xffff && PARTS.test(pair) ? 2 : 0;
  }

  #start(text: string): void {
    this.#source = text;
    this.#text = undefined;
    this.#lastAccent = -1;
    this.length = text.length;
    this.accented = 0;
    if (text.length >= this.units.length) this.units = new Uint16Array(2 * text.length);
  }

  #setWhole(text: string): void {
    const whole = unaccent(text);
    this.#start(whole);
    const runs = text.normalize("NFC").match(LETTER_RUNS) ?? [];
    this.accented = runs.filter((letters) => ACCENTS.test(letters)).length;
    for (let at = 0; at < whole.length; at++) this.units[at] = whole.charCodeAt(at);
    this.units[whole.length] = 0;
  }

  /** Counts a run of letters at its first accent. */
  #noteAccent(at: number): void {
    let before = at - 1;
    while (
      before > this.#lastAccent && (kinds[this.#source.charCodeAt(before)]! & LETTER) !== 0
    ) before--;
    if (before > this.#lastAccent || before < 0) this.accented++;
    this.#lastAccent = at;
  }
}

/** Pattern of an abbreviation: U.S., U.S.A., S.A.R.L. */
const ABBREVIATION = /(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{N}])/uy;

/** Pattern of letters that have a meaning only together: R&D, M&A, AT&T. */
const AMPERSAND = /\p{L}{1,2}&\p{L}{1,2}(?![\p{L}\p{N}])/uy;

/** Pattern of a letter with signs: c++, c#. */
const SIGNED = /\p{L}(?:\+\+|#)(?![\p{L}\p{N}+#])/uy;

/** Pattern of a name of several parts: node.js, e-mail. */
const JOINED = /[\p{L}\p{N}]+(?:[.-][\p{L}\p{N}]+)+/uy;

const HAS_LETTER = /\p{L}/u;

/** Pattern of a dotted name. Unlike in a number, its last part begins with a letter. */
const ENDS_IN_LETTERS = /\.\p{L}[^.]*$/u;

const ENDS_IN_FREE_DOT = /(?<![\p{L}\p{N}.])\.$/u;

/** Parts of hostnames that do not identify the owner. */
const NETWORK_PARTS: ReadonlySet<string> = new Set(
  "www com org net gov edu info biz io co ca us uk fr eu".split(" "),
);

const AMPERSAND_SIGN = 38;

const APOSTROPHE = 39;

const HYPHEN = 45;

const DOT = 46;

/** Lower-case vowels. Some are words by themselves in English or French ("a", "y"). */
const VOWELS: ReadonlySet<number> = new Set(Array.from("aeiouy", (letter) => letter.charCodeAt(0)));

/**
 * Max number of words in a word table. Such a table takes about five megabytes. A larger one is
 * replaced.
 */
const WORDS_MAX = 60_000;

/**
 * Range of a text's words in an analyzer, and the number of cues of each language. A stop word is
 * one cue. A run of letters with accents is half a cue of French.
 */
export interface Analysis {
  from: number;
  to: number;
  english: number;
  french: number;
  /** Range of the text's single letters and digits in the analyzer. */
  singlesFrom: number;
  singlesTo: number;
}

/** Splits texts into words, one document or query at a time. */
class Analyzer {
  /** Table that the numbers of `words` refer to. */
  wordTable = new WordTable();
  /** Numbers of the words to search for, of all texts since `begin`, in order. */
  words = new Uint32Array(1 << 10);
  /**
   * Single letters and digits, as pairs of the place of the next word and the code unit in lower
   * case. They are not words, but a neighbour may give them a meaning: "Series A", "vitamin D".
   */
  singles = new Uint32Array(1 << 6);
  #size = 0;
  #singles = 0;
  readonly #plain = new PlainText();
  readonly #span: Span = { units: this.#plain.units, from: 0, to: 0, hash: 0 };

  /** Discards the words so far. */
  begin(): void {
    this.#size = 0;
    this.#singles = 0;
    if (this.wordTable.size > WORDS_MAX) this.wordTable = new WordTable();
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

  /** Returns the words of a text as strings. */
  textsOf({ from, to }: Analysis): string[] {
    return Array.from(this.words.subarray(from, to), (word) => this.wordTable.text(word));
  }

  /**
   * Takes the word of the span, or the name that begins with it.
   * @returns the start of the rest of the text
   */
  #takeWord(analysis: Analysis): number {
    const span = this.#span;
    const { units, from, to } = span;
    const next = units[to]!;
    if (next >= 35 && next <= 46) {
      const after = this.#takeName(next);
      if (after > 0) return after;
    }
    const word = this.wordTable.find(span);
    const marks = this.wordTable.marks[word]!;
    if ((marks & SEARCHED) !== 0) this.#push(word);
    else if (to - from === 1) this.#takeSingle();
    if ((marks & STOP_ENGLISH) !== 0) analysis.english++;
    if ((marks & STOP_FRENCH) !== 0) analysis.french++;
    if ((marks & IS_NET) !== 0 && units[from - 1] === DOT) this.#takeNet(from);
    return to;
  }

  /** Notes a single letter or digit, unless it is a lower-case vowel or next to an apostrophe. */
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

  /** Takes a name with signs. @returns its end, or 0 if there is none */
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
    // Most dots end a sentence. Within a name, a letter or digit follows the dot or hyphen.
    const name = this.#plain.isPartAt(to + 1) ? match(JOINED, this.#plain.text, from) : undefined;
    if (name === undefined) return 0;
    this.#takeParts(name);
    return from + name.length;
  }

  /** Takes a name without its signs. @returns its end, or 0 if there is none */
  #takeSigned(pattern: RegExp, sign: string): number {
    const { from } = this.#span;
    const name = match(pattern, this.#plain.text, from);
    if (name === undefined) return 0;
    this.#pushText(name.replaceAll(sign, ""));
    return from + name.length;
  }

  /**
   * Adds the parts of a joined name, but no NETWORK_PARTS of a name with dots. Also adds the whole
   * name if it ends like a hostname (acme.com). Without dots, adds the joined parts if one is a
   * single letter (e-mail: "email").
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
    const word = this.wordTable.findText(text);
    if ((this.wordTable.marks[word]! & SEARCHED) !== 0) this.#push(word);
  }

  #push(word: number): void {
    if (this.#size === this.words.length) this.words = grown(this.words, this.#size + 1);
    this.words[this.#size++] = word;
  }
}

/**
 * Shared analyzer of one document or query at a time. Sharing is safe, because analyses are
 * synchronous.
 */
export const ANALYZER = new Analyzer();

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Returns the words of a text in their order, folded, without stop words and single letters. */
export function words(text: string): string[] {
  ANALYZER.begin();
  return ANALYZER.textsOf(ANALYZER.add(text));
}

/**
 * Returns the language of an analyzed text, or `otherwise` if the cues of both languages are equal.
 */
export function languageOf(
  { english, french }: Pick<Analysis, Language>,
  otherwise: Language,
): Language {
  if (french === english) return otherwise;
  return french > english ? "french" : "english";
}

/**
 * Returns the language of a document's text, by its stop words and accents. If these do not decide,
 * returns `otherwise`. Queries are too short for that, so their words are looked up in both
 * languages.
 */
export function detectLanguage(text: string, otherwise: Language = "english"): Language {
  ANALYZER.begin();
  return languageOf(ANALYZER.add(text), otherwise);
}
