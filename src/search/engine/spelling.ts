/**
 * Finds near forms of words and names: forms in the index that a misspelled word may mean. An error
 * is a letter that is added, missing or replaced, or two swapped letters. Forms with fewer errors
 * come first, then more frequent forms, then longer forms. Remaining ties are sorted by text.
 * Replicas with the same documents therefore agree, whatever their segments are. A table keeps the
 * lengths and letters of the distinct words and names of an index. One pass over the entries of
 * about the same length finds candidates.
 */
import {
  FACET_SPACE,
  hashOfBytes,
  type Key,
  keyOf,
  startOfTerm,
  type TermSections,
} from "./dictionary.ts";
import { bitCount } from "./typed_arrays.ts";
import { LANGUAGES, stem } from "./words.ts";

/** Access to the terms of an index, among which near forms are found. */
export interface NearFormSource {
  /** Counts the documents that contain a term. */
  frequency(key: Key): number;
  /** Tells whether documents may contain a term. It is quicker than `frequency`. */
  mayHold(key: Key): boolean;
  /** Lists names that may be near a key, without their prefix `name:`. */
  namesNear(key: string, errors: number): Iterable<{ text: string }>;
  /** Lists stems that may be near a prefix of a word. */
  stemsNear(word: string, errors: number): Iterable<{ space: number; text: string }>;
}

interface NearForm {
  text: string;
  errors: number;
  frequency: number;
}

/**
 * Returns the nearest word of an index; undefined if no word is near. A near word differs by one
 * error. It may differ by two errors if the misspelled word has at least 8 letters and both words
 * begin alike. Documents may contain any form of the near word. Other forms of the misspelled word
 * are not near.
 *
 * @param word misspelled word, folded
 */
export function nearestWord(index: NearFormSource, word: string): string | undefined {
  const errors = errorsMax(word);
  if (errors === 0) return undefined;
  const stems = LANGUAGES.map((language) => stem(word, language));
  const candidates: NearForm[] = [];
  for (const text of oneErrorAway(word)) {
    let frequency = 0;
    LANGUAGES.forEach((language, space) => {
      const stemOfText = stem(text, language);
      if (stemOfText === stems[space]) return;
      const key = keyOf(space, stemOfText);
      if (index.mayHold(key)) frequency += index.frequency(key);
    });
    if (frequency > 0) candidates.push({ text, errors: 1, frequency });
  }
  if (candidates.length === 0 && errors === 2) {
    candidates.push(...twoErrorsAway(index, word, stems));
  }
  return best(candidates)?.text;
}

/**
 * Lists words of the index with up to two errors. They are found by their stems, which are near a
 * prefix of the misspelled word.
 */
function twoErrorsAway(index: NearFormSource, word: string, stems: readonly string[]): NearForm[] {
  const candidates: NearForm[] = [];
  for (const { space, text: nearStem } of index.stemsNear(word, 2)) {
    if (nearStem === stems[space] || !isNearBeginning(nearStem, word, 2)) continue;
    const form = nearestForm(nearStem, { language: LANGUAGES[space]!, word });
    if (form === undefined) continue;
    const frequency = index.frequency(keyOf(space, nearStem));
    if (frequency > 0) candidates.push({ ...form, frequency });
  }
  return candidates;
}

/** Endings that stemming may have removed from a word. */
const ENDINGS = [
  ..."|e|s|es|y|ies|ing|ings|ed|er|ers|ion|ions|ation|ations|ment|ments|al|ance|ity|ive".split("|"),
  ..."t|ts|ting|ted|tion|tions|tor|tors|ate|ated|ates|ating|ator|ure|ique|iques|ement".split("|"),
  ..."ements|eur|eurs|euse|age|ages|able|ables".split("|"),
];

/** Max number of last letters of the misspelled word that are tried as an ending. */
const LAST_LETTERS_MAX = 6;

/**
 * Returns the form of a stem that is nearest to the misspelled word, or the shortest of the nearest
 * forms. Returns undefined if all forms have more than two errors.
 */
function nearestForm(
  stemmed: string,
  { language, word }: { language: (typeof LANGUAGES)[number]; word: string },
): Omit<NearForm, "frequency"> | undefined {
  const bases = stemmed.endsWith("i") ? [stemmed, stemmed.slice(0, -1)] : [stemmed];
  // The intended word may have the same ending as the misspelled one.
  const lastLetters = Array.from(
    { length: LAST_LETTERS_MAX },
    (_, n) => word.slice(word.length - n - 1),
  );
  const endings = new Set([...ENDINGS, ...lastLetters]);
  const forms = bases.flatMap((base) => Array.from(endings, (ending) => base + ending))
    .map((text) => ({ text, errors: countErrors(word, text, 2), frequency: -text.length }))
    // Forms are stemmed last, because stemming takes longest.
    .filter(({ text, errors }) => errors !== Infinity && stem(text, language) === stemmed);
  return best(forms);
}

