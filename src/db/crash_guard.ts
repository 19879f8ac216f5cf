import { defectFields, type Log } from "../log.ts";

/**
 * Keeps the process alive if a backend dies during a query of a transaction. The driver then throws
 * a TypeError in an event handler, where no caller can catch it. The deadline or the closed
 * connection rejects the query itself. Any other uncaught error still ends the process. Returns a
 * function that removes the guard.
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

/** Returns whether an error is a TypeError whose innermost frame is in the driver. */
function isDriverCrash(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const frame = error.stack?.split("\n").find((line) => line.trimStart().startsWith("at ")) ?? "";
  return /[/\\]postgres[/\\]src[/\\]\w+\.js/.test(frame);
}
