import { pgmq } from "@electric-sql/pglite-pgmq";
import type { TransactionSql } from "postgres";
import { gunzip, readTar } from "./tar.ts";

/** Version of the SQL in the npm package. */
export const PGMQ_VERSION = "1.11.1";

/**
 * Installs pgmq unless it is installed. It is an extension if the server has it and the role may
 * create it, otherwise plain SQL.
 */
export async function installPgmq(tx: TransactionSql): Promise<void> {
  const [found] = await tx<[{ installed: boolean; offered: boolean }]>`
    select
      to_regclass('pgmq.meta') is not null as installed,
      exists (select from pg_available_extensions where name = 'pgmq') as offered
  `;
  if (found.installed) return;
  if (found.offered && await createExtension(tx)) return;
  await tx.unsafe(await readPgmqScript());
}

async function createExtension(tx: TransactionSql): Promise<boolean> {
  try {
    await tx.savepoint((inner) => inner`create extension if not exists pgmq`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";

/** Reads the script of the package, without grants to a role that hosted servers may lack. */
async function readPgmqScript(): Promise<string> {
  // The package tells where its archive is, also in a compiled binary.
  const { bundlePath } = await pgmq.setup(undefined as never, {});
  if (bundlePath === undefined) throw new Error("The pgmq package names no archive.");
  const archive = await gunzip(new Blob([await Deno.readFile(bundlePath)]));
  const script = readTar(archive).find(({ name }) => name.endsWith(`/pgmq--${PGMQ_VERSION}.sql`));
  if (script === undefined) throw new Error(`The pgmq package does not hold ${PGMQ_VERSION}.`);
  return new TextDecoder().decode(script.bytes).replace(
    /^(GRANT|ALTER DEFAULT PRIVILEGES) .* TO pg_monitor;$/gm,
    "",
  );
}
