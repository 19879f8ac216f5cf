/** systemd's own check of units, if this machine has it. */
import { findProgram } from "./front_proxy.ts";

/** Returns where `systemd-analyze` is installed; undefined if it is not. */
export function findSystemdAnalyze(): string | undefined {
  return findProgram(["/usr/bin/systemd-analyze"]);
}
