/** Defines mapping files, which say how rows of a foreign file become records. */
import { z } from "zod";
import { checkMembers } from "../../contract/json_members.ts";
import { RECORD_LIMITS } from "../../contract/record.ts";
import { type FieldName, FIELDS, isRequired } from "./fields.ts";
import { instantInZone } from "../formats/local_time.ts";
import { Pages } from "./pages.ts";
import { columnsOf } from "./template.ts";

/** Encodings of files. UTF-16 with a byte order mark is recognized without being named. */
export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;

const Template = z.string().min(1).describe(
  "A text with columns or paths in braces, such as `{Title}, {City}`. Without braces, a constant.",
);

const From = Template.regex(/\{[^{}]+\}/, "a column in braces, such as `{Status}`, is required")
  .describe("A text with a column or path in braces, such as `{Status}`.");

const Rule = z.strictObject({
  in: z.array(z.string()).min(1).describe("Texts, in which letter case has no meaning."),
  value: z.string().describe(
    "The value of the field for these texts: also a template. Empty: an optional field is absent.",
  ),
});

const DerivedValue = z.strictObject({
  from: From,
  split: z.string().min(1).optional()
    .describe("The text between two values of one cell, such as `;`. For fields with a list."),
  rules: z.array(Rule).min(1).optional(),
  otherwise: z.string().optional()
    .describe("The value if no rule fits: also a template. Absent: such a row is rejected."),
});

const Value = z.union([Template, z.number(), DerivedValue], {
  error: ({ input }) =>
    input === undefined ? "is required" : "a text, a number or rules are needed",
});

const LeaveOut = z.strictObject({
  from: From,
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
    .regex(
      /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u,
      "has control characters, or white space at an end",
    )
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
    .describe(
      "XLSX: the name of the sheet, or its number from 1. Absent: the first visible sheet.",
    ),
  header_row: z.int().min(1).optional()
    .describe("CSV, XLSX: number of the row with the names of the columns. Absent: the first row."),
  element: z.string().min(1).optional()
    .describe("XML: the name of the elements that are rows. Required for XML."),
  time_zone: z.string().optional().describe("Zone of dates without an offset. Absent: UTC."),
  dates: z.array(z.string().regex(/^(?!TO DO)./, "is still to do")).optional().describe(
    "Formats of dates in addition to ISO 8601, such as `DD/MM/YYYY HH:mm`.",
  ),
  decimal: z.enum([",", "."]).optional().describe("The decimal sign of numbers. Absent: a point."),
  contacts: z.array(z.string().regex(/^(?!TO DO)./, "is still to do")).optional()
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
export type Derived = z.infer<typeof DerivedValue>;

/** A mapping file that cannot be used. */
export class MappingFault extends Error {
  override name = "MappingFault";
}

/** Max depth of nested brackets of a mapping. The number is chosen: a mapping has five. */
const LIMITS = { depth: 10, members: Infinity };

/** Members that belong to one format. */
const FORMAT_OF = {
  delimiter: "csv",
  array: "json",
  sheet: "xlsx",
  header_row: "csv or xlsx",
  element: "xml",
};

/** Parses a mapping file. @throws MappingFault that names the faulty members */
export function parseMapping(text: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
    checkMembers(text, LIMITS);
  } catch (error) {
    throw new MappingFault(`the mapping cannot be read: ${(error as Error).message}`);
  }
  const parsed = Mapping.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) =>
      `${path.map(String).join(" → ") || "the mapping"}: ${message}`
    );
    throw new MappingFault(`the mapping is not valid; ${faults.join("; ")}`);
  }
  const mapping = parsed.data;
  for (const [field, value] of Object.entries(mapping.record)) {
    if (templatesOf(value).some((template) => template.startsWith(TO_DO))) {
      throw new MappingFault(`record → ${field}: is still to do`);
    }
    if (typeof value === "object" && value.split && FIELDS[field as FieldName] !== "list") {
      throw new MappingFault(`record → ${field}: is not a list, so it has no split`);
    }
  }
  const { format, array, element, encoding = "utf-8", pages, time_zone = "UTC" } = mapping;
  for (const [member, only] of Object.entries(FORMAT_OF)) {
    if (Object.hasOwn(mapping, member) && !only.split(" or ").includes(format)) {
      throw new MappingFault(`${member}: is for the format ${only}, not for ${format}`);
    }
  }
  if (format === "xml" && element === undefined) {
    throw new MappingFault("the mapping is not valid; element: is required for XML");
  }
  if (instantInZone(time_zone, "2000-01-01", "00:00") === undefined) {
    throw new MappingFault(`time_zone: there is no time zone ${time_zone}`);
  }
  columnsOfMapping(mapping);
  // Rows and their lines have no member outside of the rows.
  if (pages && "path" in pages && (array === undefined || encoding.startsWith("utf-16"))) {
    throw new MappingFault(
      "pages → path: only a JSON document with `array`, not in UTF-16, has such a member",
    );
  }
  return mapping;
}

/** Returns the columns or paths that a mapping reads. @throws MappingFault for an open brace */
export function columnsOfMapping({ record, leave_out = [], contacts = [] }: Mapping): string[] {
  const templates = [...Object.values(record), ...leave_out].flatMap(templatesOf);
  try {
    return [...new Set([...templates.flatMap(columnsOf), ...contacts])];
  } catch (error) {
    throw new MappingFault(`the mapping: ${(error as Error).message}`);
  }
}

function templatesOf(value?: MappedValue | z.infer<typeof LeaveOut>): string[] {
  if (typeof value !== "object") return value === undefined ? [] : [`${value}`];
  if ("in" in value) return [value.from];
  const { from, rules = [], otherwise } = value;
  return [from, ...rules.map(({ value }) => value), ...otherwise === undefined ? [] : [otherwise]];
}
