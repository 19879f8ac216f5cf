import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { pgmq } from "@electric-sql/pglite-pgmq";
import type { Duplex } from "node:stream";
import { errorFields, type Log } from "../log.ts";
import { Bridge, type Session } from "./bridge.ts";
import { BridgeSocket } from "./bridge_socket.ts";
import { closeTree } from "./data_directory.ts";
import type { DataLock } from "./data_lock.ts";
import { exists } from "./exists.ts";
import { servePrivateSocket } from "./private_socket.ts";
import { simpleQuery } from "./wire.ts";

/** PGlite in this process. It has one session; every connection goes through the bridge. */
export interface Embedded {
  /** A connection of this process, as the driver's `socket` option wants it. */
  connection(): Duplex;
  /** The data directory as an archive from which `openEmbedded` starts much faster. */
  dump(): Promise<Blob>;
  /** Whether the data is on disk, so that the log grows and tables want upkeep. */
  readonly stored: boolean;
  /** Rolls back what is open, writes everything down, gives the directory free. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** A directory that exists, with its lock. None: the data is kept in memory. */
  stored?: { data_dir: string; lock: DataLock };
  /** What to start from, in memory only. */
  snapshot?: Blob;
  log: Log;
}

/** How long one connection may hold up the others by a transaction in which nothing happens. */
const IDLE_IN_TRANSACTION_SECONDS = 30;

/** Opens the database, creating it where there is none: under a second, or about four. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, stored, snapshot } = options;
  const open = () =>
    stored ? openStored(`${stored.data_dir}/pglite`) : openPGlite({ loadDataDir: snapshot });
  let pglite = await open();
  let closing = false;

  const bridge = new Bridge({
    session: sessionOf(pglite),
    parameters: await parametersOf(pglite),
    idle_seconds: IDLE_IN_TRANSACTION_SECONDS,
    onFailure: (error) => {
      log.error("the embedded database went down", errorFields(error));
      // What is stored outlives its session: the next one recovers it from the log.
      if (stored && !closing) {
        reopen().catch((error) => log.error("…and stays", errorFields(error)));
      }
    },
  });
  const reopen = async () => {
    pglite = await open();
    bridge.resume(sessionOf(pglite));
    log.warn("the embedded database is open again");
  };
  const server = stored && servePrivateSocket({ bridge, data_dir: stored.data_dir, log });

  return {
    stored: stored !== undefined,
    connection: () => new BridgeSocket(bridge),
    dump: () => pglite.dumpDataDir("none"),
    async close() {
      closing = true;
      await server?.close();
      bridge.close();
      if (stored) pglite.execProtocolRawSync(simpleQuery("checkpoint"));
      await pglite.close();
      stored?.lock.release();
    },
  };
}

/** Returns whether a data directory has a database whose creation was not cut short. */
export async function isCreated(data_dir: string): Promise<boolean> {
  const directory = `${data_dir}/pglite`;
  return await exists(`${directory}/PG_VERSION`) && !await exists(`${directory}.creating`);
}

/**
 * Opens the database in a directory. A creation that was cut short is made again, since nobody has
 * seen anything of it.
 */
async function openStored(directory: string): Promise<PGlite> {
  const marker = `${directory}.creating`;
  if (await exists(marker)) await remove(directory);
  const created = !await exists(`${directory}/PG_VERSION`);
  if (created) await Deno.writeTextFile(marker, "");
  const pglite = await openPGlite({ dataDir: directory });
  // PGlite sets the modes of some files itself, past the umask: the cluster's, and caches' at start.
  await closeTree(directory);
  if (created) await remove(marker);
  return pglite;
}

async function openPGlite(options: PGliteOptions): Promise<PGlite> {
  return await PGlite.create({
    ...options,
    extensions: { pgmq },
    // Settings of the command line are what RESET ALL returns to.
    startParams: [...PGlite.defaultStartParams, "-c", "timezone=UTC"],
  });
}

function sessionOf(pglite: PGlite): Session {
  return { execute: (batch) => pglite.execProtocolRawSync(batch) };
}

/** What a server tells of itself at the start of a connection. */
async function parametersOf(pglite: PGlite): Promise<Record<string, string>> {
  const { rows } = await pglite.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in (
      'server_version', 'server_encoding', 'client_encoding', 'DateStyle', 'IntervalStyle',
      'TimeZone', 'integer_datetimes', 'standard_conforming_strings'
    )`,
  );
  return {
    ...Object.fromEntries(rows.map(({ name, setting }) => [name, setting])),
    is_superuser: "on",
    session_authorization: "postgres",
  };
}

async function remove(path: string): Promise<void> {
  if (await exists(path)) await Deno.remove(path, { recursive: true });
}
