/** Proposes a mapping for a file from its header and its first rows. */
import { rowsIn } from "../formats/csv.ts";
import { parseJson, readElements } from "../formats/json_elements.ts";
import { readLines } from "../formats/lines.ts";
import { UnreadableSource } from "../record/entry.ts";
import { asUtf8 } from "./as_utf8.ts";
import { type ENCODINGS, type Mapping, TO_DO } from "./mapping.ts";
import { textOf, valueIn } from "./template.ts";
import { dateReader, numberIn } from "./values.ts";

/** Number of rows that a proposal looks at. */
const ROWS = 200;

/** Max number of bytes that a proposal reads. */
const BYTES = 4 * 1_048_576;

/** Delimiters that are recognized. */
const DELIMITERS = [",", ";", "\t", "|"];

/** Forms of dates that are recognized. A form with the day first precedes that with the month. */
const DATE_FORMS = [
  "DD/MM/YYYY",
  "MM/DD/YYYY",
  "YYYY/MM/DD",
  "DD-MM-YYYY",
  "DD.MM.YYYY",
  "D/M/YYYY",
];
const TIMES = ["", " HH:mm", " HH:mm:ss"];

/** Words in names of columns, folded, by the field for which the column is proposed. */
const WORDS: readonly (readonly [field: string, words: RegExp])[] = [
  ["evidence.source_uri", /\b(url|uri|link|lien|website|web|href|adresse web|permalink)\b/],
  ["expires_at", /\b(clos\w*|ferme\w*|deadline|due|expir\w*|limite|end)\b/],
  ["occurred_at", /\b(publi\w*|posted|post|date|issued|created|emission|parution|start)\b/],
  ["facets.amount.value", /\b(amount|montant|value|valeur|price|prix|budget)\b/],
  ["external_id", /\b(id|no|numero|number|num|reference|ref|code|uuid|key)\b/],
  [
    "company.name",
    /\b(company|entreprise|buyer|acheteur|organi\w*|employer|client|agency|name|nom)\b/,
  ],
  ["evidence.excerpt", /\b(title|titre|subject|objet|headline|heading|position|poste)\b/],
  ["text", /\b(description|details|body|texte|text|summary|resume|content)\b/],
  ["facets.place.city", /\b(city|ville|town|municipalit\w*|location|lieu)\b/],
  ["facets.unspsc", /\bunspsc\b/],
  ["facets.naics", /\b(naics|scian)\b/],
];

/** A table of the first rows of a file. */
interface Sample {
  format: Mapping["format"];
  delimiter?: string;
  encoding?: (typeof ENCODINGS)[number];
  array?: string;
  columns: string[];
  rows: ((column: string) => unknown)[];
}

/**
 * Proposes a mapping. Fields without a fitting column get a text that begins with `TO DO`.
 * @param name name of the file, from which the name of the source is made
 * @throws UnreadableSource if the file has no rows
 */
export async function proposeMapping(
  stream: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Mapping> {
  const sample = await readSample(await startOf(stream));
  const fields = chooseColumns(sample.columns);
  const textsOf = (field: string) => {
    const column = fields.get(field);
    if (column === undefined) return [];
    return sample.rows.map((row) => textOf(row(column))).filter((text) => text !== "");
  };
  const dates = ["occurred_at", "expires_at"].flatMap((field) => formsOf(textsOf(field)));
  const amounts = textsOf("facets.amount.value");
  const decimal = amounts.some((text) => numberIn(text, ".") === undefined) &&
      amounts.every((text) => numberIn(text, ",") !== undefined)
    ? "," as const
    : undefined;
  const { format, delimiter, encoding, array } = sample;
  const from = (field: string, otherwise: string) =>
    fields.has(field) ? `{${fields.get(field)}}` : otherwise;
  const title = from("evidence.excerpt", from("text", `${TO_DO}: the text to quote`));
  const optional = WORDS.map(([field]) => field)
    .filter((field) => fields.has(field) && !/^(external_id|company|evidence)/.test(field))
    .map((field) => [field, `{${fields.get(field)}}`]);
  return {
    source: name.replace(/^.*[/\\]/, "").replace(/\.\w+$/, "").toLowerCase() || "my-feed",
    format,
    ...delimiter !== undefined && delimiter !== "," && { delimiter },
    ...encoding !== undefined && { encoding },
    ...array !== undefined && { array },
    time_zone: "America/Toronto",
    ...dates.length > 0 && { dates: [...new Set(dates)] },
    ...decimal !== undefined && { decimal },
    record: {
      "external_id": from("external_id", `${TO_DO}: columns that identify a row`),
      "company.name": from("company.name", `${TO_DO}: the column of the company`),
      "kind": "procurement_request",
      "observed_fact": title,
      "why_it_may_matter": `${TO_DO}: why a supplier should care`,
      "demand_class": "explicit_request",
      "country": "CA",
      "confidence": 0.8,
      "evidence.source_uri": from("evidence.source_uri", `${TO_DO}: https://…`),
      "evidence.excerpt": title,
      ...Object.fromEntries(optional),
      ...fields.has("facets.amount.value") && { "facets.amount.currency": "CAD" },
    },
  };
}

/** Reads the first bytes of a file, up to the end of a line. */
async function startOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk.slice());
    bytes += chunk.length;
    if (bytes >= BYTES) break;
  }
  const whole = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  return bytes < BYTES ? whole : whole.subarray(0, whole.lastIndexOf(10) + 1);
}

