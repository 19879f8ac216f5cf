/** Parses XML while it is read. External entities and entities of a DTD are never resolved. */
import { Parser } from "htmlparser2";
import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";

/** An element with the texts and elements within it. Names are without the prefix of a namespace. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlElement[];
  /** True if the texts, attributes and elements within it exceed SIZE_MAX, so that some of them are missing. */
  isCut?: true;
}

/** Max nesting depth, because the parsing time grows with the square of the depth. */
const DEPTH_MAX = 64;

/** Max number of bytes that are parsed at once. An unpacked chunk can be a thousand times longer. */
const PIECE_BYTES = 65_536;

/**
 * Max number of characters of the texts and attributes within an element and of elements within it,
 * in sum. The rest is not held in memory.
 */
const SIZE_MAX = 1_048_576;

/**
 * Yields the elements of some names, but none within another one. Holds a part of a chunk and the
 * elements that end in it in memory. The event loop runs between parts. The bytes must be UTF-8,
 * whatever encoding the document declares.
 * @param text_max max characters of one text; the rest of a longer one is dropped
 * @throws UnreadableSource if elements nest too deep, the bytes are not UTF-8, or the document is not
 * XML or ends early
 */
export async function* readXmlElements(
  stream: AsyncIterable<Uint8Array>,
  names: readonly string[],
  text_max = SIZE_MAX,
): AsyncGenerator<XmlElement> {
  let depth = 0;
  let hasRoot = false;
  const open: XmlElement[] = [];
  const ended: XmlElement[] = [];
  let size = 0;
  const parser = new Parser({
    onopentag(qualifiedName, attributes) {
      hasRoot = true;
      if (++depth > DEPTH_MAX) throw new UnreadableSource("elements of the XML nest too deep");
      const name = localName(qualifiedName);
      if (open.length === 0 && !names.includes(name)) return;
      size = open.length === 0 ? 0 : size + 1;
      for (const key in attributes) size += key.length + attributes[key]!.length;
      const element = {
        name,
        attributes: size > SIZE_MAX ? {} : attributes,
        text: "",
        children: [],
      };
      if (size <= SIZE_MAX) open.at(-1)?.children.push(element);
      open.push(element);
    },
    ontext(text) {
      const last = open.at(-1);
      if (last === undefined) return;
      const part = text.slice(0, text_max - last.text.length);
      size += part.length;
      if (size <= SIZE_MAX) last.text += part;
    },
    onclosetag() {
      depth--;
      const element = open.pop();
      if (element === undefined || open.length > 0) return;
      ended.push(size > SIZE_MAX ? { ...element, isCut: true } : element);
    },
  }, { xmlMode: true });
  const decode = utf8Decoder();
  const slices = new Slices();
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      parser.write(decode(chunk.subarray(at, at + PIECE_BYTES)));
      yield* ended.splice(0);
      if (slices.isOver) await slices.turn();
    }
  }
  if (!hasRoot) throw new UnreadableSource("the file is not XML");
  if (depth > 0) throw new UnreadableSource("the XML ends before its root element does");
  decode();
}

/** Reason why a cut element cannot be used. */
export const CUT_FAULT = `is longer than ${SIZE_MAX} characters and elements`;

/** An element as an object. */
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

/** Yields the elements of a name as readXmlElements() does, as objects. */
export async function* readXmlRows(
  stream: AsyncIterable<Uint8Array>,
  element: string,
): AsyncGenerator<XmlRow> {
  let number = 0;
  for await (const { children, isCut } of readXmlElements(stream, [element])) {
    const value = membersOf(children);
    yield { number: ++number, value, ...(isCut && { fault: CUT_FAULT }) };
  }
}

function membersOf(elements: readonly XmlElement[]): Record<string, unknown> {
  const members: Record<string, unknown> = Object.create(null);
  for (const { name, text, children } of elements) {
    const value = children.length === 0 ? text.trim() : membersOf(children);
    const present = members[name];
    if (Array.isArray(present)) present.push(value);
    else members[name] = name in members ? [present, value] : value;
  }
  return members;
}

/** Returns a function that decodes pieces of a text; without a piece, it checks the end. */
function utf8Decoder(): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (piece) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new UnreadableSource(
        "the XML is not valid UTF-8; a mapping can name another encoding, such as windows-1252",
      );
    }
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
