import { defectFields, type Log } from "../log.ts";

/**
 * Keeps the process alive when a backend dies in the middle of a transaction's query: the driver
 * then throws a TypeError out of an event that nobody can catch. The query itself is rejected by
 * its deadline or by the closed connection. Any other uncaught error ends the process as before.
 * Call once; the function returned takes the guard off.
 */
export function guardDriverCrash(log: Log): () => void {
  const guard = (event: ErrorEvent) => {
    if (!isDriverCrash(event.error)) return;
    event.preventDefault();
    log.error("the database driver lost its connection", defectFields(event.error));
  };
  globalThis.addEventListener("error", guard);
  return () => globalThis.removeEventListener("error", guard);
}

/** A TypeError whose innermost frame is the driver's. */
function isDriverCrash(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const frame = error.stack?.split("\n").find((line) => line.trimStart().startsWith("at ")) ?? "";
  return /[/\\]postgres[/\\]src[/\\]\w+\.js/.test(frame);
}
