/**
 * CanadaBuys open tender notices: the CSV that the Government of Canada publishes under its Open
 * Government Licence. A notice is one observation, its buying organisation the company. An
 * amendment has the same reference number and revises the observation.
 */
import { parse } from "csv-parse/sync";
import { type Entry, UnreadableSource } from "../entry.ts";
import { type Line, readLines } from "../lines.ts";
import { type Judged, normalizeRecord } from "../normalize.ts";
import { type Notice, NOTICE_COLUMNS, recordOfNotice } from "./canadabuys_notice.ts";

/** Reads the file; @throws UnreadableSource where it lacks a column that a record needs. */
export async function* readCanadabuys(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let header: string[] | undefined;
  for await (const line of readLines(stream, { quoted: true })) {
    if (line.fault === undefined && line.text.trim() === "") continue;
    if (header === undefined) {
      header = readHeader(line);
    } else {
      yield readRow(line, header);
    }
  }
  if (header === undefined) throw new UnreadableSource("the file has no header line");
}

function readHeader(line: Line): string[] {
  const header = line.fault === undefined ? cellsOf(line.text) : undefined;
  const names = header?.map((name) => name.trim()) ?? [];
  const missing = Object.values(NOTICE_COLUMNS).filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  throw new UnreadableSource(
    `not a CanadaBuys tender notice file; columns missing: ${missing.slice(0, 5).join(", ")}`,
  );
}

function readRow(line: Line, header: readonly string[]): Entry {
  const cells = line.fault === undefined ? cellsOf(line.text) : undefined;
  if (cells === undefined) {
    const reason = line.fault === undefined ? "the row is not CSV" : `the row ${line.fault}`;
    return { line: line.number, raw: line.text, judged: { reason } };
  }
  return { line: line.number, raw: line.text, judged: judge(cells, header) };
}

function judge(cells: readonly string[], header: readonly string[]): Judged {
  if (cells.length !== header.length) {
    return { reason: `the row has ${cells.length} columns, the header ${header.length}` };
  }
  const row = new Map(header.map((name, index) => [name, cells[index]!]));
  const notice = Object.fromEntries(
    Object.entries(NOTICE_COLUMNS).map(([key, name]) => [key, row.get(name)!]),
  ) as Notice;
  const record = recordOfNotice(notice);
  return "reason" in record ? record : normalizeRecord(record);
}

/** @returns the cells of one row, or nothing where its quotes do not match. */
function cellsOf(text: string): string[] | undefined {
  try {
    const rows: string[][] = parse(text, { bom: true, relax_column_count: true });
    return rows.length === 1 ? rows[0] : undefined;
  } catch {
    return undefined;
  }
}
