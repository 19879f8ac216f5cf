/** Turns rows of a foreign file into records, as a mapping says. */
import { maskedParagraphs } from "../masking/mask_text.ts";
import type { LeftOut } from "../record/entry.ts";
import { identifier, type Judged, normalizeRecord, RecordFault } from "../record/normalize.ts";
import { FIELDS, type FieldType, isRequired } from "./fields.ts";
import { type MappedValue, type Mapping, MappingFault } from "./mapping.ts";
import { parseTemplate, type Row, textOf } from "./template.ts";
import { type DateReader, dateReader, numberIn } from "./values.ts";

/** Maps a row to a record, or returns the reason why there is none. */
export type RowMapper = (row: Row) => Judged | LeftOut;

/** A field with the function that reads its value from a row. */
interface FieldReader {
  path: FieldPath;
  /** @throws RowFault */
  read(row: Row): unknown;
}

/** Names of the objects that contain a field, and the name of the field. */
type FieldPath = { parents: readonly string[]; name: string };

/** Value of a row that cannot be used. Its message names field, columns and value. */
class RowFault extends Error {}

/**
 * Prepares a mapping for many rows. A record without `observed_at` was observed when it was read.
 * @throws MappingFault for a form of dates that cannot be used
 */
export function createMapper(mapping: Mapping, retrieved_at: Date): RowMapper {
  const { time_zone = "UTC", dates = [], decimal = "." } = mapping;
  const forms = { readDate: datesOf(dates, time_zone), decimal };
  const readers = Object.entries(mapping.record)
    .filter((entry): entry is [string, MappedValue] => entry[1] !== undefined)
    .map(([field, value]) => readerOf(field, value, forms));
  const omissions = (mapping.leave_out ?? []).map(({ from, in: texts, reason, ends }) => ({
    template: parseTemplate(from),
    texts: new Set(texts.map(folded)),
    reason,
    ends,
  }));
  const { read: readId } = readerOf("external_id", mapping.record.external_id!, forms);
  const idOf = (row: Row) => identifier(`${readId(row)}`, "external_id");
  const isDated = mapping.record.observed_at !== undefined;
  return (row) => {
    const { source } = mapping;
    const record: Record<string, unknown> = { source };
    if (!isDated) record.observed_at = retrieved_at.toISOString();
    try {
      for (const { template, texts, reason, ends } of omissions) {
        const text = template.textOf(row);
        if (!texts.has(folded(text))) continue;
        const left_out = reason ?? `${nameOf(template)}: ${text}`;
        return ends ? { left_out, ended: { source, external_id: idOf(row) } } : { left_out };
      }
      for (const { path, read } of readers) setMember(record, path, read(row));
    } catch (error) {
      if (error instanceof RowFault || error instanceof RecordFault) {
        return { reason: error.message };
      }
      throw error;
    }
    return normalizeRecord(completed(record), { undated: !isDated });
  };
}

function datesOf(forms: readonly string[], zone: string): DateReader {
  try {
    return dateReader(forms, zone);
  } catch (error) {
    throw new MappingFault((error as Error).message);
  }
}

/** Forms of dates and numbers in a file. */
interface Forms {
  readDate: DateReader;
  decimal: "," | ".";
}

function readerOf(field: string, value: MappedValue, forms: Forms): FieldReader {
  const parents = field.split(".");
  const path = { name: parents.pop()!, parents };
  if (typeof value === "number") return { path, read: () => value };
  const { from, split, rules, otherwise } = typeof value === "string"
    ? { from: value, split: undefined, rules: undefined, otherwise: undefined }
    : value;
  const template = parseTemplate(from);
  const type = FIELDS[field as keyof typeof FIELDS];
  const name = template.columns.length === 0 ? field : `${field} (${nameOf(template)})`;
  const values = new Map(
    rules?.flatMap(({ in: texts, value }) => {
      const ruled = parseTemplate(value);
      return texts.map((text) => [folded(text), ruled] as const);
    }),
  );
  const fallback = otherwise === undefined ? undefined : parseTemplate(otherwise);
  if (template.columns.length === 0 && rules === undefined) {
    return { path, read: constantOf(template.textOf(() => ""), type, { name, split, ...forms }) };
  }
  return {
    path,
    read(row) {
      const raw = template.column === undefined ? undefined : row(template.column);
      // Numbers and lists of JSON keep their type.
      if (rules === undefined && typeof raw === "number" && type === "number") return raw;
      if (type === "list" && Array.isArray(raw)) return raw.map(textOf).filter(Boolean);
      let text = template.textOf(row);
      if (rules !== undefined) {
        const ruled = values.get(folded(text)) ?? fallback;
        if (ruled === undefined) throw new RowFault(faultOf(name, text, "named by a rule"));
        text = ruled.textOf(row);
      } else if (text === "" && fallback !== undefined) text = fallback.textOf(row);
      if (text === "" && isRequired(field)) throw new RowFault(faultOf(name, text, ""));
      return text === "" ? undefined : typed(text, type, { name, split, ...forms });
    },
  };
}

/** Reads a constant, once for all rows. @throws MappingFault if it is not of the field's type */
function constantOf(...[text, type, forms]: Parameters<typeof typed>): () => unknown {
  try {
    const constant = typed(text, type, forms);
    return () => constant;
  } catch (error) {
    if (error instanceof RowFault) throw new MappingFault(`record → ${error.message}`);
    throw error;
  }
}

function typed(
  text: string,
  type: FieldType,
  { name, split, readDate, decimal }: Forms & { name: string; split?: string },
): unknown {
  switch (type) {
    case "text":
      return text;
    case "paragraphs":
      return maskedParagraphs(text);
    case "list": {
      const values = split === undefined ? [text] : text.split(split);
      return values.map((value) => value.trim()).filter((value) => value !== "");
    }
    case "number": {
      const number = numberIn(text, decimal);
      if (number === undefined) throw new RowFault(faultOf(name, text, "a number"));
      return number;
    }
    case "date":
    case "deadline": {
      const instant = readDate(text, { ends: type === "deadline" });
      if (instant === undefined) throw new RowFault(faultOf(name, text, "a date"));
      return instant;
    }
  }
}

/** Max characters of a faulty value that a reason quotes. */
const SHOWN_CHARACTERS = 40;

function faultOf(name: string, text: string, wanted: string): string {
  if (text === "") return `${name}: is empty`;
  const shown = maskedParagraphs(text.slice(0, SHOWN_CHARACTERS));
  return `${name}: is not ${wanted}: ${shown}`;
}

function nameOf({ columns }: { columns: readonly string[] }): string {
  return columns.join(", ");
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

function setMember(
  record: Record<string, unknown>,
  { parents, name }: FieldPath,
  value: unknown,
): void {
  if (value === undefined) return;
  let object = record;
  for (const parent of parents) object = (object[parent] ??= {}) as Record<string, unknown>;
  object[name] = value;
}

/** Makes `evidence` a list. Drops an amount or a pay that a constant currency alone began. */
function completed(record: Record<string, unknown>): Record<string, unknown> {
  const facets = record.facets as {
    amount?: { value?: number };
    employment?: { pay?: { min?: number; max?: number } };
  } | undefined;
  if (facets?.amount !== undefined && facets.amount.value === undefined) delete facets.amount;
  const { employment } = facets ?? {};
  if (employment?.pay && employment.pay.min === undefined && employment.pay.max === undefined) {
    delete employment.pay;
  }
  return { ...record, evidence: record.evidence === undefined ? [] : [record.evidence] };
}
