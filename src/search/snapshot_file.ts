/**
 * Saves and loads an index. A file is written beside its path and then renamed, so that no reader
 * finds half of it.
 */
import { basename, dirname, join } from "node:path";
import type { SnapshotOrigin } from "./changes/history.ts";
import type { IndexState } from "./engine/segmented_index.ts";
import { decodeSnapshot, encodeSnapshot } from "./engine/snapshot.ts";

export interface Snapshot {
  state: IndexState;
  origin: SnapshotOrigin;
}

/**
 * Writes a snapshot.
 *
 * @param beside path of a new file in the same directory
 * @throws Error if the directory cannot be written to
 */
export async function saveSnapshot(
  { path, beside, state, origin }: Snapshot & { path: string; beside: string },
): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeAbandoned(path);
  using file = await Deno.open(beside, { write: true, createNew: true, mode: 0o600 });
  for (const chunk of encodeSnapshot(state, origin)) {
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
  }
  await file.sync();
  await Deno.rename(beside, path);
}

/**
 * Reads a snapshot.
 *
 * @returns undefined if there is no file
 * @throws SnapshotDamaged
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
 * Milliseconds after which an unfinished file is deleted. Its process has died, because no writer
 * takes so long.
 */
const ABANDONED_MILLISECONDS = 3_600_000;

async function removeAbandoned(path: string): Promise<void> {
  const directory = dirname(path);
  for await (const { name } of Deno.readDir(directory)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const file = join(directory, name);
    try {
      const modified = (await Deno.stat(file)).mtime?.getTime() ?? 0;
      if (Date.now() - modified > ABANDONED_MILLISECONDS) await Deno.remove(file);
    } catch (error) {
      // Another process has finished it.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