/**
 * Returns the nearest name key of an index; undefined if no key is near. A near key differs by one
 * error. It may differ by two errors if the misspelled key has at least 8 letters and both keys
 * begin alike.
 *
 * @param key misspelled key, without the prefix `name:`
 */
export function nearestName(index: NearFormSource, key: string): string | undefined {
  const max = errorsMax(key);
  if (max === 0) return undefined;
  const first = key.charCodeAt(0);
  const candidates = [...index.namesNear(key, max)].flatMap(({ text }): NearForm[] => {
    const maxErrors = beginAlike(text.charCodeAt(0), first) ? max : 1;
    const errors = text === key ? Infinity : countErrors(key, text, maxErrors);
    if (errors === Infinity) return [];
    const frequency = index.frequency(keyOf(FACET_SPACE, NAME_PREFIX + text));
    return frequency === 0 ? [] : [{ text, errors, frequency }];
  });
  return best(candidates)?.text;
}

const NAME_PREFIX = "name:";

function best(candidates: readonly NearForm[]): NearForm | undefined {
  return candidates.toSorted((a, b) =>
    a.errors - b.errors || b.frequency - a.frequency || b.text.length - a.text.length ||
    (a.text < b.text ? -1 : 1)
  )[0];
}

/**
 * Min number of letters of a word that is corrected. A word of at least TWO_ERRORS_LETTERS_MIN
 * letters may have two errors.
 */
export const CORRECTED_LETTERS_MIN = 4;

const TWO_ERRORS_LETTERS_MIN = 8;

/** Returns the max number of errors of a word that are corrected: 0, 1 or 2. */
export function errorsMax(word: string): number {
  if (word.length < CORRECTED_LETTERS_MIN) return 0;
  return word.length < TWO_ERRORS_LETTERS_MIN ? 1 : 2;
}

/**
 * Returns the min number of errors that turn one text into another (optimal string alignment), or
 * Infinity if there are more than `max`.
 */
export function countErrors(source: string, target: string, max: number): number {
  if (Math.abs(source.length - target.length) > max) return Infinity;
  const errors = errorsByPrefix(source, target, max)?.[target.length] ?? Infinity;
  return errors <= max ? errors : Infinity;
}

/** Tells whether a text differs from any prefix of a word by at most `max` errors. */
export function isNearBeginning(text: string, word: string, max: number): boolean {
  const errors = errorsByPrefix(text, word, max);
  if (errors === null) return false;
  const last = Math.min(word.length, text.length + max);
  for (let place = Math.max(0, text.length - max); place <= last; place++) {
    if (errors[place]! <= max) return true;
  }
  return false;
}

/**
 * Three rows of the alignment table: the current one and the two before it. All comparisons share
 * these arrays, because only one comparison runs at a time.
 */
let rows = Array.from({ length: 3 }, () => new Uint8Array(64));

/**
 * Returns the number of errors between `source` and each prefix of `target`, by the length of the
 * prefix. Only lengths that differ by up to `max` from the length of `source` are valid. Returns
 * null if all prefixes have more than `max` errors.
 */
function errorsByPrefix(source: string, target: string, max: number): Uint8Array | null {
  if (target.length + 2 > rows[0]!.length) {
    rows = rows.map(() => new Uint8Array(2 * target.length + 2));
  }
  const over = max + 1;
  let [before, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let place = 0; place <= target.length; place++) last[place] = Math.min(place, over);
  for (let at = 1; at <= source.length; at++) {
    const from = Math.max(1, at - max);
    const to = Math.min(target.length, at + max);
    let minErrors = row[from - 1] = from === 1 ? Math.min(at, over) : over;
    for (let place = from; place <= to; place++) {
      const isSame = source.charCodeAt(at - 1) === target.charCodeAt(place - 1);
      let errors = last[place - 1]! + (isSame ? 0 : 1);
      errors = Math.min(errors, last[place]! + 1, row[place - 1]! + 1, over);
      if (isSwapped(source, at, target, place)) errors = Math.min(errors, before[place - 2]! + 1);
      row[place] = errors;
      if (errors < minErrors) minErrors = errors;
    }
    if (to < target.length) row[to + 1] = over;
    if (minErrors > max) return null;
    [before, last, row] = [last, row, before];
  }
  return last;
}

/** Tells whether the last two letters of one prefix are those of the other, swapped. */
function isSwapped(source: string, at: number, target: string, place: number): boolean {
  return at > 1 && place > 1 && source.charCodeAt(at - 1) === target.charCodeAt(place - 2) &&
    source.charCodeAt(at - 2) === target.charCodeAt(place - 1);
}

