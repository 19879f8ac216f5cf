/** Starts a temporary PostgreSQL on loopback, from the server binaries of this machine. */
import { dirname } from "node:path";
import { findPort } from "./port.ts";

/** A temporary PostgreSQL server. */
export interface Cluster {
  /** Address of the server, for a superuser. */
  url: string;
  /**
   * Stops the server and keeps its files. SIGINT is PostgreSQL's fast shutdown. SIGQUIT ends the
   * server as a crash would.
   */
  halt(signal?: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Starts a halted server at the same port. Resolves when it accepts connections. */
  resume(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a server. Returns undefined if this machine has no server binaries.
 * @param durable true keeps acknowledged transactions after a crash of the server, but not after a
 * crash of the machine
 */
export async function startCluster({ durable = false } = {}): Promise<Cluster | undefined> {
  const binaries = findBinaries();
  if (binaries === undefined) return;
  const directory = Deno.makeTempDirSync({ prefix: PREFIX });
  await removeLeftovers(dirname(directory), binaries);
  const owner = serverOwner();
  if (owner) Deno.chownSync(directory, owner.uid, owner.gid);
  const run = (name: string, args: string[]) =>
    new Deno.Command(`${binaries}/${name}`, {
      args,
      cwd: directory,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      ...owner,
    });
  const data = `${directory}/data`;
  const initialized = await run("initdb", [
    ...["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
  ]).output();
  if (!initialized.success) throw new Error(new TextDecoder().decode(initialized.stderr));
  const settings = durable ? [...SETTINGS, "-c", "synchronous_commit=on"] : SETTINGS;
  const start = async (port: number): Promise<Server | string> => {
    const child = run("postgres", ["-D", data, "-k", directory, "-p", `${port}`, ...settings])
      .spawn();
    const messages = new Response(child.stderr).text();
    while (await isRunning(child)) {
      // This checks the socket in the directory, because another process may listen at the port.
      const ready = await run("pg_isready", ["-h", directory, "-p", `${port}`]).output();
      if (ready.success) return { child, messages };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return await messages;
  };
  for (let attempt = 1;; attempt++) {
    const port = findPort();
    const server = await start(port);
    if (typeof server !== "string") {
      return clusterOf(server, { directory, port, start: () => start(port) });
    }
    // Another process may have taken the port meanwhile.
    if (attempt < 3) continue;
    Deno.removeSync(directory, { recursive: true });
    throw new Error(`PostgreSQL did not start: ${server}`);
  }
}

/** Prefix of the names of the directories of servers. */
const PREFIX = "ce-postgres-";
/** Min minutes since the last change of a directory that is removed. */
const LEFTOVER_MINUTES = 60;

/**
 * Removes the directories of servers that no longer run, because a killed process could not remove
 * them. One run of the load leaves gigabytes.
 */
async function removeLeftovers(parent: string, binaries: string): Promise<void> {
  for (const { name, isDirectory } of [...Deno.readDirSync(parent)]) {
    if (!isDirectory || !name.startsWith(PREFIX)) continue;
    const directory = `${parent}/${name}`;
    try {
      const { mtime } = Deno.statSync(directory);
      if (Date.now() - mtime!.getTime() < LEFTOVER_MINUTES * 60_000) continue;
      if (await isServed(directory, binaries)) continue;
      Deno.removeSync(directory, { recursive: true });
    } catch {
      // The directory belongs to another user, or another process is removing it.
    }
  }
}

/** Exit code of pg_isready if no server answers. */
const NO_ANSWER = 2;

/** Returns whether a server runs in a directory. */
async function isServed(directory: string, binaries: string): Promise<boolean> {
  const ports = [...Deno.readDirSync(directory)]
    .flatMap(({ name }) => /^\.s\.PGSQL\.(\d+)$/.exec(name)?.[1] ?? []);
  if (ports.length === 0) return false;
  const args = ["-h", directory, "-p", ports[0]!, "-t", "10"];
  const { code } = await new Deno.Command(`${binaries}/pg_isready`, { args }).output();
  return code !== NO_ANSWER;
}

interface Server {
  child: Deno.ChildProcess;
  messages: Promise<string>;
}

function clusterOf(
  first: Server,
  { directory, port, start }: {
    directory: string;
    port: number;
    start: () => Promise<Server | string>;
  },
): Cluster {
  let server = first;
  const halt = async (signal: "SIGINT" | "SIGQUIT" = "SIGINT") => {
    const { child, messages } = server;
    if (await isRunning(child)) child.kill(signal);
    await child.status;
    await messages;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    halt,
    async resume() {
      const started = await start();
      if (typeof started === "string") throw new Error(`PostgreSQL did not start: ${started}`);
      server = started;
    },
    async stop() {
      await halt();
      Deno.removeSync(directory, { recursive: true });
    },
  };
}

/** Settings of the server. They give up durability for speed, because no data has to be kept. */
const SETTINGS = Object.entries({
  listen_addresses: "127.0.0.1",
  max_connections: 200,
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  log_min_messages: "fatal",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Returns whether this machine can start a temporary server. */
export function hasServerBinaries(): boolean {
  return findBinaries() !== undefined;
}

const DEBIAN = "/usr/lib/postgresql";

/**
 * Returns the directory of initdb, postgres and pg_isready: one in PATH, or else Debian's directory
 * of the newest version; undefined if there is none.
 */
export function findBinaries(): string | undefined {
  const versions = isDirectory(DEBIAN)
    ? [...Deno.readDirSync(DEBIAN)].map(({ name }) => name).sort((a, b) => Number(b) - Number(a))
    : [];
  const directories = [
    ...(Deno.env.get("PATH") ?? "").split(":"),
    ...versions.map((version) => `${DEBIAN}/${version}/bin`),
  ];
  return directories.find((directory) =>
    ["initdb", "postgres", "pg_isready"].every((name) => isFile(`${directory}/${name}`))
  );
}

/** Returns the user that runs the server: `postgres` for root, because PostgreSQL refuses root. */
function serverOwner(): { uid: number; gid: number } | undefined {
  if (Deno.uid() !== 0) return;
  const entry = Deno.readTextFileSync("/etc/passwd").match(/^postgres:[^:]*:(\d+):(\d+):/m);
  if (entry === null) throw new Error("Running as root, and there is no user postgres.");
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

async function isRunning(process: Deno.ChildProcess): Promise<boolean> {
  const ended = process.status.then(() => false);
  const running = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 0));
  return await Promise.race([ended, running]);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
