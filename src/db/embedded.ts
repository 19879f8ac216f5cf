/** Opens PGlite in this process, in memory or in a data directory. */
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { type Duplex, duplexPair } from "node:stream";
import { errorFields, type Log } from "../log.ts";
import { pause } from "../repeat.ts";
import { Bridge } from "./bridge.ts";
import { closeTree, type DataLock } from "./data_directory.ts";
import { exists, unlessMissing } from "./exists.ts";
import { FlushedFiles, flushTree } from "./flushed_files.ts";
import { servePrivateSocket, serveStream } from "./private_socket.ts";
import { unpackTar } from "./tar.ts";
import { simpleQuery } from "./wire.ts";

/** PGlite in this process. It has one session, which connections share through the bridge. */
export interface Embedded {
  /** Opens a connection within this process, for the driver's `stream` option. */
  connection(): Duplex;
  /** Returns the data directory as an archive, which is the `snapshot` of `openEmbedded`. */
  dump(): Promise<Blob>;
  /** Rolls back open transactions, writes a checkpoint, and releases the directory. */
  close(): Promise<void>;
}

interface EmbeddedOptions {
  /** Existing directory with its lock. Absent: the data is kept in memory. */
  stored?: { data_dir: string; lock: DataLock };
  /** Initial content of a database in memory. */
  snapshot?: Blob;
  log: Log;
}

/**
 * Max seconds for which an idle transaction of one connection may block the other connections. The
 * number is the same as on a server.
 */
const IDLE_IN_TRANSACTION_SECONDS = 30;

/** Milliseconds between two checks whether a full disk has space again (chosen). */
const REOPEN_MILLISECONDS = 2_000;

/** Opens the database, and creates it if there is none. Both take about a second. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, stored, snapshot } = options;
  const open = async () =>
    stored
      ? await openStored(`${stored.data_dir}/pglite`)
      : await openPGlite({ loadDataDir: snapshot ?? await dataDir() });
  let pglite = await open();
  const closing = new AbortController();

  const bridge = new Bridge({
    execute: (batch) => pglite.execProtocolRawSync(batch),
    parameters: await parametersOf(pglite),
    idle_seconds: IDLE_IN_TRANSACTION_SECONDS,
    onFailure: (error) => {
      log.error("the embedded database went down", errorFields(error));
      // The next session recovers the stored data from the write-ahead log.
      const staysDown = (error: unknown) =>
        log.error("the embedded database stays down", errorFields(error));
      if (stored) reopen(stored.data_dir, staysDown).catch(staysDown);
    },
  });
  const reopen = async (data_dir: string, staysDown: (error: unknown) => void) => {
    // An attempt on a full disk would fail, and PGlite would keep its memory (165 MB, measured
    // 2026-11-29).
    let fault: unknown;
    while (!closing.signal.aborted && (fault = await writingFault(`${data_dir}/pglite`))) {
      staysDown(fault);
      await pause(REOPEN_MILLISECONDS, closing.signal);
    }
    if (closing.signal.aborted) return;
    pglite = await open();
    bridge.resume();
    log.warn("the embedded database is open again");
  };
  const server = stored && servePrivateSocket({ bridge, data_dir: stored.data_dir, log });

  return {
    connection: () => socketTo(bridge),
    dump: () => pglite.dumpDataDir("none"),
    async close() {
      closing.abort();
      await server?.close();
      bridge.close();
      if (stored) pglite.execProtocolRawSync(simpleQuery("checkpoint"));
      await pglite.close();
      stored?.lock.release();
    },
  };
}

/** Returns whether a data directory has a completely created database. */
export async function isCreated(data_dir: string): Promise<boolean> {
  const directory = `${data_dir}/pglite`;
  return await exists(`${directory}/PG_VERSION`) && !await exists(`${directory}.creating`);
}

/**
 * Opens the database in a directory. A new database is a copy of the empty one in PGlite's package,
 * because `initdb` takes several times as long. Its files are written here, because PGlite's own
 * file system is slower. An interrupted creation is repeated, because it contains no data yet.
 */
