/** Reads JSON documents whose records are the elements of one array, element by element. */
import { checkMembers } from "../../contract/json_members.ts";
import { Slices } from "../../slices.ts";
import { personsOf, textsWithin, withoutPersons } from "../masking/mask_text.ts";
import { type LeftOut, type SourceEntry, UnreadableSource } from "../record/entry.ts";
import { ELEMENT_BYTES } from "../record/field_bounds.ts";
import {
  ArrayFinder,
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  Elements,
  isWhiteSpace,
  ObjectRest,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "./json_scanner.ts";
import type { TextLine } from "./lines.ts";
import type { Judged } from "../record/normalize.ts";

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
  const path = [member ?? []].flat();
  const finder = new ArrayFinder(path);
  let elements: Elements | undefined;
  let isTailChecked = false;
  const rest = path.length === 0 ? undefined : new ObjectRest(path);
  // A chunk may contain thousands of elements, and the caller processes each one before the next is
  // read. The event loop must be able to run in between.
  const slices = new Slices();
  for await (const chunk of stream) {
    let at = 0;
    if (elements === undefined) {
      at = finder.find(chunk);
      if (finder.found) elements = new Elements(finder.line, longest);
    }
    if (elements === undefined) continue;
    const split = elements.split(chunk, at);
    let next = split.next();
    for (; !next.done; next = split.next()) {
      yield next.value;
      if (slices.isOver) await slices.turn();
    }
    at = next.value;
    // One element may fill many chunks, in which the loop above yields nothing.
    if (slices.isOver) await slices.turn();
    if (!elements.closed) continue;
    if (!isTailChecked) isTailChecked = checkTail(chunk.subarray(at), path);
    rest?.take(chunk.subarray(at));
  }
  if (elements === undefined) {
    throw new UnreadableSource(`the document ends without ${finder.sought}`);
  }
  if (!elements.closed) throw new UnreadableSource("the document ends before its array does");
  if (rest?.closed === false) {
    throw new UnreadableSource("the document ends before its object does");
  }
}

/**
 * Reads an array into entries.
 *
 * @param options.contacts returns the names and addresses of an element's contact persons. They are
 * masked everywhere in the element
 * @param options.shown returns the form in which a rejected element is shown. An element that is
 * not JSON is then not shown. Absent: the text is shown
 */
export async function* readArray(
  stream: AsyncIterable<Uint8Array>,
  { judge, shown, contacts, ...options }: ElementsOptions & {
    judge(element: unknown): Judged | LeftOut | Judged[];
    shown?(element: unknown): unknown;
    contacts?(element: unknown): readonly string[];
  },
): AsyncGenerator<SourceEntry> {
  for await (const { number, text, fault } of readElements(stream, options)) {
    const parsed = fault === undefined ? parseJson(text) : { reason: fault };
    if ("value" in parsed && contacts !== undefined) {
      const persons = personsOf(contacts(parsed.value), textsWithin(parsed.value));
      parsed.value = withoutPersons(parsed.value, persons);
    }
    const outcome = "reason" in parsed
      ? { reason: `the element ${parsed.reason}` }
      : judge(parsed.value);
    for (const judged of [outcome].flat()) yield jsonEntry({ number, text, parsed, shown }, judged);
  }
}

/** A JSON value, or a reason that completes a sentence: "is not JSON". */
type Parsed = { value: unknown } | { reason: string };

/** Returns the entry of a text. The raw form is computed on demand. */
export function jsonEntry(
  { number, text, parsed, shown }: {
    number: number;
    text: string;
    parsed: Parsed;
    /** Returns the form in which a rejected value is shown. Absent: the text is shown. */
    shown?(value: unknown): unknown;
  },
  judged: Judged | LeftOut,
): SourceEntry {
  return {
    line: number,
    get raw() {
      if (shown === undefined) return text;
      return "value" in parsed ? shown(parsed.value) : null;
    },
    judged,
    ...("reason" in parsed && "reason" in judged && { doubt: judged.reason }),
  };
}

/** Parses a text as JSON. */
export function parseJson(text: string): Parsed {
  // A document of a million commas has a million empty elements. Each parsing error would capture a
  // stack trace, which is slow.
  if (text === "") return { reason: "is not JSON" };
  if (isDeep(text)) return { reason: "is nested too deep" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Too many brackets overflow the parser's stack, which is a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return { reason: "is not JSON" };
    }
    throw error;
  }
  try {
    checkMembers(text, DEPTH_MAX);
  } catch (error) {
    // The object does not tell which of the two members has the right value.
    if (error instanceof SyntaxError) return { reason: `cannot be read: ${error.message}` };
    throw error;
  }
  return { value };
}

/**
 * Max depth of nested brackets. Records need a quarter of it. Parsing a value that is a million
 * levels deep takes long.
 */
const DEPTH_MAX = 64;

/**
 * Returns whether brackets nest too deep. A loop over code units is far faster here than a regular
 * expression.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      if (++depth > DEPTH_MAX) return true;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) depth--;
  }
  return false;
}

/** Returns the index of the quote that ends a string, or the text's length if none does. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) {
    if (text.charCodeAt(at) === BACKSLASH) at++;
  }
  return at;
}

/**
 * Checks the first byte after the array that is not white space, because unbalanced brackets can
 * end the array too early. Returns whether the tail contains such a byte.
 */
function checkTail(tail: Uint8Array, path: readonly string[]): boolean {
  const byte = tail.find((byte) => !isWhiteSpace(byte));
  if (byte === undefined) return false;
  if (path.length > 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return true;
  throw new UnreadableSource("the document goes on where its array ends: brackets do not match");
}
