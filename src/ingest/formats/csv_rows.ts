/**
 * Joins the lines of a CSV file into rows. A quoted cell may contain line breaks. A quote that is
 * not closed would hide the rows after it, so reading goes back and continues at the next row.
 */
import { Slices } from "../../slices.ts";
import {
  addLine,
  COLUMNS_MAX,
  EMPTY_LINES_MAX,
  emptyShape,
  lenientCells,
  type Shape,
} from "./csv_shape.ts";
import type { TextLine } from "./lines.ts";

/** One row of a table. */
export interface TableRow extends TextLine {
  /** Absent if the row cannot be split. */
  cells?: string[];
  /** Reason why the row may have been read wrongly. Every row with a fault has one. */
  doubt?: string;
}

/** Max characters of a row. A quote of a longer row is taken as not closed. */
const ROW_CHARACTERS_MAX = 1_048_576;

/**
 * Max characters that are read again after one damaged row. It bounds the time for a file in which
 * every line opens a quote. Later rows with line breaks are then part of the damaged row.
 */
const READ_AGAIN_CHARACTERS_MAX = 4 * ROW_CHARACTERS_MAX;

/**
 * Min number of columns of a table in which a line of a quoted cell can be taken for a row. Lines
 * of prose often contain two or three commas.
 */
const COMPARED_COLUMNS_MIN = 5;

/** Matches the line before a header that tells Excel the delimiter. A group has the delimiter. */
export const EXCEL_HINT = /^"?sep=([^"\r])?"?\r*$/i;

const UNCLOSED = "has a quote that is not closed";
const NOT_DOUBLED = "has a quote in a quoted cell that is not doubled";
const HIDING = "has a quoted cell with a line that looks like a row";
/** Fault of a row with too many columns. */
export const TOO_WIDE = `has more than ${COLUMNS_MAX} columns`;

/** Reads rows. The first row is the header, which determines the number of columns. */
export async function* readRows(
  lines: AsyncIterable<TextLine>,
  delimiter: string,
): AsyncGenerator<TableRow> {
  await using source = new LineQueue(lines, delimiter);
  let width: number | undefined;
  for (;;) {
    const shape = await shapeFrom(source);
    if (shape === undefined) return;
    const [first, ...rest] = shape.lines as [TextLine, ...TextLine[]];
    const isBlank = first.text.trim() === "" ||
      (width === undefined && EXCEL_HINT.test(first.text));
    if (shape.fault === undefined && rest.length === 0 && isBlank) continue;
    width ??= shape.isOpen ? undefined : shape.cells.length;
    if (width === undefined || isWhole(shape, width)) {
      yield rowOf(shape, width);
      continue;
    }
    const cells = lenientCells(first, { width, delimiter });
    if (cells !== undefined) {
      source.putBack(rest);
      yield { ...first, cells, doubt: NOT_DOUBLED };
    } else if (isOneRow(shape)) yield rowOf(shape, width);
    else yield await damagedRow(shape, { width, source });
  }
}

/** Lines of a file, of which some can be put back. */
class LineQueue implements AsyncDisposable {
  readonly #lines: AsyncIterator<TextLine>;
  /** Lines that were put back, the next one last. */
  readonly #back: TextLine[] = [];
  readonly #slices = new Slices();

