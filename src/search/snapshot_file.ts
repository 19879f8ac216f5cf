/**
 * Saves and loads an index in a worker. A snapshot is written to a temporary file and then renamed,
 * so that no reader finds an incomplete file. If two processes share a directory and save at the same
 * time, the renaming of one fails, or the checksum of the file does not match. Arrays have the same
 * bytes as in memory:
 *
 *     length of the head: u32 | head: JSON | arrays | SHA-256 of all bytes before
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
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
  const temporary = `${path}.new`;
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  using file = Deno.openSync(temporary, { write: true, create: true, truncate: true, mode: 0o600 });
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
  Deno.renameSync(temporary, path);
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
