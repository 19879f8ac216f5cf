/**
 * Defines the memory layout of a segment. It is one buffer, which begins with a table of its
 * sections. The sections follow, each at a multiple of 8 bytes. The buffer is saved, loaded and
 * shared with other threads unchanged. Instants are microseconds since 1970, exact from 1684 to
 * 2255. Instants beyond are rounded, but keep their order. -Infinity is the instant of an event
 * that never happened, Infinity of one that will never happen.
 */

const MAGIC = 0x5347_4543;

const VERSION = 9;

/**
 * Sections of a segment, each with its usual kind of array (see NARROWER). Documents are sorted by
 * their attributes, then by their ids.
 */
const SECTIONS = {
  /** Id of each document. */
  ids: Float64Array,
  /**
   * Columns of the instants when documents occurred and were observed: see instant_columns.ts.
   * `instantBases` contains the base of each column.
   */
  occurredOf: Uint16Array,
  occurrences: Float64Array,
  occurredUppers: Uint8Array,
  occurredLowers: Uint32Array,
  observedOf: Uint16Array,
  observations: Float64Array,
  observedUppers: Uint8Array,
  observedLowers: Uint32Array,
  instantBases: Uint32Array,
  /**
   * Index of each document's expiry among the distinct expiries. If most expiries differ, the
   * indexes are absent, and `expiries` has one instant per document.
   */
  expiryOf: Uint16Array,
  expiries: Float64Array,
  attributes: Uint8Array,
  /**
   * Distinct amounts (NaN: unknown), closing times (minutes since 1970, see minutesOf) and sectors
   * (bit masks), each with the index of each document's value.
   */
  amountOf: Uint16Array,
  amounts: Float32Array,
  closesOf: Uint16Array,
  closings: Uint32Array,
  sectorsOf: Uint16Array,
  sectors: Uint32Array,
  /** Start of the documents of each of the 256 attributes. A last entry marks the end. */
  attributeStarts: Uint32Array,
  /** Documents in the order of their ids. */
  byId: Uint16Array,
  /** Coded length of each field, at document * fields + field: see lengthCode. */
  lengths: Uint8Array,
  /** Filters of neighbouring words per document: see pairs.ts. A last start marks the end. */
  pairBlocks: Uint32Array,
  pairStarts: Uint16Array,
  pairBits: Uint8Array,
  /** Ids of the companies, ascending. */
  companies: Float64Array,
  /** Place of each document's company in `companies`. */
  companyOf: Uint16Array,
  /** Start of each company's documents in `companyDocuments`. A last entry marks the end. */
  companyStarts: Uint32Array,
  companyDocuments: Uint16Array,
  /** Hash table of places in `companies`: see findCompany. */
  companySlots: Uint16Array,
  /**
   * Bytes of the terms: each is the byte of its space, then UTF-8. For starts and slots, see
   * dictionary.ts.
   */
  termBytes: Uint8Array,
  termBlocks: Uint32Array,
  termOffsets: Uint32Array,
  termSlots: Uint32Array,
  /**
   * Start of each term's postings in the lower 24 bits, and their max level in the upper 8 bits. A
   * last entry marks the end. Documents ascend within a posting list.
   */
  termPostings: Uint32Array,
  postings: Uint16Array,
  /**
   * Level of each posting, up to 255: the coded amount that it adds to a score (see levelOf in
   * writing.ts).
   */
  levels: Uint8Array,
  /**
   * Terms of each document, ascending, with the codes of their packed occurrences. Only the lower
   * 16 bits of a term are kept. Its upper bits are the number of its block. `forwardStarts`
   * contains the start of each document's terms, and the end of the last document's terms. A start
   * is relative to the start of the first document in its group of 64: see `forwardBlocks`.
   * `forwardEnds` contains the end of each block's terms, at document * (blocks - 1) + block. An
   * end is relative to the start of the document. The last block has no entry.
   */
  forwardBlocks: Uint32Array,
  forwardStarts: Uint32Array,
  forwardEnds: Uint32Array,
  forwardTerms: Uint16Array,
  forwardCodes: Uint8Array,
  /**
   * Packed occurrences by code: see shiftsOf in scoring.ts. For each code ESCAPE, `escapePlaces`
   * contains the index in `forwardCodes`, and `escapeCounts` the packed occurrences.
   */
  codes: Uint32Array,
  escapePlaces: Uint32Array,
  escapeCounts: Uint32Array,
  /** Average length of each field when the levels were computed. */
  averages: Float64Array,
  /**
   * Latest occurrence, latest observation and first expiry of all documents, then the numbers of
   * Totals.
   */
  summary: Float64Array,
} as const;

/**
 * Narrower kinds of arrays for sections, narrowest first. A section has the narrowest kind that all
 * of its numbers fit into.
 */
const NARROWER = {
  ids: [Uint16Array, Uint32Array],
  occurredOf: [Uint8Array],
  observedOf: [Uint8Array],
  expiryOf: [Uint8Array],
  amountOf: [Uint8Array],
  closesOf: [Uint8Array],
  sectorsOf: [Uint8Array],
  companies: [Uint16Array, Uint32Array],
  companyStarts: [Uint16Array],
  termOffsets: [Uint8Array, Uint16Array],
  forwardStarts: [Uint16Array],
  forwardEnds: [Uint8Array, Uint16Array],
} as const;

