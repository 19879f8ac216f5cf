/** Reads the elements of an XML document that are rows, element by element. */
import { parseXml } from "./xml_events.ts";

/** An element with the texts within it. */
export interface XmlRow {
  /** Number of the element among those of its name, from 1. */
  number: number;
  /**
   * Texts by the names of their elements. Elements within elements are objects, and several
   * elements of one name are a list. Attributes are not read.
   */
  value: Record<string, unknown>;
  /** Reason why the element cannot be used. */
  fault?: string;
}

/**
 * Max number of characters of the texts of an element and of elements within it, in sum. The rest
 * is not held in memory.
 */
const ROW_SIZE_MAX = 1_048_576;

interface OpenElement {
  text: string;
  members?: Record<string, unknown>;
}

/**
 * Yields the elements of a name. Holds a part of a chunk and the elements that end in it in memory.
 * @throws UnreadableSource if the document is not XML or not UTF-8, or ends early
 */
export async function* readXmlRows(
  stream: AsyncIterable<Uint8Array>,
  element: string,
): AsyncGenerator<XmlRow> {
  const open: OpenElement[] = [];
  let rows: XmlRow[] = [];
  let number = 0;
  let size = 0;
  const events = parseXml(stream, {
    open(name) {
      if (open.length === 0 && name !== element) return;
      size = open.length === 0 ? 0 : size + 1;
      open.push({ text: "" });
    },
    text(part) {
      const last = open.at(-1);
      if (last === undefined) return;
      size += part.length;
      if (size <= ROW_SIZE_MAX) last.text += part;
    },
    close(name) {
      const { text, members } = open.pop() ?? {};
      if (text === undefined) return;
      const parent = open.at(-1);
      if (parent !== undefined) {
        if (size <= ROW_SIZE_MAX) {
          addMember(parent.members ??= Object.create(null), name, members ?? text.trim());
        }
        return;
      }
      rows.push({
        number: ++number,
        value: members ?? {},
        ...(size > ROW_SIZE_MAX &&
          { fault: `is longer than ${ROW_SIZE_MAX} characters and elements` }),
      });
    },
  });
  for await (const _ of events) {
    yield* rows;
    rows = [];
  }
}

function addMember(members: Record<string, unknown>, name: string, value: unknown): void {
  const present = members[name];
  if (Array.isArray(present)) present.push(value);
  else members[name] = name in members ? [present, value] : value;
}
