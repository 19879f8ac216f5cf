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
  /** Number of characters of the parent's text before the element. */
  offset: number;
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
 * @throws UnreadableSource, after the elements before the fault, if elements nest too deep, the
 * bytes are not UTF-8, or the document is not XML, ends early, or has a tag or quote without its end
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
  let openedAt = 0;
  const parser = new Parser({
    onattribute(name, _value, quote) {
      // After a quote that is not closed, the texts up to the next quote are its value.
      if (quote == null) throw damaged(`the attribute ${name} has no quoted value`);
    },
    onopentag(qualifiedName, attributes) {
      const name = qualifiedName.slice(qualifiedName.indexOf(":") + 1);
      if (!hasRoot && /^html$/i.test(name)) throw new UnreadableSource("the file is HTML, not XML");
      hasRoot = true;
      openedAt = parser.endIndex;
      if (++depth > DEPTH_MAX) throw new UnreadableSource("elements of the XML nest too deep");
      if (open.length === 0 && !names.includes(name)) return;
      size = open.length === 0 ? 0 : size + 1;
      for (const key in attributes) size += key.length + attributes[key]!.length;
      const element = {
        name,
        attributes: size > SIZE_MAX ? {} : attributes,
        text: "",
        children: [],
        offset: open.at(-1)?.text.length ?? 0,
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
    onclosetag(name, isImplied) {
      // The parser also calls the end of an element without content implied.
      if (isImplied && parser.endIndex !== openedAt) throw damaged(`<${name}> has no end tag`);
      depth--;
      const element = open.pop();
      if (element === undefined || open.length > 0) return;
      ended.push(size > SIZE_MAX ? { ...element, isCut: true } : element);
    },
  }, { xmlMode: true });
  // The parser ignores an end tag without its start tag, which may have been that of a row.
  parser.onclosetag = (start, end) => {
    const before = depth;
    Parser.prototype.onclosetag.call(parser, start, end);
    if (depth === before) throw damaged("an end tag has no start tag");
  };
  const decode = utf8Decoder();
  const slices = new Slices();
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      try {
        parser.write(decode(chunk.subarray(at, at + PIECE_BYTES)));
      } finally {
        yield* ended.splice(0);
      }
      if (slices.isOver) await slices.turn();
    }
  }
  if (!hasRoot) throw new UnreadableSource("the file is not XML");
  if (depth > 0) throw new UnreadableSource("the XML ends before its root element does");
  decode();
}

function damaged(fault: string): UnreadableSource {
  return new UnreadableSource(`the XML is damaged: ${fault}`);
}

/** Reason why a cut element cannot be used. */
export const CUT_FAULT = `is longer than ${SIZE_MAX} characters and elements`;

/** An element as an object. */
export interface XmlRow {
  /** Number of the element among those of its name, from 1. */
  number: number;
  /**
   * Texts by the names of their elements. Elements within elements are objects, unless there is
   * text between them: then they are a part of the text. Several elements of one name are a list.
   * Attributes are not read.
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
  for (const element of elements) {
    const { name, text, children } = element;
    const isText = children.length === 0 || text.trim() !== "";
    const value = isText ? wholeText(element).trim() : membersOf(children);
    const present = members[name];
    if (Array.isArray(present)) present.push(value);
    else members[name] = name in members ? [present, value] : value;
  }
  return members;
}

/** Returns the text of an element and those within it. Elements without a text between are apart. */
function wholeText({ text, children }: XmlElement): string {
  let whole = "";
  let at = -1;
  for (const child of children) {
    const between = at === child.offset ? " " : text.slice(Math.max(0, at), child.offset);
    whole += between + (wholeText(child) || " ");
    at = child.offset;
  }
  return whole + text.slice(Math.max(0, at));
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
