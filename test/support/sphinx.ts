/** Search nodes for tests and benches: `searchd` processes on loopback, as this machine has them. */
import { searchdConfig, type SearchNode } from "../../src/search/distributed/create_tables.ts";
import { findPort } from "./port.ts";
import { findSearchd } from "./searchd.ts";

/** Stopped, with its files removed, at the end of its block. */
export interface Sphinx extends AsyncDisposable {
  /** Value of SEARCH_URL: the addresses of all nodes. */
  url: string;
  nodes: readonly SearchNode[];
  /** Directory of all files; the nth node has its own below it: see `directoryOf`. */
  directory: string;
  directoryOf(node: number): string;
  /** Process id of a node that runs. */
  pidOf(node: number): number;
  /** Ends a node as a crash would. Its files stay. */
  kill(node: number): Promise<void>;
  /** Asks a node to stop, and waits. Its files stay. */
  halt(node: number): Promise<void>;
  /** Starts a node again at the same ports. Resolves once it answers. */
  resume(node: number): Promise<void>;
  /** Removes the files of a node that does not run, as the loss of a disk would. */
  wipe(node: number): void;
}

export interface SphinxOptions {
  /** Number of shards, each of which is held by a node of its own. */
  shards?: number;
  /** Folder in which the directory is made; absent: that of temporary files. */
  within?: string;
}

/** True if search nodes can be started on this machine. */
export const HAS_SPHINX = findSearchd() !== undefined;

const STARTS = 3;

/** Starts nodes with a shard each. @throws Error with what they print if one does not start */
export async function startSphinx({ shards = 3, within }: SphinxOptions = {}): Promise<Sphinx> {
  for (let start = 1;; start++) {
    const sphinx = await startNodes({ shards, within });
    if (typeof sphinx !== "string") return sphinx;
    // A port may have become another's in between.
    if (start === STARTS) throw new Error(`searchd did not start: ${sphinx}`);
  }
}

interface Running {
  child: Deno.ChildProcess;
  printed: Promise<string>;
}

/** @returns what a node printed that did not start */
async function startNodes(
  { shards, within }: { shards: number; within?: string },
): Promise<Sphinx | string> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-sphinx-", dir: within });
  const nodes = Array.from({ length: shards }, (_, shard): SearchNode => ({
    mysql: `127.0.0.1:${findPort()}`,
    api: `127.0.0.1:${findPort()}`,
    shards: [shard],
  }));
  const directoryOf = (node: number) => `${directory}/node${node}`;
  const running: (Running | undefined)[] = [];
  const prepare = (node: number) => {
    Deno.mkdirSync(directoryOf(node), { recursive: true });
    const text = searchdConfig(nodes, node, directoryOf(node));
    Deno.writeTextFileSync(`${directory}/node${node}.conf`, text);
  };
  const start = async (node: number): Promise<string | undefined> => {
    const started = await startNode(`${directory}/node${node}.conf`, nodes[node]!.mysql);
    if (typeof started === "string") return started;
    running[node] = started;
  };
  const end = async (node: number, signal: Deno.Signal) => {
    const process = running[node];
    if (process === undefined) return;
    running[node] = undefined;
    try {
      process.child.kill(signal);
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError)) throw error;
    }
    await process.child.status;
    await process.printed;
  };
  const dispose = async () => {
    await Promise.all(nodes.map((_, node) => end(node, "SIGKILL")));
    Deno.removeSync(directory, { recursive: true });
  };
  const sphinx: Sphinx = {
    url: nodes.map(({ mysql }) => `mysql://${mysql}`).join(),
    nodes,
    directory,
    directoryOf,
    pidOf: (node) => running[node]!.child.pid,
    kill: (node) => end(node, "SIGKILL"),
    halt: (node) => end(node, "SIGTERM"),
    async resume(node) {
      const printed = await start(node);
      if (printed !== undefined) throw new Error(`searchd did not start: ${printed}`);
    },
    wipe(node) {
      Deno.removeSync(directoryOf(node), { recursive: true });
      Deno.mkdirSync(directoryOf(node));
    },
    [Symbol.asyncDispose]: dispose,
  };
  nodes.forEach((_, node) => prepare(node));
  const printed = (await Promise.all(nodes.map((_, node) => start(node))))
    .filter((text) => text !== undefined);
  if (printed.length === 0) return sphinx;
  await dispose();
  return printed.join("\n");
}

/** @returns what the node printed if it ended before it answered */
async function startNode(configuration: string, mysql: string): Promise<Running | string> {
  const child = new Deno.Command(findSearchd()!, {
    args: ["--config", configuration, "--nodetach"],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const printed = new Response(child.stdout).text();
  let ended = false;
  child.status.then(() => ended = true);
  while (!ended) {
    if (await greets(mysql)) return { child, printed };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return await printed;
}

/** Tells whether the server's handshake arrives: a node listens before it can answer. */
async function greets(mysql: string): Promise<boolean> {
  const [hostname, port] = mysql.split(":");
  try {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    return (await connection.read(new Uint8Array(64)) ?? 0) > 0;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    if (error instanceof Deno.errors.ConnectionReset) return false;
    throw error;
  }
}
