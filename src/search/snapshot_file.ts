/**
 * Saves and loads an index. A snapshot is written to a temporary file and then renamed, so that no
 * reader finds an incomplete file.
 */
import { basename, dirname, join } from "node:path";
import type { SnapshotOrigin } from "./changes/history.ts";
import type { IndexState } from "./index/record_index.ts";
import { decodeSnapshot, encodeSnapshot } from "./index/snapshot.ts";

/** State of an index, and its position in the dataset. */
export interface Snapshot {
  state: IndexState;
  origin: SnapshotOrigin;
}

/**
 * Writes a snapshot.
 *
 * @param temporary path of a new file: `path`, a dot and a unique suffix
 * @throws Error if the directory cannot be written to
 */
export async function saveSnapshot(
  { path, temporary, state, origin }: Snapshot & { path: string; temporary: string },
): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeAbandoned(path);
  using file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
  for (const chunk of encodeSnapshot(state, origin)) {
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
  }
  await file.sync();
  await Deno.rename(temporary, path);
}

/**
 * Reads a snapshot.
 *
 * @returns undefined if there is no file
 * @throws SnapshotDamaged if the file is not a complete snapshot of this format
 */
export async function loadSnapshot(path: string): Promise<Snapshot | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const { state, meta } = await decodeSnapshot(file.readable);
  return { state, origin: meta as SnapshotOrigin };
}

/**
 * Milliseconds after which an unfinished file is deleted. Its process must have died, because no
 * write takes so long.
 */
const ABANDONED_MILLISECONDS = 3_600_000;

/** Deletes the unfinished files of processes that died. */
async function removeAbandoned(path: string): Promise<void> {
  const directory = dirname(path);
  for await (const { name } of Deno.readDir(directory)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const file = join(directory, name);
    try {
      const modified = (await Deno.stat(file)).mtime?.getTime() ?? 0;
      if (Date.now() - modified > ABANDONED_MILLISECONDS) await Deno.remove(file);
    } catch (error) {
      // Another process has renamed or deleted the file.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
