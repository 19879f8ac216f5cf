/** Finds the programs that run example code of callers: Node, Python and curl. */
import { findProgram } from "./front_proxy.ts";

/** Returns the path of Node; undefined if this machine has none. */
export function findNode(): string | undefined {
  return findOnPath("node");
}

/** Returns the command line of npm; undefined if this machine has none. */
export function findNpm(): string[] | undefined {
  const [node, npm] = [findNode(), findOnPath("npm")];
  return node === undefined || npm === undefined ? undefined : [node, npm];
}

/** Returns the path of Python 3; undefined if this machine has none. */
export function findPython(): string | undefined {
  return findOnPath("python3");
}

/** Returns the path of curl; undefined if this machine has none. */
export function findCurl(): string | undefined {
  return findOnPath("curl");
}

/** Returns the path of Java; undefined if this machine has none. */
export function findJava(): string | undefined {
  return findOnPath("java");
}

/** Searches /usr/bin first, because a script in PATH may choose another version. */
function findOnPath(name: string): string | undefined {
  const directories = ["/usr/bin", ...(Deno.env.get("PATH") ?? "").split(":")];
  return findProgram(directories.filter(Boolean).map((directory) => `${directory}/${name}`));
}
