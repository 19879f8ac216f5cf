/** Reads the cells of lines of a CSV file, and how their quotes are used. */
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
  /** Cells of the lines. The last one continues while `isOpen`. */
  cells: string[];
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
    cells: [],
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
  { text, quotes }: TextLine,
  { width, delimiter }: { width: number; delimiter: string },
): string[] | undefined {
  // Only the start of an overlong line is known.
  if (quotes !== undefined) return undefined;
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
const BLANK = / */y;

/** Max number of line breaks that are kept between two lines of a cell. */
export const EMPTY_LINES_MAX = 10;

/** Adds a line to a shape. A shape gets its first line, and further ones while a cell is open. */
export function addLine(shape: Shape, line: TextLine): void {
  const { text, fault, quotes, number } = line;
  const { cells, delimiter } = shape;
  const previous = shape.lines.at(-1);
  shape.lines.push(line);
  shape.characters += text.length + 1;
  shape.fault ??= fault;
  if (quotes !== undefined) {
    // Correct quotes come in pairs, so an odd number opens a cell or closes the open one.
    if (quotes % 2 === 1) shape.isOpen = !shape.isOpen;
    return;
  }
  let at = 0;
  if (previous !== undefined) {
    cells.push(cells.pop() + "\n".repeat(Math.min(number - previous.number, EMPTY_LINES_MAX)));
    at = readQuoted(text, 0, shape);
  } else if (!text.includes('"')) {
    shape.cells = text.split(delimiter, COLUMNS_MAX + 1);
    return;
  }
  while (!shape.isOpen && at <= text.length && cells.length <= COLUMNS_MAX) {
    if (text[at] === '"') {
      shape.isOpen = true;
      cells.push("");
      at = readQuoted(text, at + 1, shape);
      continue;
    }
    const next = text.indexOf(delimiter, at);
    const cell = text.slice(at, next === -1 ? text.length : next);
    cells.push(cell);
    if (cell.includes('"')) shape.isStray = true;
    at += cell.length + 1;
  }
  // Cells beyond the last column that is read are not split, but may end in an open one.
  if (cells.length > COLUMNS_MAX && !shape.isOpen) {
    shape.isOpen = text.slice(at).split('"').length % 2 === 0;
  }
}

/**
 * Adds the text of a line to the open cell, and closes the cell if the line does. Returns the index
 * after the cell and its delimiter.
 */
function readQuoted(text: string, start: number, shape: Shape): number {
  let after = text.length;
  let at = text.indexOf('"', start);
  for (; at !== -1; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') {
      at++;
      continue;
    }
    BLANK.lastIndex = at + 1;
    BLANK.test(text);
    const end = BLANK.lastIndex;
    if (end === text.length || text[end] === shape.delimiter) {
      shape.isOpen = false;
      after = end + 1;
      break;
    }
    shape.isMalformed = true;
  }
  const part = text.slice(start, at === -1 ? undefined : at).replaceAll('""', '"');
  shape.cells.push(shape.cells.pop() + part);
  return after;
}
