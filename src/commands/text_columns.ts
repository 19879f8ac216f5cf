/** Draws texts in columns, wrapped to the width of a terminal. */
import { withoutControls } from "../contract/control_characters.ts";

/** Cell of a column: a text, or paragraphs, each of which begins a new line. */
export type Cell = string | string[];

/** Content of the columns. */
interface TextColumns {
  head: string[];
  rows: Cell[][];
  /** Characters per line. Absent: lines are as long as their texts. */
  width?: number;
}

const GAP = "  ";

/** Max number of characters in a column before the last. A longer text is wrapped. */
const LEADING_MAX = 32;

/** Min number of characters in the last column, however narrow the terminal is. */
const LAST_MIN = 24;

/**
 * Draws texts in columns. The last column fills the rest of the width. A word that is longer
 * than its column, such as a link, is not cut, so that it can be copied.
 */
export function drawColumns({ head, rows, width = Infinity }: TextColumns): string {
  const table = [head, ...rows].map((row) => row.map(paragraphsOf));
  const widths = head.map((_, column) => {
    const texts = table.flatMap((row) => row[column]!);
    const longest = Math.max(...texts.map((text) => [...text].length));
    return width === Infinity ? longest : Math.min(longest, LEADING_MAX);
  });
  const leading = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  widths[widths.length - 1] = Math.max(width - leading, LAST_MIN);
  return table.map((row) => drawRow(row, widths)).join("\n");
}

/** Returns rows as lines with equally wide columns. Numeric columns are aligned to the right. */
export function aligned(rows: readonly string[][], isNumeric: readonly boolean[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...row[column]!].length))
  );
  return rows.map((row) =>
    row.map((cell, column) => {
      const blanks = " ".repeat(widths[column]! - [...cell].length);
      return isNumeric[column] ? blanks + cell : cell + blanks;
    }).join(GAP).trimEnd()
  );
}

function drawRow(row: string[][], widths: number[]): string {
  const cells = row.map((paragraphs, column) =>
    paragraphs.flatMap((paragraph) => wrap(paragraph, widths[column]!))
  );
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells.map((lines, column) => {
      const text = lines[line] ?? "";
      const isLast = column === cells.length - 1;
      const blanks = widths[column]! - [...text].length;
      return isLast ? text : text + " ".repeat(Math.max(blanks, 0));
    }).join(GAP).trimEnd()).join("\n");
}

/** Splits a text into lines between words. A single longer word remains one line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

function paragraphsOf(cell: Cell): string[] {
  return (typeof cell === "string" ? [cell] : cell).map((text) =>
    withoutControls(text.replace(/\s+/gu, " ").trim())
  );
}
