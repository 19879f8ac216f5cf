import type { Judged } from "./normalize.ts";

/** One record of a source file: where it stood, and what it comes to. */
export interface SourceEntry {
  /** The line on which it starts, from 1. */
  line: number;
  /**
   * Form in which it is shown if it is rejected: as it was, without the parts that its source
   * leaves out.
   */
  readonly raw: unknown;
  judged: Judged | LeftOut;
}

/** A native record that becomes no observation here although nothing is wrong with it, and why. */
export interface LeftOut {
  left_out: string;
}

/** The file as a whole is not what it was said to be. */
export class UnreadableSource extends Error {
  override name = "UnreadableSource";
}

/** Context of a reader besides the bytes. */
export interface ReadContext {
  /** When the bytes were read or retrieved: the moment at which an undated fact was observed. */
  retrieved_at: Date;
  /** Target of the request (a board, a CIK, a hostname); absent for a file. */
  target?: string;
  /** The address the bytes came from; absent for a file. */
  address?: string;
  /** The company of a file that names none, as an operator knows it. */
  company?: { name: string; domains: string[] };
}

/** Reads a file of one format into entries, holding no more than one chunk and one record. */
export type ReadSource = (
  stream: AsyncIterable<Uint8Array>,
  context: ReadContext,
) => AsyncIterable<SourceEntry>;
