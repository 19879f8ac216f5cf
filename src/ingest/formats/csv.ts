/** Reads tables with a header line, row by row. */
import Papa from "papaparse";
import { personsOf, withoutPersons } from "../masking/contact_columns.ts";
import { type LeftOut, type SourceEntry, UnreadableSource } from "../record/entry.ts";
import { checkEnd, readLines, type TextLine } from "./lines.ts";
import { maskedParagraphs } from "../masking/mask_text.ts";
import type { Judged } from "../record/normalize.ts";
import { cutAtWord } from "../text/clean_text.ts";

/** The cells of a row that are read, by the keys of `Table.columns`. */
export type Row<Columns extends Record<string, string>> = Record<keyof Columns, string>;

/** Describes a kind of table: which columns are read, and how a row becomes a record. */
export interface Table<Columns extends Record<string, string>> {
  /** Name of the kind of file in messages: "a CanadaBuys tender notice file". */
  title: string;
  /** Header names of the columns that are read, by the keys with which `judge` gets their cells. */
  columns: Columns;
  /** Columns that a file may lack. Their cells are then empty. */
  optional?: readonly (keyof Columns)[];
  /**
   * Columns of free text. The cells of all other columns together have a limit (CELLS_CHARACTERS).
   */
  descriptions?: readonly (keyof Columns)[];
  /** Maps a row to one record or several, or returns the reason why there is none. */
  judge(row: Row<Columns>): Judged | LeftOut | Judged[];
  delimiter?: "\t";
  /**
   * Header names of the columns with names or addresses of contact persons. The persons are masked
   * everywhere in the row. A rejected row is shown masked, and only with the columns of `columns`.
   * A row that cannot be split into columns is not shown.
   */
  contacts?: readonly string[];
  /**
   * True if the publisher ends the last row with a line break. A last row without a line break may
   * have been cut, so it is refused.
   */
  ended?: boolean;
  /** The encoding of rows that are not UTF-8. Absent: such rows are rejected. */
  fallback_encoding?: "windows-1252";
}

/**
 * Reads a table into entries.
 * @throws UnreadableSource if a needed column is missing, or, after the last entry, if the table
 * ends within a row
 */
export async function* readTable<const Columns extends Record<string, string>>(
  stream: AsyncIterable<Uint8Array>,
  table: Table<Columns>,
): AsyncGenerator<SourceEntry> {
  let header: string[] | undefined;
  const { delimiter, fallback_encoding } = table;
  const quoted = delimiter === undefined;
  for await (const line of readLines(stream, { quoted, fallback_encoding })) {
    if (line.fault === undefined && line.text.trim() === "") continue;
    if (header === undefined) {
      header = readHeader(line, table);
      checkEnd(line, { isComplete: !table.ended });
      continue;
    }
    const parsed = rowOf(line, header, table);
    const isComplete = "row" in parsed && !table.ended;
    // A row that was cut in its last cell looks complete, so it must be refused before it is
    // yielded.
    if (table.ended) checkEnd(line, { isComplete });
    yield* entriesOf(line, parsed, table);
    checkEnd(line, { isComplete });
  }
  if (header === undefined) throw new UnreadableSource("the file has no header line");
}

function* entriesOf<Columns extends Record<string, string>>(
  line: TextLine,
  parsed: { row: Row<Columns> } | { reason: string },
  table: Table<Columns>,
): Generator<SourceEntry> {
  const outcome = "row" in parsed ? table.judge(parsed.row) : parsed;
  for (const judged of [outcome].flat()) {
    yield {
      line: line.number,
      // The raw form is computed on demand, because only a rejected row needs it. Masking every row
      // would take longer than reading the file.
      get raw() {
        if (!table.contacts) return line.text;
        return "row" in parsed ? shownOf(parsed.row, table) : null;
      },
      judged,
    };
  }
}

function readHeader<Columns extends Record<string, string>>(
  line: TextLine,
  table: Table<Columns>,
): string[] {
  const header = line.fault === undefined ? cellsOf(line.text, table) : undefined;
  const names = Array.isArray(header) ? header.map((name) => name.trim()) : [];
  const missing = Object.entries(table.columns)
    .filter(([key, name]) => !table.optional?.includes(key) && !names.includes(name))
    .map(([, name]) => name);
  if (missing.length === 0) return names;
  throw new UnreadableSource(
    `not ${table.title}; columns missing: ${missing.slice(0, 5).join(", ")}`,
  );
}

