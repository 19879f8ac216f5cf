/** Reads compressed tar archives: backups, and files of npm packages. */
import { Buffer } from "node:buffer";
import type { Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

/** A file or folder of an archive. The package `tar-stream` has no types. */
interface ArchiveEntry extends Readable {
  header: { name: string; type: string };
}

/** Chunks of a compressed archive. */
type Packed = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Yields the entries of an archive in their order. The caller reads each entry, or calls its
 * `resume`, before it takes the next one.
 */
export async function* readTar(packed: Packed): AsyncGenerator<ArchiveEntry> {
  const archive: Duplex & AsyncIterable<ArchiveEntry> = extract();
  const reading = pipeline(packed, createGunzip(), archive);
  // Avoids an unhandled rejection, because `reading` is awaited only below. An earlier failure ends
  // the loop over the entries.
  reading.catch(() => {});
  yield* archive;
  await reading;
}

/** Reads the bytes of an entry. */
export async function bytesOf(entry: ArchiveEntry): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(entry));
}

/** Writes an archive's entries into a new folder that only its owner can read. */
export async function unpackTar(packed: Packed, folder: string): Promise<void> {
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for await (const entry of readTar(packed)) {
    const { name, type } = entry.header;
    const path = `${folder}/${name}`;
    const bytes = await bytesOf(entry);
    if (name.split("/").includes("..")) throw new Error(`unexpected entry: ${name}`);
    if (type === "directory") Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (type === "file") Deno.writeFileSync(path, bytes, { mode: 0o600 });
    else throw new Error(`unexpected entry: ${name} (${type})`);
  }
}
