/** Reads the files within a ZIP archive. Each is unpacked in chunks, so that memory stays bounded. */
import { UnreadableSource } from "../record/entry.ts";

/** Returns the unpacked chunks of a file. @throws UnreadableSource beyond `max` unpacked bytes */
export type ReadPart = (max: number) => AsyncGenerator<Uint8Array>;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** Max bytes from the start of the end record to the end of the file: the record and a comment. */
const END_DISTANCE_MAX = END_BYTES + 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * Lists the files of an archive by their names, from the directory at its end (PKWARE APPNOTE,
 * section 4.3). ZIP64 is not read, because it is for archives beyond 4 GB.
 * @throws UnreadableSource if there is no such directory, or it is damaged
 */
export function zipParts(bytes: Uint8Array): Map<string, ReadPart> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = endOf(view);
    const parts = new Map<string, ReadPart>();
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== ENTRY_SIGNATURE) throw damaged();
      const name = bytes.subarray(
        at + ENTRY_BYTES,
        at + ENTRY_BYTES + view.getUint16(at + 28, true),
      );
      const method = view.getUint16(at + 10, true);
      const packed = packedBytes(bytes, view, {
        local: view.getUint32(at + 42, true),
        size: view.getUint32(at + 20, true),
      });
      parts.set(new TextDecoder().decode(name), (max) => unpack(packed, { method, max }));
      at += ENTRY_BYTES + name.length + view.getUint16(at + 30, true) +
        view.getUint16(at + 32, true);
    }
    return parts;
  } catch (error) {
    // An offset beyond the end of the file.
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_DISTANCE_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  throw new UnreadableSource("the ZIP archive has no directory; the file may have been cut");
}

function packedBytes(
  bytes: Uint8Array,
  view: DataView,
  { local, size }: { local: number; size: number },
): Uint8Array {
  if (view.getUint32(local, true) !== LOCAL_SIGNATURE) throw damaged();
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) +
    view.getUint16(local + 28, true);
  if (start + size > bytes.length) throw damaged();
  return bytes.subarray(start, start + size);
}

async function* unpack(
  packed: Uint8Array,
  { method, max }: { method: number; max: number },
): AsyncGenerator<Uint8Array> {
  if (method !== STORED && method !== DEFLATED) {
    throw new UnreadableSource("the ZIP archive is compressed in another way than deflate");
  }
  const stored = ReadableStream.from(chunksOf(packed));
  const stream = method === STORED
    ? stored
    : stored.pipeThrough(new DecompressionStream("deflate-raw"));
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > max) {
        throw new UnreadableSource(`a file of the ZIP archive is longer than ${max} bytes`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof TypeError) throw damaged();
    throw error;
  }
}

/** Number of bytes that are unpacked at once. They become up to 1,032 times longer: about 4 MiB. */
const CHUNK_BYTES = 4_096;

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.slice(at, at + CHUNK_BYTES);
  }
}

function damaged(): UnreadableSource {
  return new UnreadableSource("the ZIP archive is damaged");
}
