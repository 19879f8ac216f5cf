/**
 * Reserves the data directory for one process, and makes the files of this program in it readable by
 * their owner alone.
 */
import type { Log } from "../log.ts";
import { isFile, listTree, unlessMissing } from "./exists.ts";

/** Permission bits of the group and of others. */
const SHARED_BITS = 0o077;
/** Bits of SHARED_BITS that permit writing. */
const SHARED_WRITE_BITS = 0o022;

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Names, without their endings, of the entries that this program creates in its directory. */
const KNOWN_NAMES = ["lock", "pglite", "demo_due", "demo_key", "index.snapshot", ".s.PGSQL.5432"];

/**
 * Removes every permission of the group and of others from the files of this program, and from the
 * directory itself if it contains no other files. Does nothing if there is no directory.
 *
 * A directory that also contains other files keeps its mode, because changing that of `/tmp` or of
 * a home would harm other users. A directory of another user keeps its mode too. Such directories
 * are refused if the group or others can write to them, because they could replace the database. If
 * the group or others have only other permissions, such as to list the files, a warning is logged.
 *
 * @throws Error that names the path; for the directory, also the remedy
 */
export async function makePrivate(data_dir: string, log: Log): Promise<void> {
  if (Deno.build.os === "windows") return;
  const directory = await unlessMissing(Deno.stat(data_dir));
  if (directory === undefined) return;
  const entries = await Array.fromAsync(Deno.readDir(data_dir));
  for (const { name } of entries.filter(isKnown)) await closeTree(`${data_dir}/${name}`);
  const { mode } = directory;
  if ((mode! & SHARED_BITS) === 0) return;
  if (entries.every(isKnown) && await tighten(data_dir, DIRECTORY_MODE)) return;
  const remedy = "Run chmod 700 on it, or set DATA_DIR to a separate directory";
  if ((mode! & SHARED_WRITE_BITS) !== 0) {
    throw new Error(`Other users can write to the data directory ${data_dir}. ${remedy}.`);
  }
  log.warn("other users can list the data directory, though not read its files", {
    directory: data_dir,
    remedy,
  });
}

/**
 * Lists the files of this program in a directory to which the group or others have access. Lists
 * the directory itself only if they can write to it. Changes nothing.
 */
export async function listSharedFiles(data_dir: string): Promise<string[]> {
  const directory = await unlessMissing(Deno.stat(data_dir));
  if (Deno.build.os === "windows" || directory === undefined) return [];
  const shared = (directory.mode! & SHARED_WRITE_BITS) !== 0 ? [data_dir] : [];
  for await (const entry of Deno.readDir(data_dir)) {
    const open = isKnown(entry) ? await sharedIn(`${data_dir}/${entry.name}`) : [];
    shared.push(...open.map(({ path }) => path));
  }
  return shared;
}

function isKnown({ name }: Deno.DirEntry): boolean {
  return KNOWN_NAMES.some((known) => name === known || name.startsWith(`${known}.`));
}

/**
 * Removes every permission of the group and of others from a file, or from a directory and its
 * whole content. Symbolic links stay unchanged.
 * @throws Error that names the path, if the file belongs to another user
 */
export async function closeTree(path: string): Promise<void> {
  for (const shared of await sharedIn(path)) {
    if (await tighten(shared.path, shared.isDirectory ? DIRECTORY_MODE : FILE_MODE)) continue;
    throw new Error(`Other users have access to ${shared.path}, which belongs to another user.`);
  }
}

/** Lists a path, and the paths below it, to which the group or others have access. */
async function sharedIn(path: string) {
  if (Deno.build.os === "windows") return [];
  const entries = await Array.fromAsync(listTree(path));
  return entries.filter(({ isSymlink, mode }) => !isSymlink && (mode! & SHARED_BITS) !== 0);
}

/** Sets the mode of an entry. Returns false if the entry belongs to another user. */
async function tighten(path: string, mode: number): Promise<boolean> {
  try {
    await unlessMissing(Deno.chmod(path, mode));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/** The lock of a data directory. */
export interface DataLock {
  /** Releases the directory. */
  release(): void;
}

const lockPath = (data_dir: string): string => `${data_dir}/lock`;

/**
 * Takes the lock of `data_dir`, which must exist. Returns undefined if a live process holds the
 * lock. The kernel releases the lock when the process ends.
 */
export async function takeDataLock(data_dir: string): Promise<DataLock | undefined> {
  const file = await Deno.open(lockPath(data_dir), { create: true, read: true, write: true });
  try {
    if (!await file.tryLock(true)) {
      file.close();
      return;
    }
    await file.truncate();
    await file.write(new TextEncoder().encode(`${Deno.pid}\n`));
  } catch (error) {
    file.close();
    throw error;
  }
  return { release: () => file.close() };
}

/** Returns whether a process has ever taken the lock of `data_dir`. */
export async function hasLock(data_dir: string): Promise<boolean> {
  return await isFile(lockPath(data_dir));
}

/** Returns the process id of the holder for messages, or "unknown". */
export async function findLockHolder(data_dir: string): Promise<string> {
  try {
    const text = (await Deno.readTextFile(lockPath(data_dir))).trim();
    return /^\d+$/.test(text) ? text : "unknown";
  } catch {
    return "unknown";
  }
}
