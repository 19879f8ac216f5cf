/** Reads the elements of an XML document that are rows, element by element. */
import { Slices } from "../../slices.ts";
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

/** Max characters of the texts of an element. The rest is not held in memory. */
const ROW_CHARACTERS_MAX = 1_048_576;

interface OpenElement {
  text: string;
  members?: Record<string, unknown>;
}

/**
 * Yields the elements of a name. Holds one chunk and the elements that end in it in memory.
 * @throws UnreadableSource if the document is not XML, or ends early
 */
export async function* readXmlRows(
  stream: AsyncIterable<Uint8Array>,
  element: string,
): AsyncGenerator<XmlRow> {
  const open: OpenElement[] = [];
  let rows: XmlRow[] = [];
  let number = 0;
  let characters = 0;
  const events = parseXml(stream, {
    open(name) {
      if (open.length === 0 && name !== element) return;
      if (open.length === 0) characters = 0;
      open.push({ text: "" });
    },
    text(part) {
      const last = open.at(-1);
      if (last === undefined) return;
      characters += part.length;
      if (characters <= ROW_CHARACTERS_MAX) last.text += part;
    },
    close(name) {
      const { text, members } = open.pop() ?? {};
      if (text === undefined) return;
      const parent = open.at(-1);
      if (parent !== undefined) {
        addMember(parent.members ??= Object.create(null), name, members ?? text.trim());
        return;
      }
      rows.push({
        number: ++number,
        value: members ?? {},
        ...(characters > ROW_CHARACTERS_MAX &&
          { fault: `is longer than ${ROW_CHARACTERS_MAX} characters` }),
      });
    },
  });
  // A chunk may contain thousands of elements. The event loop must be able to run in between.
  const slices = new Slices();
  for await (const _ of events) {
    yield* rows;
    rows = [];
    if (slices.isOver) await slices.turn();
  }
}

function addMember(members: Record<string, unknown>, name: string, value: unknown): void {
  members[name] = name in members ? [members[name], value].flat() : value;
}
