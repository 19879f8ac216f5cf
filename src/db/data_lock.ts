/**
 * Reserves a data directory for one process. The kernel releases the lock when the process ends.
 */

/** The lock of a data directory. */
export interface DataLock {
  /** Releases the directory. */
  release(): void;
}

const NAME = "lock";

/**
 * Takes the lock of `data_dir`, which must exist. Returns undefined if a live process holds the
 * lock. The lock file of a dead process is not locked.
 */
export async function takeDataLock(data_dir: string): Promise<DataLock | undefined> {
  const file = await Deno.open(`${data_dir}/${NAME}`, { create: true, read: true, write: true });
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
  try {
    return (await Deno.stat(`${data_dir}/${NAME}`)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Returns the process id of the holder for messages, or "unknown". */
export async function findLockHolder(data_dir: string): Promise<string> {
  try {
    const text = (await Deno.readTextFile(`${data_dir}/${NAME}`)).trim();
    return /^\d+$/.test(text) ? text : "unknown";
  } catch {
    return "unknown";
  }
}
