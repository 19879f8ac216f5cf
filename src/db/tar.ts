/** Reads small tar archives (ustar) of npm packages in memory. */

/** A file or folder of an archive. */
interface TarEntry {
  name: string;
  is_directory: boolean;
  /** A view of the archive's bytes. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Number of bytes of a block. */
const BLOCK = 512;

/** Type flag of a folder. */
const DIRECTORY = "5";

const decoder = new TextDecoder();

/** Decompresses an archive. */
export async function gunzip(packed: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const archive = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(archive).arrayBuffer());
}

/** Yields the entries of a tar archive in their order. Names have at most 100 bytes. */
export function* readTar(archive: Uint8Array<ArrayBuffer>): Generator<TarEntry> {
  const text = (start: number, length: number) =>
    decoder.decode(archive.subarray(start, start + length)).replace(/\0.*$/s, "");
  for (let at = 0; at + BLOCK <= archive.length;) {
    const name = text(at, 100);
    if (name === "") return;
    const size = parseInt(text(at + 124, 12).trim(), 8);
    const start = at + BLOCK;
    const bytes = archive.subarray(start, start + size);
    if (bytes.length !== size) throw new Error(`The archive ends within ${name}.`);
    yield { name, is_directory: text(at + 156, 1) === DIRECTORY, bytes };
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** Writes an archive's entries into a new folder that only its owner can read. */
export function unpackTar(archive: Uint8Array<ArrayBuffer>, folder: string): void {
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, is_directory, bytes } of readTar(archive)) {
    if (name.split("/").includes("..")) throw new Error(`unexpected entry: ${name}`);
    const path = `${folder}/${name}`;
    if (is_directory) Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    else Deno.writeFileSync(path, bytes, { mode: 0o600 });
  }
}
