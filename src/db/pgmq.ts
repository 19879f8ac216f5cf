import { pgmq } from "@electric-sql/pglite-pgmq";
import type { Sql } from "./sql.ts";
import { bytesOf, readTar } from "./tar.ts";

/** Version of pgmq in the npm package. */
export const PGMQ_VERSION = "1.11.1";

/**
 * Installs pgmq unless it is installed. Creates the extension if the server offers it and the role
 * may create it. Otherwise runs the extension's SQL script.
 */
export async function installPgmq(tx: Sql): Promise<void> {
  const [pgmqState] = await tx<[{ installed: boolean; offered: boolean }]>`
    select
      to_regclass('pgmq.meta') is not null as installed,
      exists (select from pg_available_extensions where name = 'pgmq') as offered
  `;
  if (pgmqState.installed) return;
  if (pgmqState.offered && await createExtension(tx)) return;
  await tx.unsafe(await readPgmqScript());
}

async function createExtension(tx: Sql): Promise<boolean> {
  await tx`savepoint extension`;
  try {
    await tx`create extension if not exists pgmq`;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    await tx`rollback to savepoint extension`;
    return false;
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";

/** Reads the script of the package, without its grants to a role that hosted servers may lack. */
async function readPgmqScript(): Promise<string> {
  // The package returns the path of its archive, also in a compiled binary.
  const { bundlePath } = await pgmq.setup(undefined as never, {});
  if (bundlePath === undefined) throw new Error("The pgmq package names no archive.");
  for await (const entry of readTar([await Deno.readFile(bundlePath)])) {
    const script = await bytesOf(entry);
    if (!entry.header.name.endsWith(`/pgmq--${PGMQ_VERSION}.sql`)) continue;
    return `${script}`.replace(/^(GRANT|ALTER DEFAULT PRIVILEGES) .* TO pg_monitor;$/gm, "");
  }
  throw new Error(`The pgmq package does not contain ${PGMQ_VERSION}.`);
}