/**
 * Groups of letters that sound alike at the beginning of a word: "farmacy" and "pharmacy", "kanada"
 * and "canada".
 */
const ALIKE = ["fp", "ckqsz", "gj", "iy"].map((letters) =>
  new Set(Array.from(letters, (letter) => letter.charCodeAt(0)))
);

/**
 * Tells whether two first letters are equal or sound alike. Words that differ by two errors must
 * begin alike.
 */
export function beginAlike(first: number, second: number): boolean {
  return first === second || ALIKE.some((letters) => letters.has(first) && letters.has(second));
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Lists the texts that differ from a word by one error, without the word itself. */
export function oneErrorAway(word: string): Set<string> {
  const texts = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at + 1);
    for (const letter of LETTERS) {
      texts.add(before + letter + word.slice(at));
      if (at < word.length) texts.add(before + letter + after);
    }
    if (at < word.length) texts.add(before + after);
    if (at + 1 < word.length) texts.add(before + word[at + 1] + word[at] + word.slice(at + 2));
  }
  texts.delete(word);
  return texts;
}

/** Prefix of the facet terms that are names of companies, as bytes. */
const NAME_PREFIX_BYTES = new TextEncoder().encode("name:");

/**
 * Layout of the 32 bits that describe a term. Bits 0 to 25 are set for the letters a to z that it
 * contains, and bit 26 for any other character. Bit 27 is set for a name. The upper bits are the
 * length in UTF-16 code units.
 */
const OTHER_BIT = 26;

const NAME_BIT = 27;

const LETTER_BITS = (1 << NAME_BIT) - 1;

const LENGTH_SHIFT = 28;

const LENGTH_MAX = 15;

/**
 * Number of terms that are added between two checks of the time. Adding them takes a fraction of a
 * millisecond.
 */
const BATCH = 200;

/**
 * Number of classes of terms: by length, and by whether they are names. Each class has 2^HASH_BITS
 * shards by hash. Shards grow one by one, so that no growth takes a millisecond.
 */
const TERM_CLASSES = 1 << 32 - NAME_BIT;

const HASH_BITS = 5;

const FIRST_SLOTS = 1 << 4;

/** Max number of last letters of a word that its stem lacks, in addition to errors. */
const ENDING_MAX = 4;

/** A term that may be near a text: its hash, and its letters and length as bits (see OTHER_BIT). */
export interface NearTerm {
  hash: number;
  letters: number;
}

/** A hash table of terms: letters (0: a free slot), hash and first byte of each. */
interface Shard {
  letters: Uint32Array;
  hashes: Uint32Array;
  firsts: Uint8Array;
  size: number;
}

/** The distinct words and names of an index, by their lengths and letters. */
export class SpellingTable {
  #created: readonly Shard[] | undefined;
  /** Number of terms that have been added, by the object that contains them. */
  readonly #added = new WeakMap<object, number>();

