/** Shows the progress of an ingest on standard error. */
import { type Options, Presets, SingleBar } from "cli-progress";
import type { IngestCounts } from "./pipeline.ts";

/** An ingest whose progress is shown. */
export interface Watched {
  /** Name of the file, the address or the source. */
  name: string;
  /** Size in bytes; absent if it is not known, as for a pipe. */
  size?: number;
  bytesRead(): number;
  counts(): Readonly<IngestCounts>;
}

/** A clock and a timer. */
export interface Ticker {
  /** Returns milliseconds since a fixed moment. */
  now(): number;
  /** Calls `tick` once per period. Returns the function that stops it. */
  every(milliseconds: number, tick: () => void): () => void;
}

/** The clock of this process. Its timers do not keep the process alive. */
export const CLOCK: Ticker = {
  now: () => performance.now(),
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds);
    Deno.unrefTimer(timer);
    return () => clearInterval(timer);
  },
};

/** Milliseconds between two lines in a log. */
export const LINE_MILLISECONDS = 10_000;
const BAR_MILLISECONDS = 200;

/** Prints one line every ten seconds. Returns the function that stops the printing. */
export function sayProgress(
  watched: Watched,
  { ticker = CLOCK, say }: { ticker?: Ticker; say: (line: string) => void },
): () => void {
  let before = { at: ticker.now(), read: watched.counts().read };
  return ticker.every(LINE_MILLISECONDS, () => {
    const now = { at: ticker.now(), read: watched.counts().read };
    const seconds = (now.at - before.at) / 1000;
    const rate = seconds > 0 ? Math.round((now.read - before.read) / seconds) : 0;
    before = now;
    const parts = [
      bytesOf(watched),
      `${grouped(now.read)} records read`,
      `${grouped(rate)} per second`,
    ];
    say(`${watched.name}: ${parts.filter((part) => part !== "").join(", ")}`);
  });
}

/** Returns "12.3 of 45.6 MB (27%)", "12.3 MB" if the size is not known, or an empty text. */
function bytesOf({ size, bytesRead }: Watched): string {
  const bytes = bytesRead();
  if (size !== undefined) {
    const percent = size === 0 ? 100 : Math.min(100, Math.floor(bytes / size * 100));
    return `${megabytes(bytes)} of ${megabytes(size)} MB (${percent}%)`;
  }
  return bytes > 0 ? `${megabytes(bytes)} MB` : "";
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Returns a count with commas between groups of three digits. */
export function grouped(count: number): string {
  return count.toLocaleString("en");
}

/**
 * Draws a bar on standard error, which must be a terminal. Returns the function that ends the bar.
 */
export function drawProgress({ size, bytesRead, counts }: Watched): () => void {
  const counted =
    "{read} read · {recorded} recorded · {revised} revised · {unchanged} unchanged · " +
    "{rejected} rejected · {left_out} left out";
  const format = size === undefined ? counted : `{bar} {percentage}% · ${counted}`;
  const total = Math.max(1, size ?? 1);
  return drawBar({ format }, total, () => [size === undefined ? 0 : bytesRead(), { ...counts() }]);
}

/** Draws a bar for a share from 0 to 1. Returns the function that ends the bar. */
export function drawShare(name: string, share: () => number): () => void {
  const format = `${name} {bar} {percentage}%`;
  return drawBar({ format, clearOnComplete: true }, 1, () => [share(), {}]);
}

function drawBar(
  options: Options,
  total: number,
  drawn: () => [value: number, counts: object],
): () => void {
  // With this option, the bar installs no signal handlers.
  const bar = new SingleBar({ ...options, gracefulExit: false }, Presets.shades_classic);
  const draw = () => bar.update(...drawn());
  bar.start(total, ...drawn());
  const end = CLOCK.every(BAR_MILLISECONDS, draw);
  return () => {
    end();
    draw();
    bar.stop();
  };
}