async function readSample(bytes: Uint8Array): Promise<Sample> {
  const encoding = encodingOf(bytes);
  const utf8 = () => asUtf8(chunksOf(bytes), encoding);
  let start = "";
  for await (const { text } of readLines(utf8(), { longest: BYTES })) {
    start = text.replace(/^\ufeff/, "").trim();
    if (start !== "") break;
  }
  if (start === "") throw new UnreadableSource("the file is empty");
  const named = encoding === undefined ? {} : { encoding };
  if (start.startsWith("{") && "value" in parseJson(start)) {
    return { format: "ndjson", ...named, ...objectsOf(await linesOf(utf8())) };
  }
  if (start.startsWith("[")) {
    return { format: "json", ...named, ...objectsOf(await elementsOf(utf8())) };
  }
  if (start.startsWith("{")) {
    const array = await arrayIn(utf8());
    return { format: "json", ...named, array, ...objectsOf(await elementsOf(utf8(), array)) };
  }
  const delimiter = DELIMITERS.map((one) => ({ one, count: start.split(one).length }))
    .sort((a, b) => b.count - a.count)[0]!.one;
  return { format: "csv", ...named, delimiter, ...await tableOf(utf8(), delimiter) };
}

/** Returns the encoding, unless it is UTF-8 or has a byte order mark. */
function encodingOf(bytes: Uint8Array): "windows-1252" | undefined {
  if (/^(fffe|feff)/.test(bytes.subarray(0, 2).toHex())) return undefined;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return undefined;
  } catch {
    return "windows-1252";
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function tableOf(stream: AsyncIterable<Uint8Array>, delimiter: string) {
  let columns: string[] | undefined;
  const rows: Sample["rows"] = [];
  for await (const { cells } of rowsIn(stream, { delimiter })) {
    if (cells === undefined) continue;
    if (columns === undefined) columns = cells.map((cell) => cell.trim());
    else {
      const places = columns;
      rows.push((column) => cells[places.indexOf(column)]);
    }
    if (rows.length >= ROWS) break;
  }
  return { columns: columns!, rows };
}

async function linesOf(stream: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { text } of readLines(stream)) {
    const parsed = parseJson(text.trim());
    if ("value" in parsed) values.push(parsed.value);
    if (values.length >= ROWS) break;
  }
  return values;
}

async function elementsOf(stream: AsyncIterable<Uint8Array>, member?: string): Promise<unknown[]> {
  const values: unknown[] = [];
  try {
    for await (const { text } of readElements(stream, { member })) {
      const parsed = parseJson(text);
      if ("value" in parsed) values.push(parsed.value);
      if (values.length >= ROWS) break;
    }
  } catch (error) {
    // The sample of a long document ends before the document does.
    if (!(error instanceof UnreadableSource) || values.length === 0) throw error;
  }
  return values;
}

/** Finds the first member of the document that holds an array. */
async function arrayIn(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  const member = /"([^"\\]+)"\s*:\s*\[\s*\{/.exec(text)?.[1];
  if (member === undefined) throw new UnreadableSource("the document has no array of objects");
  return member;
}

function objectsOf(values: readonly unknown[]): Pick<Sample, "columns" | "rows"> {
  const objects = values.filter((value) => typeof value === "object" && value !== null);
  if (objects.length === 0) throw new UnreadableSource("the file has no objects");
  return {
    columns: [...new Set(objects.flatMap((object) => pathsOf(object)))],
    rows: objects.map((object) => (path) => valueIn(object, path)),
  };
}

function pathsOf(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? pathsOf(member, `${prefix}${name}.`)
      : [prefix + name]
  );
}

/** Assigns each column to at most one field, and each field to at most one column. */
function chooseColumns(columns: readonly string[]): Map<string, string> {
  const chosen = new Map<string, string>();
  const taken = new Set<string>();
  for (const [field, words] of WORDS) {
    const column = columns.find((name) => !taken.has(name) && words.test(foldedWords(name)));
    if (column === undefined) continue;
    chosen.set(field, column);
    taken.add(column);
  }
  return chosen;
}

/** Returns a name in lower case, without accents, with blanks between its words. */
function foldedWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").normalize("NFD").replace(/\p{M}/gu, "")
    .toLowerCase().replace(/[^a-z0-9]+/g, " ");
}

/** Share of the dates that a form has to read. Some files have a few faulty ones. */
const READABLE = 0.9;

/** Returns the forms that read the dates, or nothing if ISO 8601 does or no form does. */
function formsOf(texts: readonly string[]): string[] {
  const countOf = (forms: string[]) => {
    const read = dateReader(forms, "UTC");
    return texts.filter((text) => read(text, { ends: false }) !== undefined).length;
  };
  const needed = texts.length * READABLE;
  if (texts.length === 0 || countOf([]) >= needed) return [];
  for (const form of DATE_FORMS) {
    const forms = TIMES.map((time) => form + time).filter((one) => countOf([one]) > countOf([]));
    if (countOf(forms) >= needed) return forms;
  }
  return [];
}
