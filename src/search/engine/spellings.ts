/**
 * The distinct words and names of an index by the letters that they have, so that one pass over a few
 * megabytes finds near forms. An entry is the hash of a term, its letters and its first byte. Its text
 * is looked up in the segments. Terms that no document holds any more may be left in it.
 */
import { FACET_SPACE, hashOfBytes, startOfTerm, type Terms } from "./dictionary.ts";
import { beginAlike } from "./spelling_errors.ts";
import { LANGUAGES } from "./tokens.ts";

/** Beginning of the facet terms that are names of companies, as bytes. */
const NAME_PREFIX = new TextEncoder().encode("name:");

/** Bits 0 to 25: letters a to z; bit 26: anything else; bit 27: a name; upper bits: the length. */
const OTHER_BIT = 26;
const NAME_BIT = 27;
const LETTER_BITS = (1 << NAME_BIT) - 1;
const LENGTH_SHIFT = 28;
const LENGTH_MAX = 15;

/** Terms that are added between two looks at the clock: they take a fraction of a millisecond. */
const BATCH = 200;

/** Bits of the number of tables. Each grows by itself, so that no growth takes a millisecond. */
const SHARD_BITS = 8;
const FIRST_SLOTS = 1 << 4;

/** Letters that a stem may lack at the end of a word, beside its errors. */
const ENDING_MAX = 4;

/** A term that may be near a text. */
export interface NearTerm {
  hash: number;
  letters: number;
}

/** An open table: letters (0: a free slot), hash and first byte of each term. */
interface Shard {
  letters: Uint32Array;
  hashes: Uint32Array;
  firsts: Uint8Array;
  size: number;
}

export class Spellings {
  readonly #shards = Array.from({ length: 1 << SHARD_BITS }, () => shardOf(FIRST_SLOTS));
  /** Terms that have been added, by what holds them. */
  readonly #added = new WeakMap<object, number>();

  get memory(): number {
    return this.#shards.reduce((sum, { letters }) => sum + 9 * letters.length, 0);
  }

  /**
   * Adds the words and names of a dictionary that are not added yet.
   *
   * @param holder the same object for the same dictionary
   * @param until when to stop, by performance.now()
   * @returns whether all have been added
   */
  add(holder: object, terms: Terms, size: number, until: number): boolean {
    let term = this.#added.get(holder) ?? 0;
    while (term < size) {
      const end = Math.min(size, term + BATCH);
      for (; term < end; term++) {
        this.#addTerm(terms.termBytes, startOfTerm(terms, term), startOfTerm(terms, term + 1));
      }
      if (performance.now() > until) break;
    }
    this.#added.set(holder, term);
    return term === size;
  }

  /** Notes that all terms of a dictionary are there already: those of a merged segment. */
  noteAdded(holder: object, size: number): void {
    this.#added.set(holder, size);
  }

  /** Tells whether all terms of a dictionary have been added. */
  hasAll(holder: object, size: number): boolean {
    return this.#added.get(holder) === size;
  }

  /** Tells whether a word may be among the terms. If not, no document holds it. */
  mayHold(hash: number): boolean {
    const { letters, hashes } = this.#shards[hash >>> 32 - SHARD_BITS]!;
    const mask = letters.length - 1;
    for (let slot = hash & mask; letters[slot] !== 0; slot = (slot + 1) & mask) {
      if (hashes[slot] === hash) return true;
    }
    return false;
  }

