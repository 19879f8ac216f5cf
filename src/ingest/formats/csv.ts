/** Reads tables with a header line, row by row. */
import { personsOf, shownValue, withoutPersons } from "../masking/mask_text.ts";
import { type LeftOut, type SourceEntry, UnreadableSource } from "../record/entry.ts";
import { columnsFault, readRows, type TableRow, TOO_WIDE } from "./csv_rows.ts";
import { COLUMNS_MAX } from "./csv_shape.ts";
import { checkCharacters, checkEnd, NOT_UTF8, readLines, type TextLine } from "./lines.ts";
import type { Judged } from "../record/normalize.ts";

/** The cells of a row that are read, by the keys of `Table.columns`. */
export type Row<Columns extends Record<string, string>> = Record<keyof Columns, string>;

/** Describes a kind of table: which columns are read, and how a row becomes a record. */
export interface Table<Columns extends Record<string, string>> {
  /** Name of the kind of file in messages: "a CanadaBuys tender notice file". */
  title: string;
  /** Header names of the columns that are read, by the keys with which `judge` gets their cells. */
  columns: Columns;
  /**
   * Columns that a file must have: those without which a record would be missing or wrong. The
   * cells of other columns are then empty. Absent: all columns.
   */
  needed?: readonly (keyof Columns)[];
  /**
   * Columns of free text. The cells of all other columns together have a limit (CELLS_CHARACTERS).
   */
  descriptions?: readonly (keyof Columns)[];
  /** Maps a row to one record or several, or returns the reason why there is none. */
  judge(row: Row<Columns>): Judged | LeftOut | Judged[];
  /** The character between cells. Absent: a comma. */
  delimiter?: string;
  /** True if tabs are between the cells, and quotes have no meaning. */
  tabs?: boolean;
  /**
   * Header names of the columns with names or addresses of contact persons. The persons are masked
   * everywhere in the row. A rejected row is shown masked, and only with the columns of `columns`
   * that are not among the contacts. A row that cannot be split into columns is not shown.
   */
  contacts?: readonly string[];
  /**
   * True if the publisher ends the last row with a line break. A last row without a line break may
   * have been cut, so it is refused.
   */
  ended?: boolean;
  /** The encoding of rows that are not UTF-8. Absent: such rows are rejected. */
  fallback_encoding?: "windows-1252";
  /** Number of the line with the header. Absent: the first line with a text. */
  header_row?: number;
  /** Text after a message about missing columns, which says what may help. */
  hint?: string;
}

/**
 * Reads a table into entries.
 * @throws UnreadableSource if a needed column is missing or a read column is there twice, or, after
 * the last entry, if the table ends within a row or repeats its header in another order
 */
export async function* readTable<const Columns extends Record<string, string>>(
  stream: AsyncIterable<Uint8Array>,
  table: Table<Columns>,
): AsyncGenerator<SourceEntry> {
  let header: string[] | undefined;
  for await (const line of rowsIn(stream, table)) {
    if (header === undefined) {
      header = readHeader(line, table);
      checkEnd(line, { isComplete: !table.ended });
      continue;
    }
    if (isOtherHeader(line, header)) {
      throw new UnreadableSource(`line ${line.number} repeats the header in another order`);
    }
    const parsed = rowOf(line, header, table);
    const isComplete = parsed.row !== undefined && !table.ended;
    // A row that was cut in its last cell looks complete, so it must be refused before it is
    // yielded.
    if (table.ended) checkEnd(line, { isComplete });
    for (const entry of entriesOf(line, parsed, table)) yield entry;
    checkEnd(line, { isComplete });
  }
  if (header === undefined) throw new UnreadableSource("the file has no header line");
}

/** Reads the rows of a table, the header among them. */
export function rowsIn<Columns extends Record<string, string>>(
  stream: AsyncIterable<Uint8Array>,
  { delimiter = ",", tabs, fallback_encoding, header_row }: Partial<Table<Columns>>,
): AsyncGenerator<TableRow> {
  const lines = readLines(stream, { fallback_encoding, first_line: header_row });
  return tabs ? splitLines(lines) : readRows(lines, delimiter);
}

/** Splits lines at tabs. In such tables, quotes have no meaning. */
async function* splitLines(lines: AsyncIterable<TextLine>): AsyncGenerator<TableRow> {
  for await (const line of lines) {
    if (line.fault !== undefined) yield { ...line, doubt: line.fault };
    else if (line.text.trim() !== "") {
      yield { ...line, cells: line.text.split("\t", COLUMNS_MAX + 1) };
    }
  }
}

function* entriesOf<Columns extends Record<string, string>>(
  line: TableRow,
  parsed: ParsedRow<Columns>,
  table: Table<Columns>,
): Generator<SourceEntry> {
  const { row, fault } = parsed;
  const doubt = fault ?? line.doubt;
  const outcome = row === undefined
    ? { reason: `the row ${fault}` }
    : isHeader(row, table)
    ? REPEATED_HEADER
    : table.judge(row);
  for (const judged of [outcome].flat()) {
    yield {
      line: line.number,
      // The raw form is computed on demand, because only a rejected row needs it. Masking every row
      // would take longer than reading the file.
      get raw() {
        if (!table.contacts) return line.text;
        return row === undefined ? null : shownOf(row, table);
      },
      judged,
      ...(doubt !== undefined && { doubt: `the row ${doubt}` }),
    };
  }
}

