/** Finds the search daemon of Sphinx or Manticore. */
import { findProgram } from "./front_proxy.ts";

/** Returns the path of the search daemon; undefined if it is not installed. */
export function findSearchd(): string | undefined {
  return findProgram(["/usr/bin/searchd", "/usr/local/bin/searchd"]);
}
