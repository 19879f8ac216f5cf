/** Runs search nodes for tests and benchmarks: `searchd` processes on loopback. */
import { searchdConfig, type SearchNode } from "../../src/search/distributed/create_tables.ts";
import { findPort } from "./port.ts";
import { findSearchd } from "./searchd.ts";

/** Running nodes. At the end of its block they are stopped, and their files are removed. */
export interface Sphinx extends AsyncDisposable {
  /** Value of SEARCH_URL: the addresses of all nodes. */
  url: string;
  nodes: readonly SearchNode[];
  /** Directory of all files. The directories of the nodes are below it. */
  directory: string;
  /** Returns the directory of a node. */
  directoryOf(node: number): string;
  /** Returns the process id of a running node. */
  pidOf(node: number): number;
  /** Kills a node, as a crash would. Its files are kept. */
  kill(node: number): Promise<void>;
  /** Stops a node, and waits until it has ended. Its files are kept. */
  halt(node: number): Promise<void>;
  /** Starts a node again at the same ports. Resolves when it answers. */
  resume(node: number): Promise<void>;
  /** Removes the files of a stopped node, as the loss of a disk would. */
  wipe(node: number): void;
}

/** Options of startSphinx(). */
interface SphinxOptions {
  /** Number of shards, each on a separate node. */
  shards?: number;
  /** Parent of the directory, by default the one of temporary files. */
  within?: string;
}

/** True if search nodes can be started on this machine. */
export const HAS_SPHINX = findSearchd() !== undefined;

/** Max number of attempts to start the nodes. */
const STARTS = 3;

/** Starts nodes with one shard each. @throws Error with their output if one does not start */
export async function startSphinx({ shards = 3, within }: SphinxOptions = {}): Promise<Sphinx> {
  for (let start = 1;; start++) {
    const sphinx = await startNodes({ shards, within });
    if (typeof sphinx !== "string") return sphinx;
    // Another process may have taken a port meanwhile.
    if (start === STARTS) throw new Error(`searchd did not start: ${sphinx}`);
  }
}

interface Running {
  child: Deno.ChildProcess;
  printed: Promise<string>;
}

/** Starts all nodes. @returns the output of the nodes if one did not start */
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
      // The node has ended already.
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

/** Starts a node. @returns its output if it ended before it answered */
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
    if (await sendsHandshake(mysql)) return { child, printed };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return await printed;
}

/** Returns whether the node sends its handshake. It listens some time before it can answer. */
async function sendsHandshake(mysql: string): Promise<boolean> {
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
