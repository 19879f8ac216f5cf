/** Draws tables for a reader at a terminal. */
import { withoutControls } from "../contract/control_characters.ts";
import { aligned } from "./text_columns.ts";

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
  const longest = Math.max(1, ...bars);
  // The last column is the bar, which is not padded.
  const bar = (place: number) => "█".repeat(Math.ceil(bars[place]! / longest * BAR_CHARACTERS));
  const drawn = cells.map((row, place) => [...row, place === 0 ? "" : bar(place - 1)]);
  return aligned(drawn, head.map((_, column) => column >= texts)).join("\n");
}

function cellOf(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString("en") : withoutControls(value);
}
