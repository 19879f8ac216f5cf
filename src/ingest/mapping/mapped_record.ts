/** Turns rows of a foreign file into records, as a mapping says. */
import { SourceRecord } from "../../contract/record.ts";
import { maskedLine, maskedParagraphs, shownValue } from "../masking/mask_text.ts";
import type { LeftOut } from "../record/entry.ts";
import { identifier, type Judged, normalizeRecord, RecordFault } from "../record/normalize.ts";
import { cutAtWord } from "../text/clean_text.ts";
import { FIELDS, type FieldType, isRequired } from "./fields.ts";
import { type Derived, type MappedValue, type Mapping, MappingFault } from "./mapping.ts";
import { parseTemplate, type Row, textOf, valueIn } from "./template.ts";
import { type DateReader, dateReader, hostIn, numberIn, suitsCurrency } from "./values.ts";

/** Maps a row to a record, or returns the reason why there is none. */
export type RowMapper = (row: Row) => Judged | LeftOut;

/** A field with the functions that read its value and its text from a row. */
interface FieldReader {
  /** Names of the objects that contain the field, and the name of the field. */
  path: readonly string[];
  /** The field with its columns: "occurred_at (Publication)". */
  name: string;
  textOf(row: Row): string;
  /** @throws RecordFault */
  read(row: Row): unknown;
}

/**
 * Prepares a mapping for many files. A record without `observed_at` was observed when its file was
 * read.
 * @throws MappingFault for a form of dates or a constant that cannot be used
 */
export function createMapper(mapping: Mapping): (retrieved_at: Date) => RowMapper {
  const { source, time_zone = "UTC", dates = [], decimal = "." } = mapping;
  const readers = new Map<string, FieldReader>();
  const forms: Forms = {
    readDate: dateReader(dates, time_zone),
    decimal,
    readField: (field, row) => readers.get(field)?.read(row),
  };
  for (const [field, value] of Object.entries(mapping.record)) {
    if (value !== undefined) readers.set(field, readerOf(field, value, forms));
  }
  const omissions = (mapping.leave_out ?? []).map(({ from, in: texts, reason, ends }) => ({
    template: parseTemplate(from),
    texts: new Set(texts.map(folded)),
    reason,
    ends,
  }));
  const idOf = (row: Row) => identifier(`${readers.get("external_id")!.read(row)}`, "external_id");
  const isDated = mapping.record.observed_at !== undefined;
  return (retrieved_at) => (row) => {
    const record: Record<string, unknown> = { source };
    if (!isDated) record.observed_at = retrieved_at.toISOString();
    try {
      for (const { template, texts, reason, ends } of omissions) {
        const text = template.textOf(row);
        if (!texts.has(folded(text))) continue;
        const left_out = reason ?? `${template.columns.join(", ")}: ${text}`;
        return ends ? { left_out, ended: { source, external_id: idOf(row) } } : { left_out };
      }
      for (const { path, read } of readers.values()) setMember(record, path, read(row));
    } catch (error) {
      if (error instanceof RecordFault) return { reason: error.message };
      throw error;
    }
    const judged = normalizeRecord(completed(record), { undated: !isDated });
    if ("record" in judged) return judged;
    const faults = judged.reason.split("; ").map((fault) => located(fault, readers, row));
    return { reason: faults.join("; ") };
  };
}

/** Adds the columns and the value to a fault such as "company.domains.0: is not a hostname". */
function located(fault: string, readers: ReadonlyMap<string, FieldReader>, row: Row): string {
  const [, field = "", what = ""] = /^([\w.]+?)(?:\.\d+)?: (.*)$/s.exec(fault) ?? [];
  const reader = readers.get(field.replace(/^evidence\.0/, "evidence"));
  if (reader === undefined) return fault;
  const value = shownStart(reader.textOf(row));
  return `${reader.name}: ${what}${what.includes(value) ? "" : `: ${value}`}`;
}

/** Forms of dates and numbers in a file. */
interface Forms {
  readDate: DateReader;
  decimal: "," | ".";
  /** Reads another field of the row; undefined if the mapping does not have it. */
  readField(field: string, row: Row): unknown;
}

