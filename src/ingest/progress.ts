import { Presets, SingleBar } from "cli-progress";
import type { IngestCounts } from "./pipeline.ts";

/** Shows how far an ingest has come. */
export interface Progress {
  update(bytes: number, counts: Readonly<IngestCounts>): void;
  stop(): void;
}

/** Nothing: where standard error is no terminal, a bar would only fill a log. */
export const NO_PROGRESS: Progress = { update() {}, stop() {} };

/** A bar on standard error; `total_bytes` is absent where the input is a pipe. */
export function createProgress(totalBytes: number | undefined): Progress {
  const counted =
    "{read} read · {recorded} recorded · {revised} revised · {unchanged} unchanged · " +
    "{rejected} rejected";
  const bar = new SingleBar({
    format: totalBytes === undefined ? counted : `{bar} {percentage}% · ${counted}`,
    fps: 5,
    // The process ends as it would without a bar.
    gracefulExit: false,
  }, Presets.shades_classic);
  bar.start(Math.max(1, totalBytes ?? 1), 0, {
    read: 0,
    recorded: 0,
    revised: 0,
    unchanged: 0,
    rejected: 0,
  });
  return {
    update: (bytes, counts) => bar.update(totalBytes === undefined ? 0 : bytes, { ...counts }),
    stop: () => bar.stop(),
  };
}