  constructor(lines: AsyncIterable<TextLine>, readonly delimiter: string) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  async take(): Promise<TextLine | undefined> {
    const line = this.#back.pop();
    if (line !== undefined) {
      // New lines are read in slices already, lines that were put back are not.
      if (this.#slices.isOver) await this.#slices.turn();
      return line;
    }
    const next = await this.#lines.next();
    return next.done ? undefined : next.value;
  }

  async [Symbol.asyncDispose]() {
    await this.#lines.return?.();
  }

  putBack(lines: readonly TextLine[]): void {
    for (let at = lines.length - 1; at >= 0; at--) this.#back.push(lines[at]!);
  }
}

/** Takes the lines of one row, until its quotes are closed. */
async function shapeFrom(
  source: LineQueue,
  characters_max = ROW_CHARACTERS_MAX,
): Promise<Shape | undefined> {
  const shape = emptyShape(source.delimiter);
  for (let line = await source.take(); line !== undefined; line = await source.take()) {
    addLine(shape, line);
    if (!shape.isOpen || shape.characters > characters_max) break;
  }
  return shape.lines.length === 0 ? undefined : shape;
}

/** Returns whether the lines are one row, even if its number of columns is wrong. */
function isOneRow({ lines, isOpen, isMalformed }: Shape): boolean {
  return !isOpen && (lines.length === 1 || !isMalformed);
}

/** Returns whether the lines are one row, and do not hide another one. */
function isWhole(shape: Shape, width: number): boolean {
  if (shape.isOpen || shape.cells.length !== width) return false;
  return !shape.isMalformed || !isHiding(shape, width);
}

/** Returns whether a correct row starts at one of the lines after the first. */
function isHiding({ lines, delimiter }: Shape, width: number): boolean {
  let characters = 0;
  for (let at = 1; at < lines.length && characters < READ_AGAIN_CHARACTERS_MAX; at++) {
    const shape = emptyShape(delimiter);
    for (let next = at; next < lines.length && (next === at || shape.isOpen); next++) {
      addLine(shape, lines[next]!);
    }
    characters += shape.characters;
    const isCorrect = !shape.isOpen && !shape.isMalformed && !shape.isStray;
    if (isCorrect && shape.cells.length === width) return true;
  }
  return false;
}

/**
 * Returns the damaged row. Puts back the lines from the next row that has the right number of
 * columns. All lines before it belong to the damaged row.
 */
async function damagedRow(
  shape: Shape,
  { width, source }: { width: number; source: LineQueue },
): Promise<TableRow> {
  const first = shape.lines[0]!;
  let last = first;
  source.putBack(shape.lines.slice(1));
  let characters = 0;
  for (;;) {
    const rest = Math.min(ROW_CHARACTERS_MAX, READ_AGAIN_CHARACTERS_MAX - characters);
    const next = await shapeFrom(source, rest);
    if (next === undefined) break;
    characters += next.characters;
    const fits = isOneRow(next) && next.cells.length === width;
    if (
      fits || lenientCells(next.lines[0]!, { width, delimiter: source.delimiter }) !== undefined
    ) {
      source.putBack(next.lines);
      return faultyRow([first, last], faultOf(shape, width));
    }
    last = next.lines[0]!;
    source.putBack(next.lines.slice(1));
  }
  // A file that was cut in a quoted cell may end with a line break of the cell.
  return { ...faultyRow([first], faultOf(shape, width)), unended: true };
}

function faultOf({ fault, isOpen, isMalformed, cells }: Shape, width: number): string {
  if (fault !== undefined) return fault;
  if (isOpen) return UNCLOSED;
  return isMalformed ? NOT_DOUBLED : columnsFault(cells.length, width);
}

/** Returns the fault of a row with another number of columns than the header. */
export function columnsFault(columns: number, width: number): string {
  return `has ${columns} columns, the header ${width}`;
}

function faultyRow(lines: readonly TextLine[], fault: string): TableRow {
  const { number, text } = lines[0]!;
  const { unended } = lines.at(-1)!;
  const reason = text.includes("\r") ? `${fault}; lines in it end with CR alone` : fault;
  return { number, text, fault: reason, doubt: reason, ...(unended && { unended }) };
}

/** Returns the row of lines that cannot be several rows. Without `width`, it is the header. */
function rowOf(shape: Shape, width: number | undefined): TableRow {
  const { lines, fault, cells, isMalformed } = shape;
  if (fault !== undefined) return faultyRow(lines, fault);
  if (cells.length > COLUMNS_MAX) return faultyRow(lines, TOO_WIDE);
  if (width === undefined) return faultyRow(lines, UNCLOSED);
  if (cells.length !== width) return faultyRow(lines, columnsFault(cells.length, width));
  const { number } = lines[0]!;
  const { unended } = lines.at(-1)!;
  const isDoubtful = lines.length > 1 && width >= COMPARED_COLUMNS_MIN && isHiding(shape, width);
  const doubt = isMalformed ? NOT_DOUBLED : isDoubtful ? HIDING : undefined;
  const text = textOf(lines);
  return { number, text, cells, ...(doubt && { doubt }), ...(unended && { unended }) };
}

/** Joins lines. Empty lines are not among them, but were counted. */
function textOf(lines: readonly TextLine[]): string {
  let { text, number } = lines[0]!;
  for (const line of lines.slice(1)) {
    text += "\n".repeat(Math.min(line.number - number, EMPTY_LINES_MAX)) + line.text;
    number = line.number;
  }
  return text;
}