function readerOf(field: string, value: MappedValue, forms: Forms): FieldReader {
  const path = field.split(".");
  const derived: Derived = typeof value === "object" ? value : { from: `${value}` };
  const { from, split, rules, otherwise } = derived;
  const { columns, textOf: textOfRow } = parseTemplate(from);
  const name = columns.length === 0 ? field : `${field} (${columns.join(", ")})`;
  const type = FIELDS[field as keyof typeof FIELDS];
  /** Returns the function that reads the value by a template. A constant is read only once. */
  const fillerOf = (source: string) => {
    const template = parseTemplate(source);
    const isConstant = template.columns.length === 0;
    const read = (row: Row) => {
      const raw = template.column === undefined ? undefined : row(template.column);
      // Numbers and lists of JSON keep their type.
      if (type === "number" && typeof raw === "number") return raw;
      if (type === "list" && Array.isArray(raw)) return raw.map(textOf).filter(Boolean);
      const text = template.textOf(row);
      if (text === "" && isRequired(field)) throw new RecordFault(faultOf(name, text, ""));
      if (text === "") return undefined;
      const value = typed(text, type, { name, split, ...forms });
      // The currency of `facets.amount.value` is `facets.amount.currency`. A constant has no row.
      const currencyOf = () => forms.readField(field.replace(/\w+$/, "currency"), row);
      if (type === "number" && !isConstant && !suitsCurrency(text, currencyOf)) {
        throw new RecordFault(faultOf(name, text, `in ${currencyOf()}`));
      }
      return value;
    };
    return isConstant ? constantOf(path, read) : read;
  };
  const fill = typeof value === "number" ? constantOf(path, () => value) : fillerOf(from);
  const fallback = otherwise === undefined ? undefined : fillerOf(otherwise);
  const fillers = new Map(
    rules?.flatMap(({ in: texts, value }) => {
      const ruled = fillerOf(value);
      return texts.map((text) => [folded(text), ruled] as const);
    }),
  );
  const read = (row: Row) => {
    const text = textOfRow(row);
    const chosen = rules !== undefined
      ? fillers.get(folded(text)) ?? fallback
      : text === ""
      ? fallback
      : fill;
    if (chosen === undefined && text === "" && !isRequired(field)) return undefined;
    if (chosen === undefined) throw new RecordFault(faultOf(name, text, "named by a rule"));
    return chosen(row);
  };
  return { path, name, textOf: textOfRow, read: rules ?? fallback ? read : fill };
}

/**
 * Reads a constant, once for all rows, and checks it by the schema of records.
 * @throws MappingFault if the field cannot have it
 */
function constantOf(path: readonly string[], read: (row: Row) => unknown): () => unknown {
  try {
    const constant = read(() => "");
    const record: Record<string, unknown> = {};
    setMember(record, path, constant);
    const { error } = SourceRecord.safeParse({ ...record, evidence: [record.evidence] });
    // The other fields are missing, which is no fault of the constant.
    const issue = error?.issues.find(({ path }) => valueIn(record, path.join(".")) !== undefined);
    if (issue !== undefined) throw new RecordFault(`${path.join(".")}: ${issue.message}`);
    return () => constant;
  } catch (error) {
    if (error instanceof RecordFault) throw new MappingFault(`record → ${error.message}`);
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
    case "line":
      return maskedLine(text);
    case "paragraphs":
      return maskedParagraphs(text);
    case "list": {
      const values = split === undefined ? [text] : text.split(split);
      return values.map((value) => value.trim()).filter((value) => value !== "");
    }
    case "number": {
      const number = numberIn(text, decimal);
      if (number === undefined) throw new RecordFault(faultOf(name, text, "a number"));
      return number;
    }
    case "date":
    case "deadline": {
      const instant = readDate(text, { ends: type === "deadline" });
      if (instant === undefined) throw new RecordFault(faultOf(name, text, "a date"));
      return instant;
    }
  }
}

/** Max characters of a faulty value that a reason quotes. */
const SHOWN_CHARACTERS = 40;

function faultOf(name: string, text: string, wanted: string): string {
  return text === "" ? `${name}: is empty` : `${name}: is not ${wanted}: ${shownStart(text)}`;
}

function shownStart(text: string): string {
  return cutAtWord(shownValue(text), SHOWN_CHARACTERS);
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

function setMember(record: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let object = record;
  for (const parent of path.slice(0, -1)) {
    object = (object[parent] ??= {}) as Record<string, unknown>;
  }
  object[path.at(-1)!] = value;
}

/**
 * Makes `evidence` a list, and hostnames of URLs. Drops an amount or a pay that a constant currency
 * alone began, and an amount below 0: a credit is nothing that was awarded or paid.
 */
function completed({ company, ...record }: Record<string, unknown>): Record<string, unknown> {
  const { domains, ...named } = company as { domains?: string[] };
  const facets = record.facets as {
    amount?: { value?: number };
    employment?: { pay?: { min?: number; max?: number } };
  } | undefined;
  if (facets?.amount !== undefined && !(facets.amount.value! >= 0)) delete facets.amount;
  const { employment } = facets ?? {};
  if (employment?.pay && employment.pay.min === undefined && employment.pay.max === undefined) {
    delete employment.pay;
  }
  return {
    ...record,
    company: { ...named, ...domains && { domains: domains.map(hostIn) } },
    evidence: [record.evidence],
  };
}