/**
 * Shift of a section's kind in its table entry. The lower bits are the section's length. The kind
 * is 0 for the usual array, otherwise the index in NARROWER + 1.
 */
const KIND_SHIFT = 30;

type Name = keyof typeof SECTIONS;

const NAMES = Object.keys(SECTIONS) as Name[];

/** Type of the arrays of a kind, over any type of buffer. */
type View<Kind> = Kind extends Float64ArrayConstructor ? Float64Array
  : Kind extends Float32ArrayConstructor ? Float32Array
  : Kind extends Uint32ArrayConstructor ? Uint32Array
  : Kind extends Uint16ArrayConstructor ? Uint16Array
  : Uint8Array;

/** Sections of a segment as arrays. */
export type Sections = { [Key in Name]: View<(typeof SECTIONS)[Key]> };

/** Code of packed occurrences that are too rare for a code of their own: see escapeCounts. */
export const ESCAPE = 255;

/** Returns the number of blocks of a number of terms. A block has up to 2^16 terms. */
export function blocksOf(terms: number): number {
  return Math.max(Math.ceil(terms / (1 << 16)), 1);
}

/** Max number of documents. A document's number has 16 bits, and one value marks empty slots. */
export const DOCUMENTS_MAX = 65_535;

/**
 * Max number of postings. Numbers of postings and terms then fit into 24 bits, and a segment has at
 * most a few hundred megabytes.
 */
export const POSTINGS_MAX = 1 << 23;

const HEAD = 8 * Math.ceil((2 + 2 * NAMES.length) / 2);

interface Kind {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, start: number, length: number): View<(typeof SECTIONS)[Name]>;
}

/** Returns the kinds of arrays that a section may have: the usual one, then the narrower ones. */
function kindsOf(name: Name): readonly Kind[] {
  const narrower = NARROWER[name as keyof typeof NARROWER] ?? [];
  return [SECTIONS[name], ...narrower] as unknown as Kind[];
}

/** Returns the place of the narrowest kind that all numbers of a section fit into. */
function narrowest(name: Name, numbers: ArrayLike<number>): number {
  const kinds = kindsOf(name);
  if (kinds.length === 1) return 0;
  let max = 0;
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place]!;
    if (!(number >= 0 && Number.isInteger(number))) return 0;
    if (number > max) max = number;
  }
  const fitting = kinds.findIndex(({ BYTES_PER_ELEMENT }, kind) =>
    kind > 0 && max < 2 ** (8 * BYTES_PER_ELEMENT)
  );
  return Math.max(fitting, 0);
}

/** Copies sections into one buffer, which threads can share. */
export function pack(sections: Sections): SharedArrayBuffer {
  const table = new Uint32Array(HEAD / 4);
  table.set([MAGIC, VERSION]);
  let size = HEAD;
  NAMES.forEach((name, place) => {
    const kind = narrowest(name, sections[name]);
    const { length } = sections[name];
    table[2 + 2 * place] = size;
    table[3 + 2 * place] = (kind << KIND_SHIFT | length) >>> 0;
    size = 8 * Math.ceil((size + length * kindsOf(name)[kind]!.BYTES_PER_ELEMENT) / 8);
  });
  const buffer = new SharedArrayBuffer(size);
  new Uint32Array(buffer).set(table);
  const views = unpack(buffer);
  for (const name of NAMES) views[name].set(sections[name]);
  return buffer;
}

/**
 * Returns the sections of a buffer as views.
 *
 * @throws Error if the buffer is not a segment of this version
 */
export function unpack(buffer: SharedArrayBuffer): Sections {
  if (buffer.byteLength < HEAD) throw new Error("a segment is too short");
  const table = new Uint32Array(buffer, 0, HEAD / 4);
  if (table[0] !== MAGIC || table[1] !== VERSION) {
    throw new Error("the buffer is not a segment of this version");
  }
  return Object.fromEntries(NAMES.map((name, place) => {
    const start = table[2 + 2 * place]!;
    const length = table[3 + 2 * place]! % 2 ** KIND_SHIFT;
    const Kind = kindsOf(name)[table[3 + 2 * place]! >>> KIND_SHIFT]!;
    if (start + length * Kind.BYTES_PER_ELEMENT > buffer.byteLength) {
      throw new Error(`the section ${name} of a segment is truncated`);
    }
    return [name, new Kind(buffer, start, length)];
  })) as unknown as Sections;
}

const MICROSECONDS_PER_MINUTE = 60_000_000;

const MINUTES_MAX = 0xffff_fffe;

const UNKNOWN_MINUTES = 0xffff_ffff;

/**
 * Rounds microseconds since 1970 down to the minute. A value that is not finite becomes NaN:
 * unknown.
 */
export function roundToMinute(microseconds: number): number {
  return microsecondsOfMinutes(minutesOf(microseconds));
}

/** Returns the whole minutes since 1970 that a segment keeps; instants before 1970 count as 0. */
export function minutesOf(microseconds: number): number {
  if (!Number.isFinite(microseconds)) return UNKNOWN_MINUTES;
  return Math.min(Math.max(Math.floor(microseconds / MICROSECONDS_PER_MINUTE), 0), MINUTES_MAX);
}

/** Converts minutes since 1970 to microseconds since 1970; NaN if the minutes are unknown. */
export function microsecondsOfMinutes(minutes: number): number {
  return minutes === UNKNOWN_MINUTES ? NaN : minutes * MICROSECONDS_PER_MINUTE;
}