function rowOf<Columns extends Record<string, string>>(
  line: TextLine,
  header: readonly string[],
  table: Table<Columns>,
): { row: Row<Columns> } | { reason: string } {
  if (line.fault !== undefined) return { reason: `the row ${line.fault}` };
  if (table.contacts && line.text.length > CONTACT_ROW_CHARACTERS) return TOO_LONG;
  const cells = cellsOf(line.text, table);
  if (!Array.isArray(cells)) return cells;
  if (cells.length !== header.length) {
    return { reason: `the row has ${cells.length} columns, the header ${header.length}` };
  }
  const row = new Map(header.map((name, index) => [name, cells[index]!]));
  const named = Object.entries(table.columns)
    .map(([key, name]): [string, string] => [key, row.get(name) ?? ""]);
  const short = named.filter(([key]) => !table.descriptions?.includes(key));
  const characters = short.reduce((sum, [, cell]) => sum + cell.length, 0);
  if (characters > CELLS_CHARACTERS) return TOO_FULL;
  const persons = table.contacts === undefined ? [] : personsOf(
    table.contacts.map((name) => row.get(name) ?? ""),
    named.map(([, cell]) => cell),
  );
  return { row: withoutPersons(Object.fromEntries(named) as Row<Columns>, persons) };
}

/**
 * Max number of characters of a row with contact persons. A longer row is rejected, because the
 * patterns of up to 20 persons each search the whole row.
 */
export const CONTACT_ROW_CHARACTERS = 131_072;
const TOO_LONG = { reason: `the row has more than ${CONTACT_ROW_CHARACTERS} characters` };

/**
 * Max number of characters of all cells of a row, except its descriptions. Most of these cells are
 * read several times.
 */
export const CELLS_CHARACTERS = 16_384;
const TOO_FULL = { reason: `the row has more than ${CELLS_CHARACTERS} characters in short cells` };

/** Max number of characters that are shown of each cell of a rejected row. */
const SHOWN_CHARACTERS = 500;

/** Returns the form in which a rejected row is shown. */
function shownOf<Columns extends Record<string, string>>(
  row: Row<Columns>,
  { columns, optional = [] }: Table<Columns>,
): Record<string, string> {
  const present = Object.entries(columns)
    .filter(([key]) => row[key] !== "" || !optional.includes(key));
  const cells = present.map(([key, name]) => [
    name,
    cutAtWord(maskedParagraphs(row[key]!), SHOWN_CHARACTERS),
  ]);
  return Object.fromEntries(cells);
}

/**
 * Max number of columns. Wider rows are rejected, because a column costs time even if it is not
 * read.
 */
export const COLUMNS_MAX = 1_000;
const TOO_WIDE = { reason: `the row has more than ${COLUMNS_MAX} columns` };
const NO_CSV = { reason: "the row is not CSV" };

/**
 * Returns the cells of one row, or the reason why it has none: unmatched quotes, or too many
 * columns.
 */
function cellsOf(
  text: string,
  { delimiter }: Pick<Table<Record<string, string>>, "delimiter">,
): string[] | { reason: string } {
  // In a table with tabs, quotes have no meaning. Such rows, and rows without quotes, are split
  // without the parser. Starting the parser for every row would take most of the time of a long
  // table.
  if (delimiter !== undefined || !text.includes('"')) {
    const cells = text.replace(/^\ufeff/, "").split(delimiter ?? ",", COLUMNS_MAX + 1);
    return cells.length > COLUMNS_MAX ? TOO_WIDE : cells;
  }
  if (columnsOf(text) > COLUMNS_MAX) return TOO_WIDE;
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\ufeff/, ""), { delimiter: "," });
  return data.length === 1 && errors.length === 0 ? data[0]! : NO_CSV;
}

const COMMA = 44;
const QUOTE = 34;

/**
 * Counts the columns of a row without the parser, which is too slow on rows of very many columns.
 */
function columnsOf(text: string): number {
  let columns = 1;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isQuoted = !isQuoted;
    else if (unit === COMMA && !isQuoted) columns++;
  }
  return columns;
}
