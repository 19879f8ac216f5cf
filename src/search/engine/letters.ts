/**
 * Texts as plain letters: unaccented (see words.ts), unit by unit, in a buffer that all texts share,
 * so that hardly any text is copied.
 */
import { HASH_START, hashUnit, type Span } from "./lexicon.ts";
import { unaccent } from "./words.ts";

const LETTERS = /\p{L}/u;
const PARTS = /[\p{L}\p{N}]/u;
const ACCENTS = /[àâçèéêëîïôùûœ]/iu;
const LETTER_RUNS = /\p{L}+/gu;

const KNOWN = 1;
/** Part of a word. */
const PART = 2;
const LETTER = 4;
/** Has an accent that tells French. */
const ACCENTED = 8;
/** Of no meaning without its neighbours, or more than one unit when it is plain. */
const BOUND = 16;

/** What a UTF-16 unit is, and what it is when it is plain; 0: not known yet. */
const kinds = new Uint8Array(1 << 16);
const plain = new Uint16Array(1 << 16);
for (let unit = 0; unit < 128; unit++) learn(unit);

function learn(unit: number): number {
  const own = String.fromCharCode(unit);
  const folded = unaccent(own);
  const isAlike = PARTS.test(own) === PARTS.test(folded) &&
    LETTERS.test(own) === LETTERS.test(folded);
  const isBound = folded.length !== 1 || !isAlike || (unit >= 0xd800 && unit < 0xe000);
  plain[unit] = folded.charCodeAt(0);
  return kinds[unit] = KNOWN | (PARTS.test(own) ? PART : 0) | (LETTERS.test(own) ? LETTER : 0) |
    (ACCENTS.test(own) ? ACCENTED : 0) | (isBound ? BOUND : 0);
}

/** One text at a time. */
export class PlainText {
  /** Those of the text, and a 0 that ends it. */
  units = new Uint16Array(1 << 12);
  length = 0;
  /** How many runs of letters had accents that tell French. */
  accented = 0;
  #given = "";
  /** `text` once it was asked for: a long text may hold many names. */
  #text: string | undefined;
  #lastAccent = -1;

  /** The text as a string, place by place the units. */
  get text(): string {
    return this.#text ??= unaccent(this.#given);
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

  /** Whether a letter or digit stands at a place. */
  isPartAt(at: number): boolean {
    return this.#partAt(at) > 0;
  }

  /** Moves a span to the letters and digits that begin at a place; there may be none. */
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

  /** How many units of a letter or digit stand at a place: 0, 1 or 2. */
  #partAt(at: number): number {
    const unit = this.units[at]!;
    const kind = kinds[unit] || learn(unit);
    if ((kind & PART) !== 0) return 1;
    if (unit < 0xd800 || unit >= 0xdc00) return 0;
    const pair = String.fromCharCode(unit, this.units[at + 1]!);
    return pair.codePointAt(0)! > 0xffff && PARTS.test(pair) ? 2 : 0;
  }

  #start(text: string): void {
    this.#given = text;
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
      before > this.#lastAccent && (kinds[this.#given.charCodeAt(before)]! & LETTER) !== 0
    ) before--;
    if (before > this.#lastAccent || before < 0) this.accented++;
    this.#lastAccent = at;
  }
}
