/** Rows that compare measured values with their floors (min or max), and formats of numbers. */

/** A row of the table of floors. */
export interface Floor {
  what: string;
  /** Floor in words, such as "at least 200 times". It is empty if the value is only reported. */
  floor: string;
  measured: string;
  met?: boolean;
}

/**
 * Environment variable that holds the rows. All benches of one run share the environment, although
 * each has its own isolate.
 */
const KEPT = "SEARCH_BENCH_FLOORS_KEPT";

/** Keeps rows for the table at the end of the run. */
export function keepFloors(rows: readonly Floor[]): void {
  Deno.env.set(KEPT, JSON.stringify([...keptFloors(), ...rows]));
}

/** Returns the rows that the benches of this run have kept so far. */
export function keptFloors(): Floor[] {
  return JSON.parse(Deno.env.get(KEPT) ?? "[]");
}

/**
 * Returns a row of a measured ratio, which must reach `min` or must not exceed `max`.
 *
 * @param of the two values whose ratio it is, as text
 */
export function ratioFloor(
  what: string,
  ratio: number,
  { min, max, of }: { min?: number; max?: number; of: string },
): Floor {
  const met = (min === undefined || ratio >= min) && (max === undefined || ratio <= max);
  const floor = min === undefined ? `at most ${max} times` : `at least ${min} times`;
  return { what, floor, measured: `${formatNumber(ratio)} times (${of})`, met };
}

/**
 * Returns a row of a ratio that was measured in several rounds. The worst round has to meet the
 * floor.
 *
 * @param ratios by round
 * @param times milliseconds of our engine and of the peer, by round
 */
export function roundsFloor(
  what: string,
  ratios: readonly number[],
  { min, max, times }: {
    min?: number;
    max?: number;
    times: readonly (readonly [ours: number, peer: number])[];
  },
): Floor {
  const sorted = ratios.toSorted((a, b) => a - b);
  const [smallest, middle, largest] = [sorted[0]!, medianOf(sorted), sorted.at(-1)!];
  const [ours, peer] = [0, 1].map((side) => medianOf(times.map((pair) => pair[side]!)));
  const spread = `${formatNumber(middle)} times, rounds ${formatNumber(smallest)} to ` +
    `${formatNumber(largest)} (${formatTime(ours)} and ${formatTime(peer)})`;
  if (min === undefined && max === undefined) return { what, floor: "", measured: spread };
  const met = (min === undefined || smallest >= min) && (max === undefined || largest <= max);
  const floor = min === undefined ? `at most ${max} times` : `at least ${min} times`;
  return { what, floor, measured: spread, met };
}

/** Returns the middle value, or the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(values.length - 1) >> 1]! + sorted[values.length >> 1]!) / 2;
}

/** Formats a number with three significant digits, or as an integer from 1,000. */
export function formatNumber(value: number): string {
  return value >= 1_000
    ? Math.round(value).toLocaleString("en")
    : String(Number(value.toPrecision(3)));
}

/** Formats a time as "0.123 ms", or as "–" if it was not measured. */
export function formatTime(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "–" : `${formatNumber(milliseconds)} ms`;
}

/** Bytes per MiB. */
export const MIB = 1024 ** 2;

/** Converts bytes to MiB, rounded to an integer. */
export function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

/** Formats bytes as "12.3 MiB". */
export function formatMib(bytes: number): string {
  return `${formatNumber(bytes / MIB)} MiB`;
}

/** Formats rows as a Markdown table. */
export function floorTable(rows: readonly Floor[]): string {
  const mark = (met: boolean | undefined) => met === undefined ? "" : met ? "yes" : "**no**";
  return markdownTable(
    ["what", "floor", "measured", "met"],
    rows.map(({ what, floor, measured, met }) => [what, floor, measured, mark(met)]),
  );
}

/** Formats a Markdown table with padded columns. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