async function openStored(directory: string): Promise<PGlite> {
  const marker = `${directory}.creating`;
  if (await exists(marker)) await unlessMissing(Deno.remove(directory, { recursive: true }));
  const created = !await exists(`${directory}/PG_VERSION`);
  if (created) {
    await Deno.writeTextFile(marker, "");
    await unpackTar((await dataDir()).stream(), directory);
  }
  const fs = new FlushedFiles(directory);
  const pglite = await openPGlite({ dataDir: directory, fs }).catch(async (error) => {
    // PostgreSQL ended while it started. PGlite keeps its reason to itself.
    const isAbort = /^Aborted\(|PGlite failed to initialize/.test(error.message);
    throw isAbort && !created ? await whyNotStarted(directory, error) : error;
  });
  // PGlite ignores the umask for the cluster's files, and for caches that it writes at the start.
  await closeTree(directory);
  if (created) {
    await flushTree(directory);
    await Deno.remove(marker);
  }
  return pglite;
}

/** An embedded database on whose files PostgreSQL does not start. */
export class NotStarted extends Error {
  constructor(readonly reason: string, readonly remedy: string, options: ErrorOptions) {
    super(`${reason} ${remedy}`, options);
  }
}

/**
 * Number of MiB that a start may write: two segments of the write-ahead log. A start after a full
 * disk writes one of them (measured 2026-11-28).
 */
const START_MIB = 32;

/**
 * Returns the error of writing START_MIB beside a database; undefined if they can be written. The
 * probe is removed again. It also meets a quota.
 */
async function writingFault(directory: string): Promise<unknown> {
  const probe = `${directory}.probe`;
  try {
    await Deno.writeFile(probe, new Uint8Array(START_MIB << 20));
  } catch (error) {
    return error;
  } finally {
    await unlessMissing(Deno.remove(probe));
  }
}

/**
 * Returns the reason why a database does not start. PGlite reports a full disk and damaged files
 * alike, so a probe is written.
 */
async function whyNotStarted(directory: string, cause: unknown): Promise<NotStarted> {
  const fault = await writingFault(directory);
  if (fault !== undefined) {
    return new NotStarted(
      `The embedded database in ${directory} does not start, and ${START_MIB} MiB that it may need ` +
        `cannot be written: ${(fault as Error).message}.`,
      "Free space on its disk, or make it writable, and start again. Its files are kept.",
      { cause },
    );
  }
  return new NotStarted(
    `The files of the embedded database in ${directory} are damaged or missing, so PostgreSQL ` +
      "does not start on them.",
    "Keep the directory, set DATA_DIR to a new one, and restore the latest backup into it: " +
      "`deno task restore FILE`.",
    { cause },
  );
}

/** Opens a database on disk or in memory. @throws Error that names the reason */
async function openPGlite(options: PGliteOptions): Promise<PGlite> {
  try {
    return await PGlite.create({
      ...options,
      // RESET ALL, which the bridge executes, returns to these settings of the command line.
      startParams: [
        // The parameter -F turns off fsync. It suits a database in memory.
        ...PGlite.defaultStartParams.filter((one) => one !== "-F" || options.fs === undefined),
        // PGlite's fdatasync, the default, does not reach the file system.
        ...["-c", "wal_sync_method=fsync", "-c", "timezone=UTC"],
      ],
    });
  } catch (error) {
    throw openingError(error);
  }
}

/** Number of ENOSPC in PGlite's file system, as WASI defines it. */
const NO_SPACE = 51;

/** Returns an Error with a message. PGlite's file system throws objects with only a number. */
export function openingError(thrown: unknown): unknown {
  if (thrown instanceof Error) return thrown;
  const { errno } = Object(thrown) as { errno?: number };
  const reason = errno === NO_SPACE ? "no space is left on the disk" : `file error ${errno}`;
  return new Error(`The embedded database cannot be opened: ${reason}.`, { cause: thrown });
}

/** Returns the parameters that a server reports at the start of a connection. */
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

/** Opens a connection to the bridge within this process, in the form of a socket for the driver. */
function socketTo(bridge: Bridge): Duplex {
  const [socket, end] = duplexPair({ allowHalfOpen: false });
  serveStream(bridge, end, { foreign: false });
  socket.on("close", () => end.destroy());
  // There is no network that delays packets or loses a peer, and no event loop is kept alive.
  const nothing = () => socket;
  return Object.assign(socket, {
    connect() {
      queueMicrotask(() => socket.emit("connect"));
      return socket;
    },
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
  });
}
