/**
 * A model of how the words of a dataset are related: one vector of a few dozen numbers per term. A
 * model is learned once and stored in the database, so it is the same on every replica. Sums over
 * the words of a text add only integers. Replicas therefore agree, whatever the order of the words.
 */
import {
  findTerm,
  type Key,
  startOfTerm,
  type TermSections,
  TermTable,
} from "../engine/dictionary.ts";

/**
 * Number of directions. More directions do not improve any test collection
 * (bench/search_relevance_bench.ts).
 */
export const DIMENSIONS = 48;

/** Version number of the model format. Models of another format are learned again. */
export const FORMAT = 1;

/** Contents of a model. */
export interface ModelParts {
  /** Number of documents from which the model was learned. */
  documents: number;
  /** Terms, in the form of a segment's terms. */
  table: TermSections;
  /** Rarity (inverse document frequency) of each term, in units of 1/256. */
  rarity: Uint16Array;
  /**
   * Coordinates of the terms, at term * DIMENSIONS + direction. The largest absolute value is
   * 32,767.
   */
  coordinates: Int16Array;
}

/** A semantic model, which maps terms to rows. */
export class SemanticModel {
  /** Id of the model in the database. */
  readonly id: number;
  readonly parts: ModelParts;

  constructor(id: number, parts: ModelParts) {
    this.id = id;
    this.parts = parts;
  }

  /** Decodes a model. @throws Error if the bytes are not a model of this format */
  static decode(id: number, bytes: Uint8Array): SemanticModel {
    // The bytes are copied to align the arrays below, because a driver's Buffer may begin at any
    // byte of a larger buffer.
    const copy = new Uint8Array(Math.max(HEAD_BYTES, bytes.length));
    copy.set(bytes);
    const head = new Uint32Array(copy.slice(0, HEAD_BYTES).buffer);
    const [format = 0, documents = 0, size = 0, termBytes = 0] = head;
    const expected = HEAD_BYTES + size * (4 + 2 + 2 * DIMENSIONS) + termBytes;
    if (format !== FORMAT || bytes.length !== expected) {
      throw new Error("the bytes are not a model of this format");
    }
    let at = HEAD_BYTES;
    const take = (length: number) => copy.slice(at, at += length).buffer;
    const ends = new Uint32Array(take(4 * size));
    const rarity = new Uint16Array(take(2 * size));
    const coordinates = new Int16Array(take(2 * size * DIMENSIONS));
    const texts = new Uint8Array(take(termBytes));
    const table = new TermTable();
    ends.forEach((end, term) => table.add(texts, term === 0 ? 0 : ends[term - 1]!, end));
    return new SemanticModel(id, { documents, table: table.sections(), rarity, coordinates });
  }

  /**
   * Returns the bytes that decode() reads. Numbers are little-endian, like on every machine that
   * runs this service.
   */
  encode(): Uint8Array {
    const { documents, table, rarity, coordinates } = this.parts;
    const { termBytes } = table;
    const head = Uint32Array.of(FORMAT, documents, rarity.length, termBytes.length);
    const ends = Uint32Array.from(rarity, (_, term) => startOfTerm(table, term + 1));
    const sections = [head, ends, rarity, coordinates, termBytes];
    const bytes = new Uint8Array(sections.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of sections) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += byteLength;
    }
    return bytes;
  }

  /** Returns the row of a term, or -1. */
  row(key: Key): number {
    return findTerm(this.parts.table, key);
  }
}

const HEAD_BYTES = 16;