  get memory(): number {
    return (this.#created ?? []).reduce((sum, { letters }) => sum + 9 * letters.length, 0);
  }

  /**
   * The hash tables. They are created at their first use, because some indexes never use them, such
   * as one of the candidates of a single search.
   */
  get #shards(): readonly Shard[] {
    return this.#created ??= Array.from(
      { length: TERM_CLASSES << HASH_BITS },
      () => shardOf(FIRST_SLOTS),
    );
  }

  /**
   * Adds the words and names of a dictionary that are not added yet.
   *
   * @param holder object that identifies the dictionary
   * @param until time to stop, as of performance.now()
   * @returns whether all have been added
   */
  add(holder: object, terms: TermSections, size: number, until: number): boolean {
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

  /**
   * Notes that all terms of a dictionary are present already, such as those of a merged segment.
   */
  noteAdded(holder: object, size: number): void {
    this.#added.set(holder, size);
  }

  /** Tells whether all terms of a dictionary have been added. */
  hasAll(holder: object, size: number): boolean {
    return this.#added.get(holder) === size;
  }

  /** Tells whether a word may be among the terms. If not, no document contains it. */
  mayHold({ bytes, hash }: Key): boolean {
    const { letters, hashes } = this.#shardOf(lettersOf(bytes, false, 1), hash);
    const mask = letters.length - 1;
    for (let slot = hash & mask; letters[slot] !== 0; slot = (slot + 1) & mask) {
      if (hashes[slot] === hash) return true;
    }
    return false;
  }

  /**
   * Lists names that may differ from a text by one error, or by up to `errors` if both begin alike.
   */
  namesNear(text: string, errors: number): NearTerm[] {
    const bytes = new TextEncoder().encode(text);
    const wanted = lettersOf(bytes, true);
    const isAlike = firstsLike(bytes[0]);
    const length = wanted >>> LENGTH_SHIFT;
    const lengths = { isName: true, min: length - errors, max: length + errors };
    return this.#list(lengths, (letters, first) => {
      const max = isAlike[first] === 1 ? errors : 1;
      if (Math.abs((letters >>> LENGTH_SHIFT) - length) > max) return false;
      // An error changes at most two bits: one letter is removed, and another is added.
      return bitCount((letters ^ wanted) & LETTER_BITS) <= 2 * max;
    });
  }

  /**
   * Lists stems that may differ from a prefix of a word by up to `errors`. The first letters must
   * be equal or sound alike (see beginAlike).
   */
  stemsNear(word: string, errors: number): NearTerm[] {
    const bytes = new TextEncoder().encode(word);
    const lettersByLength = Array.from(
      { length: LENGTH_MAX + 1 },
      (_, length) => lettersOf(bytes, false, 0, Math.min(length, bytes.length)),
    );
    const all = lettersOf(bytes, false);
    const isAlike = firstsLike(bytes[0]);
    const lengths = {
      isName: false,
      min: word.length - ENDING_MAX - errors,
      max: word.length + errors,
    };
    return this.#list(lengths, (letters, first) => {
      if (isAlike[first] === 0) return false;
      if (bitCount(letters & ~all & LETTER_BITS) > errors) return false;
      const beginning = lettersByLength[Math.max(0, (letters >>> LENGTH_SHIFT) - errors)]!;
      return bitCount(beginning & ~letters & LETTER_BITS) <= errors;
    });
  }

  /**
   * Lists the near names, or words, with lengths from `min` to `max`. A length above LENGTH_MAX
   * counts as LENGTH_MAX.
   */
  #list(
    { isName, min, max }: { isName: boolean; min: number; max: number },
    isNear: (letters: number, first: number) => boolean,
  ): NearTerm[] {
    const terms: NearTerm[] = [];
    const last = Math.min(max, LENGTH_MAX);
    for (let length = Math.max(0, Math.min(min, LENGTH_MAX)); length <= last; length++) {
      const from = (2 * length + Number(isName)) << HASH_BITS;
      for (let at = from; at < from + (1 << HASH_BITS); at++) {
        const { letters, hashes, firsts } = this.#shards[at]!;
        for (let slot = 0; slot < letters.length; slot++) {
          const termLetters = letters[slot]!;
          if (termLetters === 0 || !isNear(termLetters, firsts[slot]!)) continue;
          terms.push({ hash: hashes[slot]!, letters: termLetters });
        }
      }
    }
    return terms;
  }

  #shardOf(letters: number, hash: number): Shard {
    return this.#shards[letters >>> NAME_BIT << HASH_BITS | hash >>> 32 - HASH_BITS]!;
  }

  #addTerm(bytes: Uint8Array, start: number, end: number): void {
    const from = startOfLetters(bytes, start);
    if (from === 0) return;
    const hash = hashOfBytes(bytes, start, end);
    const letters = lettersOf(bytes, bytes[start] === FACET_SPACE, from, end);
    const shard = this.#shardOf(letters, hash);
    if (5 * (shard.size + 1) > 4 * shard.letters.length) grow(shard);
    put(shard, { hash, letters, first: bytes[from] ?? 0 });
  }
}

/** Returns the letters of a term: see OTHER_BIT. */
export function lettersOfTerm(bytes: Uint8Array, start: number, end: number): number {
  return lettersOf(bytes, bytes[start] === FACET_SPACE, startOfLetters(bytes, start), end);
}

/** Returns the start of the text of a word or name; 0 for a term that is neither. */
export function startOfLetters(bytes: Uint8Array, start: number): number {
  if (bytes[start]! < LANGUAGES.length) return start + 1;
  const isName = bytes[start] === FACET_SPACE &&
    NAME_PREFIX_BYTES.every((byte, place) => bytes[start + 1 + place] === byte);
  return isName ? start + 1 + NAME_PREFIX_BYTES.length : 0;
}

/** Returns a flag per byte: 1 if the byte equals `first` or sounds like it (see beginAlike). */
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
  let letters = isName ? 1 << NAME_BIT : 0;
  let length = 0;
  for (let at = from; at < to; at++) {
    const place = bytes[at]! - 97;
    letters |= 1 << (place >= 0 && place < OTHER_BIT ? place : OTHER_BIT);
    length += UNITS_OF_BYTE[bytes[at]! >>> 4]!;
  }
  return (letters | Math.min(Math.max(length, 1), LENGTH_MAX) << LENGTH_SHIFT) >>> 0;
}

/**
 * Number of UTF-16 code units that a UTF-8 byte adds, by its upper half. Only first bytes of
 * characters add any.
 */
const UNITS_OF_BYTE = Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2);
