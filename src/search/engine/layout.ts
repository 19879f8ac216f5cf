/**
 * Memory layout of a segment: one buffer with a table of its sections at the head. The sections
 * follow, each at a multiple of 8 bytes. The buffer is saved, loaded and shared with other threads
 * as it is. Instants are numbers of microseconds since 1970, exact from 1684 to 2255 and in order
 * beyond. -Infinity stands for an instant that never happened, Infinity for one that never comes.
 */

const MAGIC = 0x5347_4543;

const VERSION = 9;

/** Everything a segment holds. Documents stand in the order of their attributes, then ids. */
const SECTIONS = {
  /** Id of each document. Instants below are microseconds since 1970 (see above). */
  ids: Float64Array,
  /** When documents occurred and were observed: see instant_columns.ts. The bases are of both. */
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
   * Index of each document's value among the distinct values. The next pairs of columns work alike.
   * If most expiries differ, the indexes are absent, and there is one instant per document.
   */
  expiryOf: Uint16Array,
  expiries: Float64Array,
  attributes: Uint8Array,
  /** Single precision, NaN: unknown; minutes since 1970 (see minutesOf); bit masks. */
  amountOf: Uint16Array,
  amounts: Float32Array,
  closesOf: Uint16Array,
  closings: Uint32Array,
  sectorsOf: Uint16Array,
  sectors: Uint32Array,
  /** Start of the documents of each of 256 attributes, and the end of the last. */
  attributeStarts: Uint32Array,
  /** Documents in the order of their ids. */
  byId: Uint16Array,
  /** Document * fields + field: the byte of the field's length. */
  lengths: Uint8Array,
  /** Filters of neighbouring words per document: see pairs.ts. A last start marks the end. */
  pairBlocks: Uint32Array,
  pairStarts: Uint16Array,
  pairBits: Uint8Array,
  /** Companies in the order of their ids; a document's; a company's documents; slots: a hash table. */
  companies: Float64Array,
  companyOf: Uint16Array,
  companyStarts: Uint32Array,
  companyDocuments: Uint16Array,
  companySlots: Uint16Array,
  /** Terms: the language's byte and UTF-8, one after the other; starts and slots: see dictionary.ts. */
  termBytes: Uint8Array,
  termBlocks: Uint32Array,
  termOffsets: Uint32Array,
  termSlots: Uint32Array,
  /**
   * Start of each term's postings in the lower 24 bits, and their max level in the upper ones. A
   * last entry marks the end. Documents ascend within a posting list.
   */
  termPostings: Uint32Array,
  postings: Uint16Array,
  /** Level of each posting, up to 255: what it adds to a score (see levelOf in writing.ts). */
  levels: Uint8Array,
  /**
   * Terms of each document, ascending, with the codes of their packed occurrences. Only the lower
   * 16 bits of a term are kept. Its upper bits are the number of its block. `forwardStarts` holds
   * the start of each document's terms, and the end of the last. A start is relative to that of the
   * first document in its group of 64: see `forwardBlocks`. `forwardEnds` holds the end of each
   * block's terms, at document * (blocks - 1) + block. An end is relative to the start of the
   * document. The last block has no entry.
   */
  forwardBlocks: Uint32Array,
  forwardStarts: Uint32Array,
  forwardEnds: Uint32Array,
  forwardTerms: Uint16Array,
  forwardCodes: Uint8Array,
  /**
   * Packed occurrences by code. If the code is ESCAPE, they are found by the place in
   * `forwardCodes`.
   */
  codes: Uint32Array,
  escapePlaces: Uint32Array,
  escapeCounts: Uint32Array,
  /** The average field lengths that levels were measured with. */
  averages: Float64Array,
  /** Latest occurrence, latest observation and first expiry of all documents; see Totals. */
  summary: Float64Array,
} as const;

/** Kinds of numbers that sections are kept in where all of their numbers fit, narrowest first. */
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
 * Shift of the upper bits of a section's length: 0 for its usual kind, else the place of a narrower
 * kind + 1.
 */
const KIND_SHIFT = 30;

type Name = keyof typeof SECTIONS;

const NAMES = Object.keys(SECTIONS) as Name[];

/** Views over whatever buffer. */
type View<Kind> = Kind extends Float64ArrayConstructor ? Float64Array
  : Kind extends Float32ArrayConstructor ? Float32Array
  : Kind extends Uint32ArrayConstructor ? Uint32Array
  : Kind extends Uint16ArrayConstructor ? Uint16Array
  : Uint8Array;

export type Sections = { [Key in Name]: View<(typeof SECTIONS)[Key]> };

/** Stands for occurrences that have no code of their own. */
export const ESCAPE = 255;

/** Returns the number of blocks of a number of terms. A block holds up to 2^16 terms. */
export function blocksOf(terms: number): number {
  return Math.max(Math.ceil(terms / (1 << 16)), 1);
}

/** Max number of documents. A local id has 16 bits, and one of its values marks empty slots. */
export const DOCUMENTS_MAX = 65_535;

/**
 * Max number of postings. It keeps terms within 24 bits, and a segment within a few hundred
 * megabytes.
 */
export const POSTINGS_MAX = 1 << 23;

const HEAD = 8 * Math.ceil((2 + 2 * NAMES.length) / 2);

interface Kind {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, start: number, length: number): View<(typeof SECTIONS)[Name]>;
}

/** Returns the kinds that a section may be kept in: its own one, then the narrower ones. */
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

/** Brings sections together in one buffer, which threads can share. */
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
 * @throws Error if the buffer is no segment of this version
 */
export function unpack(buffer: SharedArrayBuffer): Sections {
  if (buffer.byteLength < HEAD) throw new Error("a segment is too short");
  const table = new Uint32Array(buffer, 0, HEAD / 4);
  if (table[0] !== MAGIC || table[1] !== VERSION) {
    throw new Error("this is no segment of this version");
  }
  return Object.fromEntries(NAMES.map((name, place) => {
    const start = table[2 + 2 * place]!;
    const length = table[3 + 2 * place]! % 2 ** KIND_SHIFT;
    const Kind = kindsOf(name)[table[3 + 2 * place]! >>> KIND_SHIFT]!;
    if (start + length * Kind.BYTES_PER_ELEMENT > buffer.byteLength) {
      throw new Error(`the section ${name} of a segment is cut off`);
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

/** Returns microseconds since 1970, or NaN where no instant is known. */
export function microsecondsOfMinutes(minutes: number): number {
  return minutes === UNKNOWN_MINUTES ? NaN : minutes * MICROSECONDS_PER_MINUTE;
}
