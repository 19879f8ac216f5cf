/** Reads CSV, NDJSON and JSON files into records, as a mapping says. */
import { readTable } from "../formats/csv.ts";
import { readArray } from "../formats/json_elements.ts";
import { readJsonLines } from "../formats/json_lines.ts";
import { personsOf, textsWithin, withoutPersons } from "../masking/contact_columns.ts";
import { shownValue } from "../masking/mask_text.ts";
import type { LeftOut, ReadSource } from "../record/entry.ts";
import type { Judged } from "../record/normalize.ts";
import { asUtf8 } from "./as_utf8.ts";
import { createMapper, type RowMapper } from "./mapped_record.ts";
import { columnsOfMapping, type Mapping } from "./mapping.ts";
import { textOf, valueIn } from "./template.ts";

/** Returns the reader of files that a mapping describes. @throws MappingFault */
export function readerOfMapping(mapping: Mapping): ReadSource {
  // A fault of the mapping is reported before a file is opened.
  createMapper(mapping, new Date(0));
  return (stream, { retrieved_at }) => {
    const mapRow = createMapper(mapping, retrieved_at);
    const utf8 = asUtf8(stream, mapping.encoding);
    if (mapping.format === "csv") return readCsv(utf8, mapping, mapRow);
    const judge = (value: unknown) => judgeObject(value, mapping, mapRow);
    // A rejected row may name persons, so it is shown masked.
    const shown = shownValue;
    return mapping.format === "ndjson"
      ? readJsonLines(utf8, { judge, shown })
      : readArray(utf8, { member: mapping.array, judge, shown });
  };
}

function readCsv(stream: AsyncIterable<Uint8Array>, mapping: Mapping, mapRow: RowMapper) {
  const { delimiter, contacts = [] } = mapping;
  const columns = columnsOfMapping(mapping);
  return readTable(stream, {
    title: `a file of the mapping ${mapping.source}`,
    columns: Object.fromEntries(columns.map((column) => [column, column])),
    // Cells may be long, because the operator's texts are in any of them.
    descriptions: columns,
    delimiter: delimiter === "," ? undefined : delimiter,
    contacts,
    judge(row): Judged | LeftOut {
      if (columns.every((column) => row[column]!.trim() === column)) return REPEATED_HEADER;
      return mapRow((column) => row[column]);
    },
  });
}

const REPEATED_HEADER = { left_out: "the header line again" };

function judgeObject(
  value: unknown,
  { contacts = [] }: Mapping,
  mapRow: RowMapper,
): Judged | LeftOut {
  if (typeof value !== "object" || value === null) return { reason: "the row is not an object" };
  const persons = personsOf(
    contacts.map((path) => textOf(valueIn(value, path))),
    contacts.length === 0 ? [] : textsWithin(value),
  );
  const masked = persons.length === 0 ? value : withoutPersons(value, persons);
  return mapRow((path) => valueIn(masked, path));
}
