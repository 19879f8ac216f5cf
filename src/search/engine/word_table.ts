/**
 * Words met lately, found by their letters where they stand in a text: no string is cut out for one
 * that is known. Bounded: when it is full, it is emptied.
 */
import { Word } from "./words.ts";

const WORDS_MAX = 1 << 17;
const LETTERS_MAX = 1 << 21;
const SLOT_MASK = 2 * WORDS_MAX - 1;

/** 0 or the place of a word + 1. */
const slots = new Uint32Array(SLOT_MASK + 1);
const hashes = new Uint32Array(WORDS_MAX);
const starts = new Uint32Array(WORDS_MAX + 1);
const letters = new Uint16Array(LETTERS_MAX);
let words: Word[] = [];

export const HASH_START = 0x811c9dc5;

/** The hash of what stood before and one more UTF-16 unit. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The word between two places of a text without accents, by the hash of its units. */
export function wordAt(text: string, at: number, end: number, hash: number): Word {
  const mixed = (hash ^ (hash >>> 15)) >>> 0;
  let slot = mixed & SLOT_MASK;
  for (; slots[slot] !== 0; slot = (slot + 1) & SLOT_MASK) {
    const place = slots[slot]! - 1;
    if (hashes[place] === mixed && isAt(place, text, at, end)) return words[place]!;
  }
  const word = new Word(text.slice(at, end));
  remember(word, { text, at, end, mixed, slot });
  return word;
}

/** A word that stands by itself. */
export function wordOf(text: string): Word {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = hashUnit(hash, text.charCodeAt(at));
  return wordAt(text, 0, text.length, hash);
}

function isAt(place: number, text: string, at: number, end: number): boolean {
  const start = starts[place]!;
  if (starts[place + 1]! - start !== end - at) return false;
  for (let from = at; from < end; from++) {
    if (letters[start + from - at] !== text.charCodeAt(from)) return false;
  }
  return true;
}

function remember(
  word: Word,
  { text, at, end, mixed, slot }: {
    text: string;
    at: number;
    end: number;
    mixed: number;
    slot: number;
  },
): void {
  const place = words.length;
  if (place === WORDS_MAX || starts[place]! + end - at > LETTERS_MAX) {
    slots.fill(0);
    words = [];
    return;
  }
  for (let from = at; from < end; from++) {
    letters[starts[place]! + from - at] = text.charCodeAt(from);
  }
  starts[place + 1] = starts[place]! + end - at;
  hashes[place] = mixed;
  words.push(word);
  slots[slot] = place + 1;
}
