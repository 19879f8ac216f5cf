/** Starts nodes of OpenSearch as processes of this machine, and kills them. */
import { findJava } from "../interpreters.ts";
import { findPort } from "../port.ts";
import { eventually } from "../waiting.ts";

/** Directory of OpenSearch's libraries, into which `.ci/run` copies them. */
const LIBRARIES = `${Deno.env.get("TMPDIR") || "/tmp"}/company-evidence-opensearch-2.19.6`;

/** Options of Java that save the time of a compiler and a collector for long runs. */
const QUICK_START = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

const PROGRAM = new URL("SearchNode.java", import.meta.url).pathname;

/** Returns why no node can be started here; undefined if one can. */
export function whyNoNodes(): string | undefined {
  if (findJava() === undefined) return "Java is not installed";
  try {
    return Array.from(Deno.readDirSync(LIBRARIES)).length > 50 ? undefined : "OpenSearch is absent";
  } catch {
    return "OpenSearch is absent";
  }
}

/** A running node. */
export interface SearchNode {
  name: string;
  url: string;
  /** Kills the process at once. */
  kill(): Promise<void>;
  /** Starts a killed process again, with its data. */
  start(): void;
}

/** Nodes that form a cluster. They are killed at the end of the block. */
export interface SearchNodes extends AsyncDisposable {
  nodes: SearchNode[];
  urls: string[];
}

/**
 * Starts nodes, and waits until they have found each other.
 *
 * @param options options of Java; absent: those for short runs
 */
export async function startSearchNodes(count = 2, options = QUICK_START): Promise<SearchNodes> {
  const directory = await Deno.makeTempDir({ prefix: "ce-search-" });
  const names = Array.from({ length: count }, (_, n) => `node-${n + 1}`);
  const transports = names.map(findPort);
  const seeds = transports.map((port) => `127.0.0.1:${port}`).join();
  const nodes = names.map((name, n): SearchNode => {
    const port = findPort();
    const command = new Deno.Command(findJava()!, {
      args: [
        ...["-Xms200m", "-Xmx600m", ...options, "-cp", `${LIBRARIES}/*`, PROGRAM],
        ...[`path.home=${directory}/${name}`, `node.name=${name}`, "network.host=127.0.0.1"],
        ...[`http.port=${port}`, `transport.port=${transports[n]}`],
        ...[`discovery.seed_hosts=${seeds}`, `cluster.initial_cluster_manager_nodes=${names}`],
      ],
      clearEnv: true,
      stdout: "null",
      stderr: "null",
    });
    let process = command.spawn();
    return {
      name,
      url: `http://127.0.0.1:${port}`,
      start() {
        process = command.spawn();
      },
      async kill() {
        try {
          process.kill("SIGKILL");
        } catch {
          // The process has ended.
        }
        await process.status;
      },
    };
  });
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await Deno.remove(directory, { recursive: true });
  };
  try {
    await eventually("the nodes form a cluster", () => isFormed(nodes[0]!.url, count));
  } catch (error) {
    await stop();
    throw error;
  }
  return { nodes, urls: nodes.map(({ url }) => url), [Symbol.asyncDispose]: stop };
}

/** Returns whether a node knows so many nodes, and searches reach all shards. */
export async function isFormed(url: string, count: number): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_cluster/health`);
    const { number_of_nodes, status } = await response.json();
    return response.ok && number_of_nodes === count && status !== "red";
  } catch {
    return false;
  }
}
