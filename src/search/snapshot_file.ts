/**
 * Saves and loads an index in a worker. A snapshot is written to a temporary file and then renamed,
 * so that no reader finds an incomplete file. Loading needs the bytes of the file once more in memory.
 * Arrays have the same bytes as in memory:
 *
 *     length of the head: u32 | head: JSON | arrays | SHA-256 of all bytes before
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { SnapshotOrigin } from "./changes/history.ts";
import { ARRAYS, type ArrayType, type SegmentArrays, shared } from "./index/segment.ts";

/** Version of the format. Raise it with every change of segments: older snapshots are refused. */
const FORMAT = 12;

const LENGTH_BYTES = 4;
const DIGEST_BYTES = 32;

/** Segments of an index, and its position in the dataset. */
interface Snapshot {
  segments: SegmentArrays[];
  origin: SnapshotOrigin;
}

interface Head {
  format: number;
  origin: SnapshotOrigin;
  /** Length of each array of each segment, by its name. */
  segments: Record<string, number>[];
}

const TYPES = Object.entries(ARRAYS) as [keyof SegmentArrays, ArrayType<ArrayBufferView>][];

/** Writes a snapshot. @throws Error if the directory cannot be written to */
export function saveSnapshot({ path, segments, origin }: Snapshot & { path: string }): void {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeAbandoned(path);
  // Processes may share the directory, and save at the same time.
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    writeSnapshot(temporary, { segments, origin });
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

/** Milliseconds after which an unfinished file is deleted. No write takes so long. */
const ABANDONED_MILLISECONDS = 3_600_000;

/** Deletes the unfinished files of processes that died. */
function removeAbandoned(path: string): void {
  for (const { name } of Deno.readDirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    removeFile(join(dirname(path), name), ABANDONED_MILLISECONDS);
  }
}

/** Deletes a file of at least an age, if it exists. Another process may rename or delete it. */
function removeFile(path: string, milliseconds = 0): void {
  try {
    const modified = Deno.statSync(path).mtime?.getTime() ?? 0;
    if (Date.now() - modified >= milliseconds) Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function writeSnapshot(path: string, { segments, origin }: Snapshot): void {
  using file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  const hash = createHash("sha256");
  const write = (bytes: Uint8Array) => {
    hash.update(bytes);
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  };
  const head: Head = {
    format: FORMAT,
    origin,
    segments: segments.map((arrays) =>
      Object.fromEntries(TYPES.map(([name]) => [name, arrays[name].length]))
    ),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(head));
  write(bytesOf(Uint32Array.of(bytes.length)));
  write(bytes);
  // Files and hashes do not read shared memory, so each array is copied.
  for (const arrays of segments) for (const [name] of TYPES) write(bytesOf(arrays[name].slice()));
  write(hash.copy().digest());
  file.syncSync();
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Reads a snapshot. @throws Error if the file is no complete snapshot of this format */
export function loadSnapshot(path: string): Snapshot {
  const file = Deno.readFileSync(path);
  const content = file.subarray(0, -DIGEST_BYTES);
  const digest = createHash("sha256").update(content).digest();
  if (!digest.equals(file.subarray(-DIGEST_BYTES))) throw new Error("the checksum does not match");
  const [length] = new Uint32Array(file.buffer, 0, 1);
  let at = LENGTH_BYTES + length!;
  const head: Head = JSON.parse(new TextDecoder().decode(file.subarray(LENGTH_BYTES, at)));
  if (head.format !== FORMAT) throw new Error(`the format is ${head.format} instead of ${FORMAT}`);
  const segments = head.segments.map((lengths) =>
    Object.fromEntries(TYPES.map(([name, type]) => {
      const array = shared(type, lengths[name]!);
      bytesOf(array).set(file.subarray(at, at += array.byteLength));
      return [name, array];
    })) as unknown as SegmentArrays
  );
  return { segments, origin: head.origin };
}
