/** Floors, each beside the measured value. */

export interface Floor {
  what: string;
  /** Floor in words: "at least 200 times". It is empty if the figure is only told. */
  floor: string;
  measured: string;
  met?: boolean;
}

/**
 * Environment variable that holds the rows. All benches of one run share it, although each has an
 * isolate of its own.
 */
const KEPT = "SEARCH_BENCH_FLOORS_KEPT";

/** Keeps rows for the table at the end of the run. */
export function keepFloors(rows: readonly Floor[]): void {
  Deno.env.set(KEPT, JSON.stringify([...keptFloors(), ...rows]));
}

/** Returns the floors that the benches of this run have kept so far. */
export function keptFloors(): Floor[] {
  return JSON.parse(Deno.env.get(KEPT) ?? "[]");
}

/** A row of a measured ratio that must not be under, or over, the promised one. */
export function ratioFloor(
  what: string,
  ratio: number,
  { least, most, of }: { least?: number; most?: number; of: string },
): Floor {
  const met = (least === undefined || ratio >= least) && (most === undefined || ratio <= most);
  const floor = least === undefined ? `at most ${most} times` : `at least ${least} times`;
  return { what, floor, measured: `${formatNumber(ratio)} times (${of})`, met };
}

/**
 * Returns a row of a ratio that was measured in several rounds. It is met if the worst round meets it.
 *
 * @param ratios by round
 * @param times by round, in milliseconds: ours and the peer's
 */
export function roundsFloor(
  what: string,
  ratios: readonly number[],
  { least, most, times }: {
    least?: number;
    most?: number;
    times: readonly (readonly [ours: number, peer: number])[];
  },
): Floor {
  const sorted = ratios.toSorted((a, b) => a - b);
  const [smallest, middle, largest] = [sorted[0]!, medianOf(sorted), sorted.at(-1)!];
  const [ours, peer] = [0, 1].map((side) => medianOf(times.map((pair) => pair[side]!)));
  const spread = `${formatNumber(middle)} times, rounds ${formatNumber(smallest)} to ` +
    `${formatNumber(largest)} (${formatTime(ours)} and ${formatTime(peer)})`;
  if (least === undefined && most === undefined) return { what, floor: "", measured: spread };
  const met = (least === undefined || smallest >= least) && (most === undefined || largest <= most);
  const floor = least === undefined ? `at most ${most} times` : `at least ${least} times`;
  return { what, floor, measured: spread, met };
}

/** Returns the middle value, or the lower one of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1]!;
}

/** Three digits that matter. */
export function formatNumber(value: number): string {
  return value >= 1_000
    ? Math.round(value).toLocaleString("en")
    : String(Number(value.toPrecision(3)));
}

/** "0.123 ms"; nothing measured is "–". */
export function formatTime(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "–" : `${formatNumber(milliseconds)} ms`;
}

/** Rows as a Markdown table, as the README has it. */
export function floorTable(rows: readonly Floor[]): string {
  const mark = (met: boolean | undefined) => met === undefined ? "" : met ? "yes" : "**no**";
  return markdownTable(
    ["what", "floor", "measured", "met"],
    rows.map(({ what, floor, measured, met }) => [what, floor, measured, mark(met)]),
  );
}

/** Columns padded to line up. */
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
