/** Programs that run what callers of the service write: Node, Python and curl. */
import { findProgram } from "./front_proxy.ts";

/** Returns where this machine has Node; nothing if it has none. */
export function findNode(): string | undefined {
  return findOnPath("node");
}

/** Returns where this machine has Python 3; nothing if it has none. */
export function findPython(): string | undefined {
  return findOnPath("python3");
}

/** Returns where this machine has curl; nothing if it has none. */
export function findCurl(): string | undefined {
  return findOnPath("curl");
}

/** Debian's place first: elsewhere there may be a script that chooses a version. */
function findOnPath(name: string): string | undefined {
  const directories = ["/usr/bin", ...(Deno.env.get("PATH") ?? "").split(":")];
  return findProgram(directories.filter(Boolean).map((directory) => `${directory}/${name}`));
}
