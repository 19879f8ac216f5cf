/** Finds the cells of lines of a CSV file, and how their quotes are used. */
import type { TextLine } from "./lines.ts";

/**
 * Max number of columns. Wider rows are rejected, because a column costs time even if it is not
 * read.
 */
export const COLUMNS_MAX = 1_000;

/** The shape of the lines that one row seems to have. */
export interface Shape {
  lines: TextLine[];
  /** The character between cells. */
  delimiter: string;
  /** Reason why one of the lines cannot be used. */
  fault?: string;
  columns: number;
  /** True if a quoted cell is open at the end of the lines. */
  isOpen: boolean;
  /** True if text follows a quote that should close a cell. */
  isMalformed: boolean;
  /** True if an unquoted cell contains a quote. */
  isStray: boolean;
  characters: number;
}

/** Returns the shape of no lines. */
export function emptyShape(delimiter: string): Shape {
  return {
    lines: [],
    delimiter,
    columns: 0,
    isOpen: false,
    isMalformed: false,
    isStray: false,
    characters: 0,
  };
}

/**
 * Splits a single line as Python's csv module does: text after the quote that closes a cell belongs
 * to the cell. Returns undefined if the line does not have `width` cells or ends in a quoted one.
 */
export function lenientCells(
  { text, fault }: TextLine,
  { width, delimiter }: { width: number; delimiter: string },
): string[] | undefined {
  if (fault !== undefined) return undefined;
  const cells: string[] = [];
  for (let at = 0; at <= text.length && cells.length <= width; at++) {
    let cell = "";
    if (text[at] === '"') {
      QUOTED.lastIndex = at;
      const quoted = QUOTED.exec(text);
      if (quoted === null) return undefined;
      cell = quoted[1]!.replaceAll('""', '"');
      at = QUOTED.lastIndex;
    }
    const next = text.indexOf(delimiter, at);
    const end = next === -1 ? text.length : next;
    cells.push(cell + text.slice(at, end));
    at = end;
  }
  return cells.length === width ? cells : undefined;
}

const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const BLANK = /[ \t]*/y;

/** Adds a line to a shape: counts its cells, and finds out how its quotes are used. */
export function addLine(shape: Shape, line: TextLine): void {
  const { text } = line;
  const { delimiter } = shape;
  shape.lines.push(line);
  shape.characters += text.length + 1;
  if (line.fault !== undefined) {
    // Only the start of an overlong line is known, so its quotes cannot be counted.
    shape.fault = line.fault;
    shape.isOpen = false;
    return;
  }
  if (!shape.isOpen && !text.includes('"')) {
    shape.columns += text.split(delimiter, COLUMNS_MAX + 1).length;
    return;
  }
  let at = 0;
  if (shape.isOpen) at = endOfQuoted(text, 0, shape);
  while (!shape.isOpen && at <= text.length && shape.columns <= COLUMNS_MAX) {
    shape.columns++;
    if (text[at] === '"') {
      shape.isOpen = true;
      at = endOfQuoted(text, at + 1, shape);
      continue;
    }
    const next = text.indexOf(delimiter, at);
    const end = next === -1 ? text.length : next;
    const quote = text.indexOf('"', at);
    if (quote !== -1 && quote < end) shape.isStray = true;
    at = end + 1;
  }
}

/** Closes a quoted cell if the line does. Returns the index after the cell and its delimiter. */
function endOfQuoted(text: string, start: number, shape: Shape): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') {
      at++;
      continue;
    }
    BLANK.lastIndex = at + 1;
    BLANK.test(text);
    const end = BLANK.lastIndex;
    if (end === text.length || text[end] === shape.delimiter) {
      shape.isOpen = false;
      return end + 1;
    }
    shape.isMalformed = true;
  }
  return text.length;
}
