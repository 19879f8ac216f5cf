/** Draws tables for a reader at a terminal. */
import { withoutControls } from "../contract/control_characters.ts";

/** Content of a table. */
export interface TextTable {
  head: string[];
  /** Number of leading columns with texts. The remaining ones hold numbers. */
  texts: number;
  rows: (string | number)[][];
  /** Value of each row's bar. The greatest has the longest bar. */
  bars: number[];
}

const BAR_CHARACTERS = 24;

/** Draws a table. Texts are aligned to the left, numbers to the right. */
export function drawTable({ head, texts, rows, bars }: TextTable): string {
  const cells = [head, ...rows.map((row) => row.map(cellOf))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => [...row[column]!].length)));
  const longest = Math.max(1, ...bars);
  return cells.map((row, place) => {
    const columns = row.map((cell, column) => {
      const space = " ".repeat(widths[column]! - [...cell].length);
      return column < texts ? cell + space : space + cell;
    });
    const length = place === 0 ? 0 : bars[place - 1]! / longest;
    return `${columns.join("  ")}  ${"█".repeat(Math.ceil(length * BAR_CHARACTERS))}`.trimEnd();
  }).join("\n");
}

function cellOf(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString("en") : withoutControls(value);
}
