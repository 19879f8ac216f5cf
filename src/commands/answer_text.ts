/** Formats the answer of a command for a reader at a terminal. */
import { withoutControls } from "../contract/control_characters.ts";
import { aligned } from "./text_columns.ts";

/** Matches an instant in JSON. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/;

/** Pattern of names of fields with ids. */
const ID = /(^|_)id$|^(?:company|observation|merge|kept|merged)$/;

type Fields = Record<string, unknown>;

/**
 * Formats an answer: its single values as lines, and each list of objects as a table. Numbers are
 * grouped and aligned to the right, durations have a unit, and instants are in UTC.
 */
export function answerText(answer: unknown): string {
  if (!isObject(answer)) return cellOf("", answer);
  const fields = flattened(answer);
  const lists = Object.entries(fields).filter((entry): entry is [string, Fields[]] =>
    isTable(entry[1])
  );
  const single = Object.entries(fields).filter(([, value]) => !isTable(value));
  const lines = aligned(single.map(([name, value]) => [labelOf(name), cellOf(name, value)]), []);
  const tables = lists.map(([name, rows]) => tableOf(name, rows, lists.length + single.length > 1));
  return [...lines.length > 0 ? [lines.join("\n")] : [], ...tables].join("\n\n");
}

function tableOf(name: string, rows: readonly Fields[], titled: boolean): string {
  if (rows.length === 0) return `no ${labelOf(name)}`;
  const flat = rows.map((row) => flattened(row));
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  const numeric = names.map((column) =>
    flat.every((row) => row[column] == null || typeof row[column] === "number")
  );
  const cells = flat.map((row) => names.map((column) => cellOf(column, row[column])));
  const lines = aligned([names.map(labelOf), ...cells], numeric);
  return [...titled ? [`${labelOf(name)}:`] : [], ...lines].join("\n");
}

/** Replaces the members that are objects by their own members. */
function flattened(value: Fields, prefix = ""): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isObject(member) ? Object.entries(flattened(member, `${prefix}${name}.`)) : [
        [prefix + name, member],
      ]
    ),
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Date);
}

function isTable(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Returns the label of a field. The unit of a duration stands with its value. */
function labelOf(name: string): string {
  return name.replace(/_seconds$/, "").replaceAll(".", ": ").replaceAll("_", " ");
}

function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value instanceof Date) return cellOf(name, value.toISOString());
  if (Array.isArray(value)) return value.map((one) => cellOf("", one)).join(", ") || "–";
  if (typeof value === "number") {
    // Ids are not grouped, so that they can be copied into a command.
    if (ID.test(name)) return `${value}`;
    return value.toLocaleString("en") + (name.endsWith("_seconds") ? " s" : "");
  }
  return withoutControls(String(value)).replace(INSTANT, "$1 $2 UTC");
}