/** Outcome of a row that is the header once more, as in joined files. */
export const REPEATED_HEADER: LeftOut = { left_out: "the header line again" };

function isHeader<Columns extends Record<string, string>>(
  row: Row<Columns>,
  { columns, needed = Object.keys(columns) }: Table<Columns>,
): boolean {
  return needed.every((key) => row[key]!.trim() === columns[key]);
}

function readHeader<Columns extends Record<string, string>>(
  { cells = [], fault, text }: TableRow,
  { title, columns, needed = Object.keys(columns), contacts = [], hint: advice }: Table<Columns>,
): string[] {
  if (fault !== undefined) {
    checkCharacters([text]);
    const hint = fault === NOT_UTF8
      ? "; save the file as UTF-8, or name its `encoding` in a mapping"
      : "";
    throw new UnreadableSource(`the header line ${fault}${hint}`);
  }
  const names = cells.map((name) => name.trim());
  checkHeader(names, {
    title,
    columns: [...Object.values(columns), ...contacts],
    // Without its contact columns, a row would be shown with the names of persons.
    needed: [...needed.map((key) => columns[key]!), ...contacts],
    hint: advice,
  });
  return names;
}

/** Returns whether a row has the names of the header in another order, as in joined files. */
function isOtherHeader({ cells = [] }: TableRow, header: readonly string[]): boolean {
  if (cells.length !== header.length || !header.includes(cells[0]!.trim())) return false;
  const names = cells.map((cell) => cell.trim());
  const [one, other] = [names, header].map((list) => JSON.stringify(list.toSorted()));
  return one === other && names.some((name, at) => name !== header[at]);
}

/** Max numbers of columns and of characters by which a message shows the header of a wrong file. */
const NAMES_SHOWN = 10;
const HEADER_CHARACTERS_SHOWN = 500;

/**
 * Checks the names of the columns of a table.
 * @throws UnreadableSource if a needed column is missing, or a column is there twice
 */
export function checkHeader(
  names: readonly string[],
  { title, columns, needed = columns, hint = "" }: {
    title: string;
    columns: readonly string[];
    needed?: readonly string[];
    /** Text after a message about missing columns, which says what may help. */
    hint?: string;
  },
): void {
  checkCharacters(names);
  const missing = [...new Set(needed)].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const [lacking, present] = [missing.slice(0, 5), names.slice(0, NAMES_SHOWN)];
    throw new UnreadableSource(
      `not ${title}; columns missing: ${lacking.join(", ")}; its columns are: ${present.join(", ")}`
        .slice(0, HEADER_CHARACTERS_SHOWN) + hint,
    );
  }
  const twice = columns.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  // The file does not tell which of the two columns has the right cells.
  if (twice.length > 0) {
    throw new UnreadableSource(`columns given more than once: ${twice.slice(0, 5).join(", ")}`);
  }
}

/** A row, or the reason why it is rejected: "has more than 1000 columns". */
type ParsedRow<Columns extends Record<string, string>> =
  | { row: Row<Columns>; fault?: undefined }
  | { row?: undefined; fault: string };

function rowOf<Columns extends Record<string, string>>(
  { fault, cells = [] }: TableRow,
  header: readonly string[],
  table: Table<Columns>,
): ParsedRow<Columns> {
  if (fault !== undefined) return { fault };
  if (cells.length > COLUMNS_MAX) return { fault: TOO_WIDE };
  if (cells.length !== header.length) return { fault: columnsFault(cells.length, header.length) };
  const cellOf = (name: string) => cells[header.indexOf(name)] ?? "";
  const named = Object.entries(table.columns)
    .map(([key, name]): [string, string] => [key, cellOf(name)]);
  const short = named.filter(([key]) => !table.descriptions?.includes(key));
  const characters = short.reduce((sum, [, cell]) => sum + cell.length, 0);
  if (characters > CELLS_CHARACTERS) {
    return { fault: `has more than ${CELLS_CHARACTERS} characters in short cells` };
  }
  const masked = new Set([...table.contacts ?? [], ...Object.values(table.columns)]);
  const maskedCharacters = [...masked].reduce((sum, name) => sum + cellOf(name).length, 0);
  const isLong = maskedCharacters > CONTACT_ROW_CHARACTERS;
  if (isLong && table.contacts?.length) {
    return { fault: `has more than ${CONTACT_ROW_CHARACTERS} characters in masked columns` };
  }
  const persons = table.contacts === undefined || isLong ? [] : personsOf(
    table.contacts.map(cellOf),
    named.map(([, cell]) => cell),
  );
  return { row: withoutPersons(Object.fromEntries(named) as Row<Columns>, persons) };
}

/**
 * Max number of characters of the columns of a row in which contact persons are masked. A longer row
 * is rejected, because the patterns of up to 20 persons each search all of them.
 */
export const CONTACT_ROW_CHARACTERS = 131_072;

/**
 * Max number of characters of all cells of a row, except its descriptions. Most of these cells are
 * read several times.
 */
export const CELLS_CHARACTERS = 16_384;

/** Returns the form in which a rejected row is shown. */
function shownOf<Columns extends Record<string, string>>(
  row: Row<Columns>,
  { columns, needed = Object.keys(columns), contacts = [] }: Table<Columns>,
): Record<string, string> {
  const present = Object.entries(columns).filter(([key, name]) =>
    !contacts.includes(name) && (row[key] !== "" || needed.includes(key))
  );
  return shownValue(Object.fromEntries(present.map(([key, name]) => [name, row[key]!])));
}
