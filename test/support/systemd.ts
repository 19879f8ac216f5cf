/** Finds the program with which systemd checks units. */
import { findProgram } from "./front_proxy.ts";

/** Returns the path of `systemd-analyze`; undefined if it is not installed. */
export function findSystemdAnalyze(): string | undefined {
  return findProgram(["/usr/bin/systemd-analyze"]);
}
