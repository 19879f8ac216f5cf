/** Keeps everything in the data directory readable by its owner alone. */
import type { Log } from "../log.ts";

/** Permission bits of the group and of everyone else. */
const SHARED_BITS = 0o077;
const SHARED_WRITE_BITS = 0o022;

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** First parts of the names that this program gives to entries of its directory. */
const KNOWN_NAMES = [
  "lock",
  "pglite",
  "demo_due",
  "demo_key",
  "index.snapshot",
  ".s.PGSQL.5432",
  ".new",
];

/**
 * Removes every permission of the group and of others from the files of this program. Tightens the
 * directory itself if it holds nothing else.
 *
 * A directory that also holds foreign files keeps its mode, because closing `/tmp` or a home would
 * harm others. It is then refused if others can write to it, for they could replace the database.
 * If they can only read it, they see names but no data: the log warns. Does nothing if there is no
 * directory.
 *
 * @throws Error that names the path and the remedy
 */
export async function makePrivate(data_dir: string, log: Log): Promise<void> {
  if (Deno.build.os === "windows") return;
  const directory = await unlessGone(Deno.stat(data_dir));
  if (directory === undefined) return;
  const entries = await Array.fromAsync(Deno.readDir(data_dir));
  for (const { name } of entries.filter(isKnown)) await closeTree(`${data_dir}/${name}`);
  const { mode } = directory;
  if ((mode! & SHARED_BITS) === 0) return;
  if (entries.every(isKnown) && await tighten(data_dir, DIRECTORY_MODE)) return;
  const remedy = "Run chmod 700 on it, or name a directory of its own in DATA_DIR";
  if ((mode! & SHARED_WRITE_BITS) !== 0) {
    throw new Error(`Other users can write to the data directory ${data_dir}. ${remedy}.`);
  }
  log.warn("other users can list the data directory, though not read its files", {
    directory: data_dir,
    remedy,
  });
}

/**
 * Lists the files of this program in a directory, and the directory itself, to which the group or
 * others have access. Changes nothing.
 */
export async function listSharedFiles(data_dir: string): Promise<string[]> {
  if (Deno.build.os === "windows" || await unlessGone(Deno.stat(data_dir)) === undefined) return [];
  const entries = await Array.fromAsync(Deno.readDir(data_dir));
  const shared = [];
  for (const { name } of entries.filter(isKnown)) {
    shared.push(...await sharedIn(`${data_dir}/${name}`));
  }
  const { mode } = await Deno.stat(data_dir);
  return (mode! & SHARED_WRITE_BITS) !== 0 ? [data_dir, ...shared] : shared;
}

async function sharedIn(path: string): Promise<string[]> {
  const entry = await unlessGone(Deno.lstat(path));
  if (entry === undefined || entry.isSymlink) return [];
  const shared = (entry.mode! & SHARED_BITS) !== 0 ? [path] : [];
  if (!entry.isDirectory) return shared;
  for await (const { name } of Deno.readDir(path)) {
    shared.push(...await sharedIn(`${path}/${name}`));
  }
  return shared;
}

function isKnown({ name }: Deno.DirEntry): boolean {
  return KNOWN_NAMES.some((known) => name === known || name.startsWith(`${known}.`));
}

/**
 * Removes every permission of the group and of others from a file, or from a directory and all that
 * is in it. Symbolic links are left alone.
 * @throws Error that names the path, if it belongs to another user
 */
export async function closeTree(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  const entry = await unlessGone(Deno.lstat(path));
  if (entry === undefined || entry.isSymlink) return;
  const { mode, isDirectory } = entry;
  if (
    (mode! & SHARED_BITS) !== 0 && !await tighten(path, isDirectory ? DIRECTORY_MODE : FILE_MODE)
  ) {
    throw new Error(`Other users have access to ${path}, which belongs to another user.`);
  }
  if (!isDirectory) return;
  for await (const { name } of Deno.readDir(path)) await closeTree(`${path}/${name}`);
}

/** Returns undefined for a file that another process of the directory has removed meanwhile. */
async function unlessGone<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
}

/** Returns false if the entry belongs to another user. */
async function tighten(path: string, mode: number): Promise<boolean> {
  try {
    await unlessGone(Deno.chmod(path, mode));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
