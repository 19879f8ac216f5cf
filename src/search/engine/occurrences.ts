/**
 * Occurrences of a term in the fields of a document, as one byte: few combinations are common, and
 * those have codes; the rest is kept aside.
 */
import { type Field, shiftsOf, unpackWeighted } from "./fields.ts";
import { ESCAPE } from "./layout.ts";

/** Some so many are counted to find the common ones. */
const SAMPLE = 1 << 13;
const SLOTS = 1024;
const SEVERAL = 255;

/** Where the lengths of a document's fields are, and what they make of an occurrence. */
export interface Measure {
  /** [field * 256 + byte of the length]: see fields.ts. */
  factors: Float64Array;
  lengths: Uint8Array;
  /** The place of the document's first field in `lengths`. */
  first: number;
}

/** Weighted occurrences by code and field: [code * fields + field]. */
export function weightedByCode(fields: readonly Field[], codes: Uint32Array): Float64Array {
  const weighted = new Float64Array(256 * fields.length);
  const shifts = shiftsOf(fields);
  codes.forEach((packed, code) => {
    weighted.set(unpackWeighted(fields, packed, shifts), code * fields.length);
  });
  return weighted;
}

/** What a code counts in all fields together. @param weighted by code and field */
export function countsByCode(weighted: Float64Array, fields: number): Float64Array {
  const counts = new Float64Array(weighted.length / fields);
  weighted.forEach((own, place) => counts[Math.floor(place / fields)]! += own);
  return counts;
}

/** The codes of a segment while it is built. */
export class CodeTable {
  /** By code. */
  readonly packed: Uint32Array;
  readonly #fields: readonly Field[];
  readonly #weighted: Float64Array;
  /** By code: the field that alone has any; SEVERAL where it is not the only one. */
  readonly #single: Uint8Array;
  readonly #slotPacked = new Uint32Array(SLOTS);
  readonly #slotCodes = new Uint8Array(SLOTS).fill(ESCAPE);

  constructor(fields: readonly Field[], occurrences: Uint32Array) {
    const counts = new Map<number, number>();
    const step = Math.ceil(occurrences.length / SAMPLE);
    for (let place = 0; place < occurrences.length; place += step) {
      counts.set(occurrences[place]!, (counts.get(occurrences[place]!) ?? 0) + 1);
    }
    const common = [...counts].sort(([a, m], [b, n]) => n - m || a - b).slice(0, ESCAPE);
    this.packed = Uint32Array.from(common, ([packed]) => packed);
    this.#fields = fields;
    this.#weighted = weightedByCode(fields, this.packed);
    this.#single = singleFields(this.#weighted, fields.length);
    this.packed.forEach((packed, code) => {
      let slot = slotOf(packed);
      while (this.#slotCodes[slot] !== ESCAPE) slot = (slot + 1) % SLOTS;
      this.#slotPacked[slot] = packed;
      this.#slotCodes[slot] = code;
    });
  }

  codeOf(packed: number): number {
    for (let slot = slotOf(packed);; slot = (slot + 1) % SLOTS) {
      const code = this.#slotCodes[slot]!;
      if (code === ESCAPE || this.#slotPacked[slot] === packed) return code;
    }
  }

  /** What occurrences count in a document. */
  weigh(code: number, packed: number, { factors, lengths, first }: Measure): number {
    const fields = this.#fields.length;
    const single = this.#single[code]!;
    if (single !== SEVERAL) {
      const length = lengths[first + single]!;
      return this.#weighted[code * fields + single]! * factors[single * 256 + length]!;
    }
    const weighted = code === ESCAPE ? unpackWeighted(this.#fields, packed) : this.#weighted;
    const start = code === ESCAPE ? 0 : code * fields;
    let sum = 0;
    for (let field = 0; field < fields; field++) {
      const own = weighted[start + field]!;
      if (own !== 0) sum += own * factors[field * 256 + lengths[first + field]!]!;
    }
    return sum;
  }
}

function singleFields(weighted: Float64Array, fields: number): Uint8Array {
  const single = new Uint8Array(256).fill(SEVERAL);
  for (let code = 0; code < ESCAPE; code++) {
    const own = weighted.subarray(code * fields, (code + 1) * fields);
    const field = own.findIndex((occurrences) => occurrences !== 0);
    const last = own.findLastIndex((occurrences) => occurrences !== 0);
    if (field >= 0 && field === last) single[code] = field;
  }
  return single;
}

function slotOf(packed: number): number {
  return Math.imul(packed, 0x9e3779b1) >>> 22;
}