  /** Lists names that may be one error away from a text, or `errors` where both begin alike. */
  namesNear(text: string, errors: number): NearTerm[] {
    const bytes = new TextEncoder().encode(text);
    const wanted = lettersOf(bytes, true);
    const isAlike = firstsLike(bytes[0]);
    return this.#list((letters, first) => {
      const max = isAlike[first] === 1 ? errors : 1;
      if (((letters ^ wanted) >>> NAME_BIT & 1) === 1) return false;
      // A letter beyond a to z may have several bytes.
      const slack = ((letters | wanted) >>> OTHER_BIT & 1) === 1 ? 4 * max : max;
      if (Math.abs((letters >>> LENGTH_SHIFT) - (wanted >>> LENGTH_SHIFT)) > slack) return false;
      // An error changes at most two letters: one goes, another comes.
      return countBits((letters ^ wanted) & LETTER_BITS) <= 2 * max;
    });
  }

  /** Lists words that may be within some errors of a beginning of a word, and begin as it does. */
  stemsNear(word: string, errors: number): NearTerm[] {
    const bytes = new TextEncoder().encode(word);
    const lettersByLength = Array.from(
      { length: LENGTH_MAX + 1 },
      (_, length) => lettersOf(bytes, false, 0, Math.max(0, Math.min(length, bytes.length))),
    );
    const all = lettersOf(bytes, false);
    const isAlike = firstsLike(bytes[0]);
    const least = Math.min(LENGTH_MAX, bytes.length - ENDING_MAX - errors);
    return this.#list((letters, first) => {
      if (isAlike[first] === 0 || (letters >>> NAME_BIT & 1) === 1) return false;
      const length = letters >>> LENGTH_SHIFT;
      if (length < least || length > bytes.length + errors) return false;
      if (countBits(letters & ~all & LETTER_BITS) > errors) return false;
      const beginning = lettersByLength[Math.max(0, length - errors)]!;
      return countBits(beginning & ~letters & LETTER_BITS) <= errors;
    });
  }

  #list(isNear: (letters: number, first: number) => boolean): NearTerm[] {
    const terms: NearTerm[] = [];
    for (const { letters, hashes, firsts } of this.#shards) {
      for (let slot = 0; slot < letters.length; slot++) {
        const own = letters[slot]!;
        if (own === 0 || !isNear(own, firsts[slot]!)) continue;
        terms.push({ hash: hashes[slot]!, letters: own });
      }
    }
    return terms;
  }

  #addTerm(bytes: Uint8Array, start: number, end: number): void {
    const from = startOfLetters(bytes, start);
    if (from === 0) return;
    const shard = this.#shards[hashOfBytes(bytes, start, end) >>> 32 - SHARD_BITS]!;
    if (5 * (shard.size + 1) > 4 * shard.letters.length) grow(shard);
    const letters = lettersOf(bytes, bytes[start] === FACET_SPACE, from, end);
    put(shard, { hash: hashOfBytes(bytes, start, end), letters, first: bytes[from] ?? 0 });
  }
}

/** Returns the letters of a term as entries keep them. */
export function lettersOfTerm(bytes: Uint8Array, start: number, end: number): number {
  return lettersOf(bytes, bytes[start] === FACET_SPACE, startOfLetters(bytes, start), end);
}

/** Returns where the text of a word or name begins; 0 for a term that is neither. */
export function startOfLetters(bytes: Uint8Array, start: number): number {
  if (bytes[start]! < LANGUAGES.length) return start + 1;
  const isName = bytes[start] === FACET_SPACE &&
    NAME_PREFIX.every((byte, place) => bytes[start + 1 + place] === byte);
  return isName ? start + 1 + NAME_PREFIX.length : 0;
}

/** By byte: 1 where it begins a term as a text begins. */
function firstsLike(first = 0): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => beginAlike(byte, first) ? 1 : 0);
}

function shardOf(slots: number): Shard {
  return {
    letters: new Uint32Array(slots),
    hashes: new Uint32Array(slots),
    firsts: new Uint8Array(slots),
    size: 0,
  };
}

function put(shard: Shard, entry: NearTerm & { first: number }): void {
  const { letters, hashes, firsts } = shard;
  const mask = letters.length - 1;
  for (let slot = entry.hash & mask;; slot = (slot + 1) & mask) {
    if (letters[slot] === 0) {
      letters[slot] = entry.letters;
      hashes[slot] = entry.hash;
      firsts[slot] = entry.first;
      shard.size++;
      return;
    }
    if (hashes[slot] === entry.hash && letters[slot] === entry.letters) return;
  }
}

function grow(shard: Shard): void {
  const { letters, hashes, firsts } = shard;
  Object.assign(shard, shardOf(2 * letters.length));
  for (let slot = 0; slot < letters.length; slot++) {
    if (letters[slot] === 0) continue;
    put(shard, { hash: hashes[slot]!, letters: letters[slot]!, first: firsts[slot]! });
  }
}

function lettersOf(bytes: Uint8Array, isName: boolean, from = 0, to = bytes.length): number {
  let letters = Math.min(Math.max(to - from, 1), LENGTH_MAX) << LENGTH_SHIFT;
  if (isName) letters |= 1 << NAME_BIT;
  for (let at = from; at < to; at++) {
    const place = bytes[at]! - 97;
    letters |= 1 << (place >= 0 && place < OTHER_BIT ? place : OTHER_BIT);
  }
  return letters >>> 0;
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
