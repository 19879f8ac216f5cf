/** Documents of a segment that hold terms, as bits. */
import type { Key } from "./dictionary.ts";
import type { Segment } from "./segment.ts";

/** Groups of terms whose documents a segment remembers, and terms of a group that is remembered. */
const REMEMBERED_GROUPS = 32;
const REMEMBERED_TERMS = 8;

/** The documents that hold one term of a group. Searches ask for few groups again and again. */
export class TermDocuments {
  readonly #segment: Segment;
  /** By the numbers of the terms; those that were asked for last come last. */
  readonly #groups = new Map<string, Uint32Array>();

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  get memory(): number {
    return this.#groups.values().reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Returns a bit for each document, set for those that hold one term of every group. Null: the
   * segment knows no term of a group.
   */
  holdingAll(groups: readonly (readonly Key[])[]): Uint32Array | null {
    const terms = groups.map((group) =>
      group.map((key) => this.#segment.term(key)).filter((term) => term >= 0)
    );
    if (terms.some(({ length }) => length === 0)) return null;
    const all = terms.map((group) => this.#holdingAny(group));
    if (all.length === 1) return all[0]!;
    const bits = all[0]!.slice();
    for (const other of all.slice(1)) {
      for (let place = 0; place < bits.length; place++) bits[place]! &= other[place]!;
    }
    return bits;
  }

  #holdingAny(terms: readonly number[]): Uint32Array {
    if (terms.length > REMEMBERED_TERMS) return this.#read(terms);
    const name = terms.join();
    const bits = this.#groups.get(name) ?? this.#read(terms);
    this.#groups.delete(name);
    this.#groups.set(name, bits);
    if (this.#groups.size > REMEMBERED_GROUPS) {
      this.#groups.delete(this.#groups.keys().next().value!);
    }
    return bits;
  }

  #read(terms: readonly number[]): Uint32Array {
    const { postings } = this.#segment.parts;
    return bitsOf(
      this.#segment,
      terms.map((term) =>
        postings.subarray(this.#segment.start(term), this.#segment.start(term + 1))
      ),
    );
  }
}

/** Counts the bits that are set. */
export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let place = 0; place < bits.length; place++) {
    let rest = bits[place]!;
    if (rest === 0) continue;
    rest -= (rest >>> 1) & 0x55555555;
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Lists the documents whose bits are set, rising. */
export function* documentsIn(bits: Uint32Array): Iterable<number> {
  for (let place = 0; place < bits.length; place++) {
    for (let rest = bits[place]!; rest !== 0; rest &= rest - 1) {
      yield place << 5 | 31 - Math.clz32(rest & -rest);
    }
  }
}

/** Returns a bit for each document, set for those of the lists. */
export function bitsOf({ size }: Segment, groups: readonly Uint16Array[]): Uint32Array {
  const bits = new Uint32Array((size + 31) >>> 5);
  for (const documents of groups) {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at]!;
      bits[document >>> 5]! |= 1 << (document & 31);
    }
  }
  return bits;
}
