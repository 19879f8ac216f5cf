/**
 * Words met lately, found by their letters where they stand in a text, with what is known of each: no
 * string is made and no ending is taken off for one that is there. It only grows; whoever uses it
 * begins another when it has become large.
 */
import { encode, grown, type TermTable } from "./dictionary.ts";
import {
  isSurelyContent,
  LANGUAGES,
  read,
  SIZE_MAX,
  stem,
  stemEnglishUnits,
  WORD_LENGTH,
} from "./words.ts";

/** Where a word stands among units, and the hash of them. */
export interface Span {
  units: Uint16Array;
  from: number;
  to: number;
  hash: number;
}

/** What is known of a word: it is searched for; which language it tells; it may follow a dot. */
export const SEARCHED = 1;
export const TELLS_ENGLISH = 2;
export const TELLS_FRENCH = 4;
export const IS_NET = 8;

export const HASH_START = 0x811c9dc5;

/** The hash of what stood before and one more unit. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Makes a big letter small. */
const SMALL = 32;

/** More than any stem takes. */
const STEM_BYTES_MAX = 255;

const FIRST_WORDS = 1 << 10;
const SLOTS_A_WORD = 2;

export class Lexicon {
  size = 0;
  /** By word: what is known of it. */
  marks = new Uint8Array(FIRST_WORDS);
  /** Side by side a word + 1 and its hash; 0 and 0 where there is none. */
  #slots = new Uint32Array(2 * SLOTS_A_WORD * FIRST_WORDS);
  #hashes = new Uint32Array(FIRST_WORDS);
  #starts = new Uint32Array(FIRST_WORDS + 1);
  #letters = new Uint16Array(8 * FIRST_WORDS);
  /**
   * By stem, that is word * languages + language: where its bytes start and how many there are, 0 where
   * it has not been asked for; and side by side which table has numbered it last, and the number.
   */
  #stemStarts = new Uint32Array(LANGUAGES.length * FIRST_WORDS);
  #stemLengths = new Uint8Array(LANGUAGES.length * FIRST_WORDS);
  #numbered = new Uint32Array(2 * LANGUAGES.length * FIRST_WORDS);
  /** The bytes of stems, as terms have them: see dictionary.ts. */
  #bytes = new Uint8Array(16 * FIRST_WORDS);
  #bytesUsed = 0;
  readonly #name: Span = { units: new Uint16Array(SIZE_MAX), from: 0, to: 0, hash: 0 };

  /** The number of a word among units. */
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

  /** The number of a word by itself. */
  findText(text: string): number {
    const span = this.#name;
    span.hash = HASH_START;
    span.to = Math.min(text.length, SIZE_MAX);
    for (let at = 0; at < span.to; at++) {
      const unit = span.units[at] = text.charCodeAt(at);
      span.hash = hashUnit(span.hash, unit);
    }
    return this.find(span);
  }

  /** A word, folded; empty where it is not searched for. */
  text(word: number): string {
    return read(this.#raw(word)).text;
  }

  /** The number of a stem among the terms of a table. */
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
    if (this.#copyPlain(word) && isSurelyContent(this.#name.units, end - start)) {
      this.marks[word] = SEARCHED;
      return word;
    }
    const { text, tells } = read(this.#raw(word));
    this.marks[word] = (text === "" ? 0 : SEARCHED) | (text === "net" ? IS_NET : 0) |
      (tells === "english" ? TELLS_ENGLISH : 0) | (tells === "french" ? TELLS_FRENCH : 0);
    return word;
  }

  #raw(word: number): string {
    const own = this.#letters.subarray(this.#starts[word], this.#starts[word + 1]);
    // Several times as fast as spreading them.
    return Reflect.apply(String.fromCharCode, null, own);
  }

  #addStem(own: number): void {
    const place = own % LANGUAGES.length;
    const word = (own - place) / LANGUAGES.length;
    const start = this.#bytesUsed;
    if (start + STEM_BYTES_MAX > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, start + STEM_BYTES_MAX);
    }
    this.#bytes[start] = place;
    this.#stemStarts[own] = start;
    this.#bytesUsed = LANGUAGES[place] === "english" && this.#copyPlain(word)
      ? this.#takePlainStem(start + 1, this.#starts[word + 1]! - this.#starts[word]!)
      : encode(stem(this.text(word), LANGUAGES[place]!), this.#bytes, start + 1);
    this.#stemLengths[own] = this.#bytesUsed - start;
  }

  /** Copies a word in small letters. @returns false where it is not made of a to z alone */
  #copyPlain(word: number): boolean {
    const start = this.#starts[word]!;
    const size = this.#starts[word + 1]! - start;
    if (size < 2 || size > WORD_LENGTH) return false;
    for (let at = 0; at < size; at++) {
      const letter = this.#letters[start + at]! | SMALL;
      if (letter < 97 || letter > 122) return false;
      this.#name.units[at] = letter;
    }
    return true;
  }

  #takePlainStem(from: number, size: number): number {
    const { units } = this.#name;
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
    this.#slots = new Uint32Array(2 * SLOTS_A_WORD * words);
    for (let word = 0; word < this.size; word++) this.#link(word);
  }
}
