/** Reads CSV, NDJSON, JSON, XLSX and XML files into records, as a mapping says. */
import { checkHeader, readTable, REPEATED_HEADER } from "../formats/csv.ts";
import { readArray, readJsonLines } from "../formats/json.ts";
import { readSheet } from "../formats/xlsx.ts";
import { CellFault } from "../formats/xlsx_cells.ts";
import { readXmlRows } from "../formats/xml.ts";
import { personsOf, shownValue, textsWithin, withoutPersons } from "../masking/mask_text.ts";
import {
  type LeftOut,
  type ReadSource,
  type SourceEntry,
  UnreadableSource,
} from "../record/entry.ts";
import { type Judged, RecordFault } from "../record/normalize.ts";
import { asUtf8 } from "./as_utf8.ts";
import { createMapper, type RowMapper } from "./mapped_record.ts";
import { columnsOfMapping, type Mapping } from "./mapping.ts";
import { textOf, valueIn, withoutValueIn } from "./template.ts";

/** Returns the reader of files that a mapping describes. @throws MappingFault */
export function readerOfMapping(mapping: Mapping): ReadSource {
  // A fault of the mapping is reported before a file is opened.
  const mapperAt = createMapper(mapping);
  return (stream, { retrieved_at, say }) => {
    const mapRow = mapperAt(retrieved_at);
    if (mapping.format === "csv") return readCsv(stream, mapping, mapRow);
    const utf8 = asUtf8(stream, mapping.encoding);
    const unseen = new Set(columnsOfMapping(mapping));
    const judge = (value: unknown) => judgeObject(value, { mapping, mapRow, unseen });
    const shown = (value: unknown) => shownRow(value, mapping.contacts);
    const entryOf: EntryOf = (line, value, judged = judge(value)) => ({
      line,
      get raw() {
        return shown(value);
      },
      judged,
    });
    switch (mapping.format) {
      case "ndjson":
        return sayingUnseen(readJsonLines(utf8, { judge, shown }), unseen, say);
      case "json": {
        const rows = readArray(utf8, { member: mapping.array?.split("."), judge, shown });
        return sayingUnseen(rows, unseen, say);
      }
      case "xml":
        return sayingUnseen(readXml(utf8, mapping.element!, entryOf), unseen, say);
      case "xlsx":
        return readXlsx(stream, mapping, entryOf);
    }
  };
}

/** Says at the end which paths led to nothing in all rows. A path may have been mistyped. */
async function* sayingUnseen(
  entries: AsyncIterable<SourceEntry>,
  unseen: ReadonlySet<string>,
  say?: (line: string) => void,
): AsyncGenerator<SourceEntry> {
  let isEmpty = true;
  for await (const entry of entries) {
    isEmpty = false;
    yield entry;
  }
  if (!isEmpty && unseen.size > 0) say?.(`no row has a value at: ${[...unseen].join(", ")}`);
}

/** Returns the entry of a row, which is judged unless its outcome is given. */
type EntryOf = (line: number, row: unknown, judged?: Judged | LeftOut) => SourceEntry;

async function* readXml(
  stream: AsyncIterable<Uint8Array>,
  element: string,
  entryOf: EntryOf,
): AsyncGenerator<SourceEntry> {
  for await (const { number, value, fault } of readXmlRows(stream, element)) {
    if (fault === undefined) yield entryOf(number, value);
    else {
      const reason = `the element ${fault}`;
      yield { ...entryOf(number, value, { reason }), doubt: reason };
    }
  }
}

async function* readXlsx(
  stream: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  entryOf: EntryOf,
): AsyncGenerator<SourceEntry> {
  const columns = columnsOfMapping(mapping);
  let header: Map<number, string> | undefined;
  for await (const { number, cells } of readSheet(stream, mapping.sheet)) {
    if (number < (mapping.header_row ?? 0)) continue;
    if (header === undefined) {
      header = new Map([...cells].map(([at, name]) => [at, textOf(name)]));
      checkHeader([...header.values()], { title: titleOf(mapping), columns, hint: HEADER_HINT });
      continue;
    }
    const row: Record<string, unknown> = {};
    for (const [at, name] of header) row[name] = cells.get(at);
    const faulty = columns.find((column) => row[column] instanceof CellFault);
    yield entryOf(
      number,
      row,
      faulty !== undefined
        ? { reason: `${faulty}: ${(row[faulty] as CellFault).reason}` }
        : columns.every((column) => row[column] === column)
        ? REPEATED_HEADER
        : undefined,
    );
  }
  if (header === undefined) throw new UnreadableSource("the sheet has no header row");
}

const HEADER_HINT = "; if its header is in a later row, set `header_row` to the number of that row";

function titleOf({ source }: Mapping): string {
  return `a file of the mapping ${source}`;
}

function readCsv(stream: AsyncIterable<Uint8Array>, mapping: Mapping, mapRow: RowMapper) {
  const { delimiter, contacts = [], encoding, header_row } = mapping;
  const columns = columnsOfMapping(mapping);
  // Files that were joined have lines of UTF-8 too.
  const fallback_encoding = encoding === "windows-1252" ? encoding : undefined;
  return readTable(asUtf8(stream, fallback_encoding ? "utf-8" : encoding), {
    fallback_encoding,
    header_row,
    hint: HEADER_HINT,
    title: titleOf(mapping),
    columns: Object.fromEntries(columns.map((column) => [column, column])),
    // Cells may be long, because the operator's texts are in any of them.
    descriptions: columns,
    delimiter: delimiter === "," ? undefined : delimiter,
    contacts,
    judge: (row) => mapRow((column) => row[column]),
  });
}

function judgeObject(
  value: unknown,
  { mapping: { format, contacts = [] }, mapRow, unseen }: {
    mapping: Mapping;
    mapRow: RowMapper;
    unseen: Set<string>;
  },
): Judged | LeftOut {
  if (Array.isArray(value) && format === "ndjson") {
    return { reason: "the row is a list; a list of rows has the format json" };
  }
  if (typeof value !== "object" || value === null) return { reason: "the row is not an object" };
  for (const path of unseen) {
    const found = valueIn(value, path);
    const isFilled = contacts.includes(path) ? textsWithin(found).length > 0 : textOf(found) !== "";
    if (isFilled) unseen.delete(path);
  }
  const masked = withoutPersons(value, personsOfRow(value, contacts));
  return mapRow((path) => exactValue(path, valueIn(masked, path)));
}

function personsOfRow(value: unknown, contacts: readonly string[]): RegExp[] {
  if (contacts.length === 0) return [];
  const cells = contacts.flatMap((path) => textsWithin(valueIn(value, path)));
  return personsOf(cells, textsWithin(value));
}

/** Returns a rejected row as it is shown: masked, because it may name persons, without contacts. */
function shownRow(row: unknown, contacts: readonly string[] = []): unknown {
  const rest = contacts.length === 0
    ? row
    : JSON.parse(JSON.stringify(contacts.reduce(withoutValueIn, row)));
  return shownValue(withoutPersons(rest, personsOfRow(row, contacts)));
}

/**
 * Returns the value. @throws RecordFault if it is a number that was rounded. Long integers are texts
 * already, but several ids with an exponent or a fraction may have become one number.
 */
function exactValue(path: string, value: unknown): unknown {
  const rounded = [value].flat()
    .find((one) => typeof one === "number" && Math.abs(one) > Number.MAX_SAFE_INTEGER);
  if (rounded === undefined) return value;
  throw new RecordFault(`${path}: is rounded (${rounded}); a long id has to be stored as text`);
}
