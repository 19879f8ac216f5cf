/** Reads the header and the first rows of a file whose form is not known. */
import { checkHeader, rowsIn } from "../formats/csv.ts";
import { EXCEL_HINT } from "../formats/csv_rows.ts";
import { parseJson, readElements } from "../formats/json.ts";
import { GrowingBytes, readLines } from "../formats/lines.ts";
import { sniff } from "../formats/sniff.ts";
import { readSheet } from "../formats/xlsx.ts";
import { UnreadableSource } from "../record/entry.ts";
import { asUtf8 } from "./as_utf8.ts";
import type { ENCODINGS, Mapping } from "./mapping.ts";
import { textOf, valueIn } from "./template.ts";

/**
 * Number of rows that a proposal looks at. The number is chosen: rare forms of dates show up in the
 * dry run.
 */
const ROWS = 200;

/** Max number of bytes that a proposal reads. */
const BYTES = 4 * 1_048_576;

/** Delimiters that are recognized. */
const DELIMITERS = [",", ";", "\t", "|"];

/** A table of the first rows of a file. */
export interface Sample {
  format: Mapping["format"];
  delimiter?: string;
  encoding?: (typeof ENCODINGS)[number];
  array?: string;
  columns: string[];
  rows: ((column: string) => unknown)[];
}

/** Reads a sample. @throws UnreadableSource if the file has no rows, or is in another format */
export async function sampleOf(stream: AsyncIterable<Uint8Array>): Promise<Sample> {
  await using sniffed = await sniff(stream);
  return sniffed.start.startsWith("PK")
    ? { format: "xlsx", ...await tableOf(readSheet(sniffed.replayed)) }
    : await readSample(await startOf(sniffed.replayed));
}

/** Reads the first bytes of a file, up to the end of a line. */
async function startOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const held = new GrowingBytes();
  for await (const chunk of stream) {
    held.add(chunk);
    if (held.length >= BYTES) break;
  }
  const { bytes, length } = held;
  // A whole document may be one line.
  return length < BYTES ? bytes : bytes.subarray(0, bytes.lastIndexOf(10) + 1 || length);
}

async function readSample(bytes: Uint8Array): Promise<Sample> {
  const encoding = encodingOf(bytes);
  const utf8 = () => asUtf8(ReadableStream.from([bytes]), encoding);
  const text = (await new Response(ReadableStream.from(utf8())).text()).trimStart();
  const line = text.split("\n", 1)[0]!;
  const start = line.trim();
  if (start === "") throw new UnreadableSource("the file is empty");
  if (/^<(?:!doctype\s+)?html/i.test(start)) throw new UnreadableSource("the file is a web page");
  if (start.startsWith("<")) {
    throw new UnreadableSource(
      "no mapping can be proposed for XML; write one with the format xml, whose member `element` " +
        "names the elements that are rows (docs/mapping.md)",
    );
  }
  if (start.startsWith("[")) {
    return { format: "json", encoding, ...objectsOf(await valuesOf(readElements(utf8()))) };
  }
  if (start.startsWith("{")) {
    const lines = "value" in parseJson(start) ? await valuesOf(readLines(utf8())) : [];
    // A document may be one line.
    const array = lines.length > 1 ? undefined : arrayIn(text);
    if (array !== undefined) {
      const elements = readElements(utf8(), { member: array.split(".") });
      return { format: "json", encoding, array, ...objectsOf(await valuesOf(elements)) };
    }
    if (lines.length > 0) return { format: "ndjson", encoding, ...objectsOf(lines) };
    throw new UnreadableSource("the document has no array of objects");
  }
  const delimiter = EXCEL_HINT.exec(line)?.[1] ??
    DELIMITERS.map((one) => ({ one, count: start.split(one).length }))
      .sort((a, b) => b.count - a.count)[0]!.one;
  const file = encoding === "windows-1252" ? ReadableStream.from([bytes]) : utf8();
  const rows = rowsIn(file, { delimiter, fallback_encoding: "windows-1252" });
  return { format: "csv", encoding, delimiter, ...await tableOf(rows) };
}

/** Returns the encoding, unless it is UTF-8 or has a byte order mark. */
function encodingOf(bytes: Uint8Array): Sample["encoding"] {
  const start = bytes.subarray(0, 4).toHex();
  if (/^(fffe|feff)/.test(start)) return undefined;
  if (/^(?:..00){2}/.test(start)) return "utf-16le";
  if (/^(?:00..){2}/.test(start)) return "utf-16be";
  try {
    // The sample may end within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return undefined;
  } catch {
    return "windows-1252";
  }
}

/** Reads the header and the first rows of a table. */
async function tableOf(
  table: AsyncIterable<{ cells?: readonly unknown[] | ReadonlyMap<number, unknown> }>,
): Promise<Pick<Sample, "columns" | "rows">> {
  let header: [number, string][] | undefined;
  const rows: Sample["rows"] = [];
  for await (const { cells } of table) {
    if (cells === undefined) continue;
    const row = new Map(cells.entries());
    if (header === undefined) {
      header = [...row].map(([at, name]) => [at, textOf(name)]);
      checkHeader(header.map(([, name]) => name), { title: "a table", columns: [] });
    } else {
      const places = new Map(header.map(([at, name]) => [name, at]));
      rows.push((column) => row.get(places.get(column)!));
    }
    if (rows.length >= ROWS) break;
  }
  if (header === undefined) throw new UnreadableSource("the file has no header row");
  return { columns: header.map(([, name]) => name), rows };
}

/** Parses the first lines or elements, as far as they are JSON. */
async function valuesOf(texts: AsyncIterable<{ text: string }>): Promise<unknown[]> {
  const values: unknown[] = [];
  try {
    for await (const { text } of texts) {
      const parsed = parseJson(text.trim());
      if ("value" in parsed) values.push(parsed.value);
      if (values.length >= ROWS) break;
    }
  } catch (error) {
    // The sample of a long document ends before the document does.
    if (!(error instanceof UnreadableSource) || values.length === 0) throw error;
  }
  return values;
}

/**
 * Matches the parts of a document that show where its arrays are. A string without an end lasts to
 * the end of the text, so that each character is read once.
 */
const STRUCTURE = /"((?:[^"\\]|\\[^]?)*)(?:"\s*(:)?|$)|\[\s*\{|[{}[\]]/g;

/**
 * Finds the longest array of objects. Others describe the columns or the document. Returns the
 * names of the members that lead to it, with dots between them; undefined if there is none.
 */
function arrayIn(text: string): string | undefined {
  /** Names of the members around the position; undefined for the document and within lists. */
  const around: (string | undefined)[] = [];
  let member: string | undefined;
  const arrays: { path: string; depth: number; start: number; end: number }[] = [];
  for (const { 0: part, 1: name, 2: colon, index } of text.matchAll(STRUCTURE)) {
    if (colon !== undefined) member = name;
    else if (part === "{" || part === "[") {
      around.push(part === "{" ? member : undefined);
      member = undefined;
    } else if (part === "}" || part === "]") {
      around.pop();
      const last = arrays.at(-1);
      if (last?.end === Infinity && last.depth === around.length) last.end = index;
    } else if (name === undefined) {
      const names = [...around.slice(1), member];
      const path = names.every((one) => one !== undefined) ? names.join(".") : undefined;
      const depth = around.length;
      if (path !== undefined) arrays.push({ path, depth, start: index, end: Infinity });
      around.push(undefined, undefined);
      member = undefined;
    }
  }
  // The sample may end within an array.
  return arrays.sort((a, b) => (b.end - b.start) - (a.end - a.start))[0]?.path;
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
