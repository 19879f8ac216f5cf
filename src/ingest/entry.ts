import type { Judged } from "./normalize.ts";

/** One record of a source file: where it stood, as it was, and what it comes to. */
export interface Entry {
  /** The line on which it starts, from 1. */
  line: number;
  raw: unknown;
  judged: Judged;
}

/** The file as a whole is not what it was said to be. */
export class UnreadableSource extends Error {
  override name = "UnreadableSource";
}

/** Reads a file of one format into entries, holding no more than one chunk and one record. */
export type ReadSource = (stream: AsyncIterable<Uint8Array>) => AsyncIterable<Entry>;
