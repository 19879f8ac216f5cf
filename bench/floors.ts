/** Rows that compare measured values with their floors (min or max), and formats of numbers. */

/** A row of the table of floors. */
export interface Floor {
  what: string;
  /** Floor in words, such as "at least 200 times". It is empty if the value is only reported. */
  floor: string;
  measured: string;
  met?: boolean;
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

/** Bytes per MiB. */
export const MIB = 1024 ** 2;

/** Converts bytes to MiB, rounded to an integer. */
export function mib(bytes: number): number {
  return Math.round(bytes / MIB);
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
