/** The search daemon of Sphinx or Manticore, if this machine has one. */
import { findProgram } from "./front_proxy.ts";

/** Returns where the search daemon is installed; undefined if it is not. */
export function findSearchd(): string | undefined {
  return findProgram(["/usr/bin/searchd", "/usr/local/bin/searchd"]);
}
