/**
 * Encodes an index as a stream of bytes: a head with the lengths of the arrays, then the arrays. The
 * head and each array are followed by their SHA-256. Arrays have the same bytes as in memory, so
 * loading only reads them.
 *
 *     "CEINDEX\0" | format: u32 | length of the head: u32 | head: JSON | SHA-256 | (array | SHA-256) …
 */
import { createHash } from "node:crypto";
import type { IndexState } from "./record_index.ts";
import { ARRAYS, type ArrayType, type SegmentArrays, shared } from "./segment.ts";

/**
 * Version of the format. Raise it with every change of segments, words, stems or impacts, so that
 * older snapshots are refused.
 */
const FORMAT = 8;

const MAGIC = new TextEncoder().encode("CEINDEX\0");
const PREFIX_BYTES = MAGIC.length + 8;
const DIGEST_BYTES = 32;

/**
 * Max number of bytes per chunk. Hashing a chunk takes a millisecond or two, and other tasks can
 * run between chunks.
 */
const CHUNK_BYTES = 1 << 22;

const HEAD_BYTES_MAX = 1 << 24;
const LENGTH_MAX = 2 ** 31;

/**
 * Error for bytes that are not a complete and unchanged snapshot of this format. Its message names
 * the damage.
 */
export class SnapshotDamaged extends Error {
  override name = "SnapshotDamaged";
}

type ArrayName = keyof SegmentArrays;

const NAMES = Object.keys(ARRAYS) as ArrayName[];

interface Head {
  meta: unknown;
  /** Length of each array of each segment, by its name. */
  segments: Record<ArrayName, number>[];
}

/**
 * Yields the bytes of a state, in chunks to be written in order. The state must not change before
 * the last chunk, except for removals.
 *
 * @param meta a JSON value, which decodeSnapshot returns
 */
export function* encodeSnapshot({ segments }: IndexState, meta: unknown): Generator<Uint8Array> {
  const head: Head = {
    meta,
    segments: segments.map((arrays) =>
      Object.fromEntries(NAMES.map((name) => [name, arrays[name].length])) as Head["segments"][0]
    ),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(head));
  const prefix = new Uint8Array(PREFIX_BYTES);
  prefix.set(MAGIC);
  const numbers = new DataView(prefix.buffer);
  numbers.setUint32(MAGIC.length, FORMAT, true);
  numbers.setUint32(MAGIC.length + 4, bytes.length, true);
  yield prefix;
  yield* withDigest(bytes);
  for (const arrays of segments) {
    for (const name of NAMES) yield* withDigest(bytesOf(arrays[name].slice()));
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function* withDigest(part: Uint8Array): Generator<Uint8Array> {
  const hash = createHash("sha256");
  for (let at = 0; at < part.length; at += CHUNK_BYTES) {
    const chunk = part.subarray(at, at + CHUNK_BYTES);
    hash.update(chunk);
    yield chunk;
  }
  yield new Uint8Array(hash.digest());
}

/**
 * Decodes a snapshot.
 *
 * @param chunks bytes of the snapshot, in chunks of any size
 * @throws SnapshotDamaged if the bytes are not a complete snapshot of this format
 */
export async function decodeSnapshot(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<{ state: IndexState; meta: unknown }> {
  const reader = new Reader(chunks);
  try {
    const { meta, segments } = await readHead(reader);
    const state: IndexState = { segments: [] };
    for (const lengths of segments) {
      const arrays: Partial<Record<ArrayName, ArrayBufferView>> = {};
      for (const name of NAMES) {
        const array = shared(ARRAYS[name] as ArrayType<ArrayBufferView>, lengths[name]);
        await readPart(reader, bytesOf(array));
        arrays[name] = array;
      }
      state.segments.push(arrays as SegmentArrays);
    }
    if (!await reader.isAtEnd()) throw new SnapshotDamaged("there are bytes after the last part");
    return { state, meta };
  } finally {
    await reader.close();
  }
}

async function readHead(reader: Reader): Promise<Head> {
  const prefix = new Uint8Array(PREFIX_BYTES);
  await reader.fill(prefix);
  const numbers = new DataView(prefix.buffer);
  if (MAGIC.some((byte, place) => prefix[place] !== byte)) {
    throw new SnapshotDamaged("the bytes are not a snapshot of an index");
  }
  const format = numbers.getUint32(MAGIC.length, true);
  if (format !== FORMAT) {
    throw new SnapshotDamaged(`the format is ${format} instead of ${FORMAT}`);
  }
  const length = numbers.getUint32(MAGIC.length + 4, true);
  if (length > HEAD_BYTES_MAX) throw new SnapshotDamaged("the head is too long");
  const bytes = new Uint8Array(length);
  await readPart(reader, bytes);
  const head: Head = JSON.parse(new TextDecoder().decode(bytes));
  for (const lengths of head.segments) {
    const isLength = (name: ArrayName) => lengths[name] >= 0 && lengths[name] < LENGTH_MAX;
    if (!NAMES.every(isLength)) throw new SnapshotDamaged("an array has no valid length");
  }
  return head;
}

async function readPart(reader: Reader, part: Uint8Array): Promise<void> {
  const hash = createHash("sha256");
  await reader.fill(part, (chunk) => hash.update(chunk));
  const digest = new Uint8Array(DIGEST_BYTES);
  await reader.fill(digest);
  const actual = hash.digest();
  if (digest.some((byte, place) => byte !== actual[place])) {
    throw new SnapshotDamaged("a checksum does not match");
  }
}

/** Reads bytes from chunks, as many as are needed. */
class Reader {
  readonly #chunks: Iterator<Uint8Array> | AsyncIterator<Uint8Array>;
  #left: Uint8Array = new Uint8Array();

  constructor(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#chunks = Symbol.asyncIterator in chunks
      ? chunks[Symbol.asyncIterator]()
      : chunks[Symbol.iterator]();
  }

  /** Fills an array. @throws SnapshotDamaged if there are too few bytes */
  async fill(target: Uint8Array, filled: (part: Uint8Array) => void = () => {}): Promise<void> {
    for (let at = 0; at < target.length;) {
      if (this.#left.length === 0 && !await this.#next()) {
        throw new SnapshotDamaged("the bytes end too early");
      }
      const part = this.#left.subarray(0, target.length - at);
      target.set(part, at);
      filled(part);
      at += part.length;
      this.#left = this.#left.subarray(part.length);
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#left.length === 0 && !await this.#next();
  }

  /** Closes the source of the chunks. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Moves to the next chunk that is not empty. @returns whether there was one */
  async #next(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      if (value.length === 0) continue;
      this.#left = value;
      return true;
    }
  }
}
