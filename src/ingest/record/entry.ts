import type { Judged } from "./normalize.ts";

/** One record of a source file: its position and its outcome. */
export interface SourceEntry {
  /** The line on which it starts, from 1. */
  line: number;
  /** The form in which a rejected record is shown, without the parts that its source leaves out. */
  readonly raw: unknown;
  judged: Judged | LeftOut;
}

/** The reason why a sound native record becomes no observation. */
export interface LeftOut {
  left_out: string;
}

/** A file that is damaged, incomplete or of another format. */
export class UnreadableSource extends Error {
  override name = "UnreadableSource";
}

/** The input of a reader besides the bytes. */
export interface ReadContext {
  /** The time at which the bytes were read or fetched. An undated fact was observed then. */
  retrieved_at: Date;
  /** Target of the request (a board, a CIK, a hostname); absent for a file. */
  target?: string;
  /** The address that the bytes came from; absent for a file. */
  address?: string;
  /** The company of a file that names none, as stated by the operator. */
  company?: { name: string; domains: string[] };
}

/** Reads a file into entries. Most readers hold no more than one chunk and one record. */
export type ReadSource = (
  stream: AsyncIterable<Uint8Array>,
  context: ReadContext,
) => AsyncIterable<SourceEntry>;
