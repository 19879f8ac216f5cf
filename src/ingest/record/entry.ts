/** Describes what a source makes of one of its records: a record, a rejection, or neither. */
import type { Judged } from "./normalize.ts";

/** One record of a source file: its position and its outcome. */
export interface SourceEntry {
  /** Number of the line on which the record starts, from 1. */
  line: number;
  /**
   * The form in which the record is shown if it is rejected. A source may omit parts, such as names
   * of persons.
   */
  readonly raw: unknown;
  judged: Judged | LeftOut;
  /**
   * Reason why the source may contain another record here, or several. It is absent for an invalid
   * record that was read with certainty.
   */
  doubt?: string;
}

/** The reason why a valid record of a source becomes no observation. */
export interface LeftOut {
  left_out: string;
  /** The observation that has ended, as the source says: a cancelled request. */
  ended?: SourceRecordKey;
}

/** The key by which a record of a source is known. */
export interface SourceRecordKey {
  source: string;
  external_id: string;
}

/** A file that is damaged, incomplete or of another format. */
export class UnreadableSource extends Error {
  override name = "UnreadableSource";
}

/** The input of ReadSource in addition to the bytes. */
export interface ReadContext {
  /**
   * Time at which the bytes were read or fetched. It is the observation time of an undated fact.
   */
  retrieved_at: Date;
  /** Target of the request (a board, a CIK, a hostname); absent for a file. */
  target?: string;
  /** Address from which the bytes were fetched; absent for a file. */
  address?: string;
  /** Company of a file that names no company, as stated by the operator. */
  company?: { name: string; domains: string[] };
  /** Receives what is odd about the file as a whole, such as members that no row has. */
  say?: (line: string) => void;
}

/** Reads a file into entries. Most implementations keep only one chunk and one record in memory. */
export type ReadSource = (
  stream: AsyncIterable<Uint8Array>,
  context: ReadContext,
) => AsyncIterable<SourceEntry>;
