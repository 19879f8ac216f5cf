/**
 * Backs up an embedded database while the service runs, and restores it into a new directory. A
 * backup is a compressed archive of the database's files in their state between two transactions.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { exists, listTree } from "./exists.ts";
import type { Sql } from "./sql.ts";
import { bytesOf, readTar } from "./tar.ts";

/** Description of a backup. It is the first file of the archive. */
interface BackupFacts {
  /** Version of the program that wrote the backup. */
  version: string;
  written_at: string;
}

const FACTS_NAME = "backup.json";

/** Version of the archive's format, which its description names. */
const FORMAT = 1;

/** Folder of the database's files, in the data directory and in the archive. */
const FOLDER = "pglite";

/** Pattern of the names that a restore accepts and writes to disk. */
const ENTRY_NAME = /^pglite(\/(?!\.{1,2}(\/|$))[A-Za-z0-9_.-]+)*\/?$/;

/** Level of gzip. It is the fastest one, because the service waits until the backup is written. */
const LEVEL = 1;

/**
 * Writes a backup of the embedded database of a directory. Its transaction occupies the database's
 * only session, so that no file changes while files are read. The service's statements wait
 * meanwhile. An incomplete backup is removed.
 *
 * @param path a file that does not exist yet
 */
export async function writeBackup(
  sql: Sql,
  { data_dir, path, facts }: { data_dir: string; path: string; facts: BackupFacts },
): Promise<{ files: number; bytes: number }> {
  const unfinished = `${path}.partial`;
  if (await exists(path)) throw new Error(`${path} exists already.`);
  try {
    const size = await sql.begin(async (tx) => {
      await tx.unsafe("checkpoint");
      return await writeArchive(tx, { data_dir, unfinished, facts });
    });
    await Deno.rename(unfinished, path);
    return size as { files: number; bytes: number };
  } catch (error) {
    await Deno.remove(unfinished).catch(() => {});
    throw error;
  }
}

async function writeArchive(
  tx: Sql,
  { data_dir, unfinished, facts }: { data_dir: string; unfinished: string; facts: BackupFacts },
): Promise<{ files: number; bytes: number }> {
  const archive = pack();
  const written = pipeline(
    archive,
    createGzip({ level: LEVEL }),
    createWriteStream(unfinished, { flags: "wx", mode: 0o600 }),
  );
  // Avoids an unhandled rejection, because `written` is awaited only below. An earlier failure,
  // such as a full disk, destroys the archive and ends the loop.
  written.catch(() => {});
  archive.entry({ name: FACTS_NAME, mode: 0o600 }, JSON.stringify({ format: FORMAT, ...facts }));
  const size = { files: 0, bytes: 0 };
  try {
    for await (const entry of listTree(`${data_dir}/${FOLDER}`)) {
      const name = entry.path.slice(data_dir.length + 1);
      if (entry.isDirectory) {
        archive.entry({ name, type: "directory", mode: 0o700 });
        continue;
      }
      size.files++;
      size.bytes += entry.size;
      await pipeline(
        async function* () {
          for await (const chunk of createReadStream(entry.path)) {
            // The database would end a transaction after 30 idle seconds.
            await tx.unsafe("select");
            yield chunk;
          }
        },
        archive.entry({ name, size: entry.size, mode: 0o600 }),
      );
    }
    archive.finalize();
  } catch (error) {
    // Without the file's error, the archive would only report that it was destroyed.
    archive.destroy(error);
  }
  await written;
  return size;
}

/** Returns whether a restore into a directory was interrupted. */
export async function isHalfRestored(data_dir: string): Promise<boolean> {
  return await exists(restoringPath(data_dir));
}

/**
 * Creates a data directory from a backup. Removes the directory again if the restore fails.
 *
 * @param data_dir a directory that does not exist yet
 */
export async function readBackup(
  { data_dir, path }: { data_dir: string; path: string },
): Promise<BackupFacts> {
  if (await exists(data_dir)) {
    throw new Error(`${data_dir} exists already. A backup is restored into a new directory.`);
  }
  // This precedes the creation of the directory, so that a mistyped path leaves no directory.
  if (!await exists(path)) throw new Error(`There is no file ${path}.`);
  await Deno.mkdir(data_dir, { recursive: true, mode: 0o700 });
  try {
    const facts = await readArchive(path, restoringPath(data_dir));
    await Deno.rename(restoringPath(data_dir), `${data_dir}/${FOLDER}`);
    return facts;
  } catch (error) {
    await Deno.remove(data_dir, { recursive: true });
    // An error of the file system, such as a full disk, does not mean a damaged backup.
    const { code } = Object(error) as { code?: unknown };
    const fault = /^E[A-Z]+$/.test(String(code)) ? "cannot be restored" : "is no complete backup";
    throw new Error(`${path} ${fault}.`, { cause: error });
  }
}

async function readArchive(path: string, directory: string): Promise<BackupFacts> {
  let facts: BackupFacts & { format: number } | undefined;
  for await (const entry of readTar(createReadStream(path))) {
    const { name, type } = entry.header;
    if (name === FACTS_NAME) {
      facts = JSON.parse(`${await bytesOf(entry)}`);
      continue;
    }
    if (!ENTRY_NAME.test(name) || (type !== "file" && type !== "directory")) {
      throw new Error(`unexpected entry: ${JSON.stringify(name)} (${type})`);
    }
    const target = directory + name.slice(FOLDER.length);
    if (type === "directory") await Deno.mkdir(target, { recursive: true, mode: 0o700 });
    else await pipeline(entry, createWriteStream(target, { flags: "wx", mode: 0o600 }));
    entry.resume();
  }
  if (facts?.format !== FORMAT) {
    throw new Error("its description is missing or has an unknown format");
  }
  return facts;
}

function restoringPath(data_dir: string): string {
  return `${data_dir}/${FOLDER}.restoring`;
}
