/** Defines mapping files, which say how rows of a foreign file become records. */
import { z } from "zod";
import { RECORD_LIMITS } from "../../contract/record.ts";
import { type FieldName, FIELDS, isRequired } from "./fields.ts";
import { Pages } from "./pages.ts";
import { columnsOf } from "./template.ts";

/** Encodings of files. UTF-16 with a byte order mark is recognized without being named. */
export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;

const Template = z.string().min(1).describe(
  "A text with columns or paths in braces, such as `{Title}, {City}`. Without braces, a constant.",
);

const Rule = z.strictObject({
  in: z.array(z.string()).min(1).describe("Texts, in which letter case has no meaning."),
  value: z.string().min(1).describe("The value of the field for these texts: also a template."),
});

const Derived = z.strictObject({
  from: Template,
  split: z.string().min(1).optional()
    .describe("The text between two values of one cell, such as `;`. For fields with a list."),
  rules: z.array(Rule).min(1).optional(),
  otherwise: z.string().min(1).optional()
    .describe("The value if no rule fits: also a template. Absent: such a row is rejected."),
});

const Value = z.union([Template, z.number(), Derived]);

const LeaveOut = z.strictObject({
  from: Template,
  in: z.array(z.string()).min(1).describe("Texts of rows to leave out. An empty text is allowed."),
  reason: z.string().min(1).optional(),
  ends: z.boolean().optional().describe(
    "True: such a row says that its record has ended, such as a cancelled request. A record with " +
      "the same external_id is shown no more.",
  ),
});

/** Text with which the parts of a proposed mapping begin that a person has to write. */
export const TO_DO = "TO DO";

/** A mapping file. */
export const Mapping = z.strictObject({
  $schema: z.string().optional(),
  source: z.string().min(1).max(RECORD_LIMITS.identifier_characters)
    .describe("Name of the source in records, answers and `admin source`."),
  format: z.enum(["csv", "ndjson", "json", "xlsx", "xml"]),
  delimiter: z.string().length(1).optional()
    .describe("CSV: the character between two cells. Absent: a comma."),
  encoding: z.enum(ENCODINGS).optional().describe("Absent: UTF-8, or UTF-16 with a mark."),
  array: z.string().min(1).optional().describe(
    "JSON: the member of the document that holds the rows, such as `result.records`. Absent: the " +
      "document is the array.",
  ),
  sheet: z.union([z.string().min(1), z.int().min(1)]).optional()
    .describe("XLSX: the name of the sheet, or its number from 1. Absent: the first sheet."),
  header_row: z.int().min(1).optional()
    .describe("XLSX: the number of the row with the names of the columns. Absent: the first row."),
  element: z.string().min(1).optional()
    .describe("XML: the name of the elements that are rows. Required for XML."),
  time_zone: z.string().optional().describe("Zone of dates without an offset. Absent: UTC."),
  dates: z.array(z.string().min(1)).optional().describe(
    "Formats of dates in addition to ISO 8601, such as `DD/MM/YYYY HH:mm`.",
  ),
  decimal: z.enum([",", "."]).optional().describe("The decimal sign of numbers. Absent: a point."),
  contacts: z.array(z.string().min(1)).optional()
    .describe("Columns that name contact persons, who are masked everywhere in the row."),
  leave_out: z.array(LeaveOut).optional(),
  pages: Pages.optional(),
  record: z.strictObject(
    Object.fromEntries(
      Object.keys(FIELDS).map((field) => [field, isRequired(field) ? Value : Value.optional()]),
    ) as Record<FieldName, z.ZodOptional<typeof Value>>,
  ),
});

export type Mapping = z.infer<typeof Mapping>;
export type MappedValue = z.infer<typeof Value>;

/** A mapping file that cannot be used. */
export class MappingFault extends Error {
  override name = "MappingFault";
}

/** Parses a mapping file. @throws MappingFault that names the faulty members */
export function parseMapping(text: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new MappingFault(`the mapping is not JSON: ${(error as Error).message}`);
  }
  const parsed = Mapping.safeParse(value);
  if (!parsed.success) throw new MappingFault(describe(parsed.error));
  const open = Object.entries(parsed.data.record).find(([, value]) =>
    typeof value === "string" && value.startsWith(TO_DO)
  );
  if (open !== undefined) throw new MappingFault(`record → ${open[0]}: is still to do`);
  const { dates = [] } = parsed.data;
  if (dates.some((form) => form.startsWith(TO_DO))) {
    throw new MappingFault("dates: it is still to do to choose the form");
  }
  const { format, element, time_zone } = parsed.data;
  if (format === "xml" && element === undefined) {
    throw new MappingFault("the mapping is not valid; element: is required for XML");
  }
  checkZone(time_zone);
  columnsOfMapping(parsed.data);
  checkPages(parsed.data);
  return parsed.data;
}

/** Checks that a path of pages leads into the document. Rows and their lines have no such path. */
function checkPages({ format, array, encoding = "utf-8", pages }: Mapping): void {
  if (pages === undefined || !("path" in pages)) return;
  if (format !== "json" || array === undefined || encoding.startsWith("utf-16")) {
    throw new MappingFault(
      "pages → path: only a JSON document with `array`, not in UTF-16, has such a member",
    );
  }
}

/** Returns the columns or paths that a mapping reads. @throws MappingFault for an open brace */
export function columnsOfMapping({ record, leave_out = [], contacts = [] }: Mapping): string[] {
  const values = [...Object.values(record), ...leave_out].filter((value) => value !== undefined);
  const templates = values.flatMap((value) =>
    typeof value === "object" ? templatesOf(value) : `${value}`
  );
  try {
    return [...new Set([...templates.flatMap(columnsOf), ...contacts])];
  } catch (error) {
    throw new MappingFault(`the mapping: ${(error as Error).message}`);
  }
}

function templatesOf(value: z.infer<typeof Derived> | z.infer<typeof LeaveOut>): string[] {
  if ("in" in value) return [value.from];
  const { from, rules = [], otherwise } = value;
  return [from, ...rules.map(({ value }) => value), ...otherwise === undefined ? [] : [otherwise]];
}

function describe({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message, code, ...issue }) => {
    const at = path.map(String).join(" → ") || "the mapping";
    if (code !== "unrecognized_keys") return `${at}: ${message}`;
    return `${at}: there is no field ${(issue as unknown as { keys: string[] }).keys.join(", ")}`;
  });
  return `the mapping is not valid; ${faults.join("; ")}`;
}

function checkZone(zone = "UTC"): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw new MappingFault(`time_zone: there is no time zone ${zone}`);
  }
}
