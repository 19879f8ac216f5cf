/** Reads JSON: the elements of one array of a document, and files with one value per line. */
import { checkMembers } from "../../contract/json_members.ts";
import { Slices } from "../../slices.ts";
import { personsOf, textsWithin, withoutPersons } from "../masking/mask_text.ts";
import { type LeftOut, type SourceEntry, UnreadableSource } from "../record/entry.ts";
import { ELEMENT_BYTES } from "../record/field_bounds.ts";
import { Elements, Surroundings } from "./json_scanner.ts";
import { checkCharacters, checkEnd, readLines, type TextLine } from "./lines.ts";
import { type Judged, normalizeRecord } from "../record/normalize.ts";

/** Options of reading: the array, and the size limit of its elements. */
export interface ElementsOptions {
  /**
   * Member of the top-level object that holds the array, or the names of the members that lead to
   * it. Absent: the document is the array.
   */
  member?: string | readonly string[];
  /** Max bytes of one element. A longer element is rejected, and never held in memory. */
  longest?: number;
}

/**
 * Reads the elements of an array one by one, each as text with the line on which it starts. Holds
 * one element and one chunk in memory. Elements are not parsed, so an invalid element does not hide
 * the next ones, as long as its quotes and brackets balance. Two adjacent commas give an element
 * with an empty text.
 *
 * @throws UnreadableSource if there is no such array
 * @throws UnreadableSource, after the last complete element, if the document ends too early or is
 * not JSON after the array
 */
export async function* readElements(
  stream: AsyncIterable<Uint8Array>,
  { member, longest = ELEMENT_BYTES }: ElementsOptions = {},
): AsyncGenerator<TextLine> {
  const around = new Surroundings([member ?? []].flat());
  let elements: Elements | undefined;
  // A chunk may contain thousands of elements, and the caller processes each one before the next is
  // read. The event loop must be able to run in between.
  const slices = new Slices();
  for await (const chunk of stream) {
    let start = 0;
    if (elements === undefined) {
      start = around.find(chunk);
      if (!around.found) continue;
      elements = new Elements(around.line, longest);
    }
    for (const element of elements.split(chunk, start)) {
      yield element;
      if (slices.isOver) await slices.turn();
    }
    // One element may fill many chunks, in which the loop above yields nothing.
    if (slices.isOver) await slices.turn();
    if (elements.closed) around.takeRest(chunk.subarray(elements.end));
  }
  if (elements === undefined) {
    throw new UnreadableSource(`the document ends without ${around.sought}`);
  }
  if (!elements.closed) throw new UnreadableSource("the document ends before its array does");
  if (!around.closed) throw new UnreadableSource("the document ends before its object does");
}

/** Options of reading values into entries. */
export interface ValueOptions {
  /** Maps a value to one record or several, or returns the reason why there is none. */
  judge(value: unknown): Judged | LeftOut | Judged[];
  /**
   * Returns the form in which a rejected value is shown. A text that is not JSON is then not shown.
   * Absent: the text is shown.
   */
  shown?(value: unknown): unknown;
  /**
   * Returns the names and addresses of a value's contact persons. They are masked everywhere in the
   * value.
   */
  contacts?(value: unknown): readonly string[];
}

/** Reads an array into entries. */
export async function* readArray(
  stream: AsyncIterable<Uint8Array>,
  { member, longest, ...options }: ElementsOptions & ValueOptions,
): AsyncGenerator<SourceEntry> {
  for await (const element of readElements(stream, { member, longest })) {
    yield* entriesOf(element, "element", options);
  }
}

/**
 * Reads a file with one JSON value per line into entries. Empty lines are skipped.
 *
 * @param options.longest max bytes of a line
 * @throws UnreadableSource if the first line shows UTF-16, or if the file ends within a line
 */
export async function* readJsonLines(
  stream: AsyncIterable<Uint8Array>,
  { longest, ...options }: Pick<ElementsOptions, "longest"> & ValueOptions,
): AsyncGenerator<SourceEntry> {
  for await (const line of readLines(stream, { longest })) {
    if (line.fault === undefined && line.text.trim() === "") continue;
    if (line.number === 1) checkCharacters([line.text.slice(0, 4)]);
    const isComplete = yield* entriesOf(line, "line", options);
    checkEnd(line, { isComplete });
  }
}

/**
 * Reads NDJSON with one record of the contract (src/contract/record.ts) per line. Empty lines are
 * skipped.
 */
export function readNdjson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<SourceEntry> {
  return readJsonLines(stream, { judge: (value) => normalizeRecord(value) });
}

/** Yields the entries of a text. Returns whether the text is a JSON value. */
function* entriesOf(
  { number, text, fault }: TextLine,
  noun: "element" | "line",
  { judge, shown, contacts }: ValueOptions,
): Generator<SourceEntry, boolean> {
  const parsed = fault === undefined ? parseJson(text) : { reason: fault };
  if ("reason" in parsed) {
    const reason = `the ${noun} ${parsed.reason}`;
    const raw = shown === undefined ? text : null;
    yield { line: number, raw, judged: { reason }, doubt: reason };
    return false;
  }
  let { value } = parsed;
  if (contacts !== undefined) {
    value = withoutPersons(value, personsOf(contacts(value), textsWithin(value)));
  }
  for (const judged of [judge(value)].flat()) {
    yield {
      line: number,
      // The raw form is computed on demand, because only a rejected value needs it.
      get raw() {
        return shown === undefined ? text : shown(value);
      },
      judged,
    };
  }
  return true;
}

/** A JSON value, or a reason that completes a sentence: "is not JSON". */
type Parsed = { value: unknown } | { reason: string };

/** Parses a text as JSON. An integer that a number may not hold exactly becomes a text. */
export function parseJson(text: string): Parsed {
  // A document of a million commas has a million empty elements. Each parsing error would capture a
  // stack trace, which is slow.
  if (text === "") return { reason: "is not JSON" };
  let fault: string | undefined;
  try {
    // The object does not tell which of two equal members has the right value.
    checkMembers(text, LIMITS);
  } catch (error) {
    fault = (error as SyntaxError).message;
  }
  try {
    // Parsing a value that is a million levels deep takes long.
    const value = fault?.startsWith("nested")
      ? undefined
      : JSON.parse(text, LONG_DIGITS.test(text) ? exactIn : undefined);
    return fault === undefined ? { value } : { reason: `cannot be read: ${fault}` };
  } catch {
    return { reason: "is not JSON" };
  }
}

/** Matches the digits of an integer that a number may not hold exactly. */
const LONG_DIGITS = /\d{16}/;
/** Matches an integer of at least as many digits. */
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;

/** Returns a number, or its source text if it is an integer that a number may not hold exactly. */
export function exactNumber(number: number, source: string): number | string {
  return LONG_INTEGER.test(source) && !Number.isSafeInteger(number) ? source : number;
}

/** Reviver of JSON.parse, which passes the source text of each number. */
function exactIn(_name: string, value: unknown, { source = "" }: { source?: string } = {}) {
  return typeof value === "number" ? exactNumber(value, source) : value;
}

/** Limits of a JSON text. Records need a quarter of this depth. */
const LIMITS = { depth: 64, members: Infinity };
