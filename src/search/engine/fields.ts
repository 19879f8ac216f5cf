/**
 * The fields of a document and what BM25F makes of them: the occurrences of a word in a field count
 * by the field's weight and against the field's own length, and all fields and languages of a
 * document are added before repetition is discounted.
 *
 * Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004);
 * Zaragoza and others: Microsoft Cambridge at TREC-13 (2004), for lengths by field.
 */
/**
 * How soon repetitions of a term stop counting, and how much long texts are held back. With 0.75, the
 * more usual B, long bilingual notices fall behind short records; the public collections agree with
 * 0.6 (mean nDCG@10 of SciFact, Cranfield and NPL: 0.513, with 0.75 0.510).
 */
export const K = 1.2;
export const B = 0.6;

export interface Field {
  /** What an occurrence counts. */
  weight: number;
  /** Occurrences of one term are counted up to 2^bits - 1. All fields together have 31 bits. */
  bits: number;
  /** Its texts tell the language of those of the document that are too short to tell. */
  leads?: boolean;
  /** Whether neighbouring words of its texts are kept: see pairs.ts. */
  neighbours?: boolean;
}

/** Where a field's occurrences stand in a packed number: above those of the fields before it. */
export function shiftsOf(fields: readonly Field[]): number[] {
  let shift = 0;
  const shifts = fields.map(({ bits }) => (shift += bits) - bits);
  if (shift > 31) throw new Error("the fields of a document have 31 bits together");
  return shifts;
}

/** A field's occurrences, weighted, of a packed number. */
export function unpackWeighted(
  fields: readonly Field[],
  packed: number,
  shifts = shiftsOf(fields),
): number[] {
  return fields.map(({ bits, weight }, field) =>
    weight * ((packed >>> shifts[field]!) & (2 ** bits - 1))
  );
}

const EXACT_LENGTHS = 128;
const STEPS_AN_OCTAVE = 16;

/**
 * What the one byte of a field's length stands for: exact below 128, then steps of 4 % up to 31,000.
 * Totals and averages add up these, so that what is taken out again leaves nothing behind.
 */
export const LENGTHS: Float64Array = Float64Array.from(
  { length: 256 },
  (_, code) =>
    code < EXACT_LENGTHS
      ? code
      : Math.round(EXACT_LENGTHS * 2 ** ((code - EXACT_LENGTHS) / STEPS_AN_OCTAVE)),
);

/** The byte of a length: that of the next step at or below it. */
export function lengthCode(length: number): number {
  if (length < EXACT_LENGTHS) return length;
  let low = EXACT_LENGTHS;
  let high = 255;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (LENGTHS[middle]! <= length) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What scores ask of all documents together; always those that are there, never former ones. */
export class Totals {
  /** Documents that hold any term. */
  documents = 0;
  /** By field: documents that hold a term in it, and what its lengths add up to. */
  readonly counts: Float64Array;
  readonly lengths: Float64Array;

  constructor(fields: number) {
    this.counts = new Float64Array(fields);
    this.lengths = new Float64Array(fields);
  }

  /** Takes a document in, or out again, by the bytes of its field lengths. */
  count(codes: Uint8Array, start: number, sign: 1 | -1): void {
    let any = 0;
    for (let field = 0; field < this.counts.length; field++) {
      const code = codes[start + field]!;
      if (code === 0) continue;
      any = sign;
      this.counts[field]! += sign;
      this.lengths[field]! += sign * LENGTHS[code]!;
    }
    this.documents += any;
  }

  /** As numbers, for another one to `take`. */
  numbers(): Float64Array {
    return Float64Array.of(this.documents, ...this.counts, ...this.lengths);
  }

  take(numbers: Float64Array): void {
    const fields = this.counts.length;
    this.documents = numbers[0]!;
    this.counts.set(numbers.subarray(1, 1 + fields));
    this.lengths.set(numbers.subarray(1 + fields, 1 + 2 * fields));
  }

  add(other: Totals): void {
    this.documents += other.documents;
    for (let field = 0; field < this.counts.length; field++) {
      this.counts[field]! += other.counts[field]!;
      this.lengths[field]! += other.lengths[field]!;
    }
  }

  /** By field; 1 where no document holds a term. */
  averages(): Float64Array {
    return this.counts.map((count, field) => count === 0 ? 1 : this.lengths[field]! / count);
  }
}

/** For each field and length byte, what an occurrence is multiplied by: [field * 256 + code]. */
export function lengthFactors(averages: Float64Array): Float64Array {
  const factors = new Float64Array(averages.length * 256);
  averages.forEach((average, field) => {
    for (let code = 0; code < 256; code++) {
      factors[field * 256 + code] = 1 / (1 - B + B * LENGTHS[code]! / average);
    }
  });
  return factors;
}

/**
 * By level (see assemble.ts): the share of a word's worth that a posting adds at most. Levels were
 * measured with other averages: where a field is longer on average now, what stands in it counts for
 * more, by no more than the averages' ratio.
 */
export function sharesOfLevels(
  averages: Float64Array,
  measured: readonly Float64Array[],
): Float64Array {
  let growth = 1;
  for (const former of measured) {
    averages.forEach((average, field) => growth = Math.max(growth, average / former[field]!));
  }
  return Float64Array.from({ length: 256 }, (_, level) => {
    const share = level / 255;
    return growth * share / (1 - share + growth * share);
  });
}
