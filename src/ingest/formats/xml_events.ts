/** Parses XML while it is read. External entities and entities of a DTD are never resolved. */
import { Parser } from "htmlparser2";
import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";

/** Receives the parts of a document. Names of elements are without the prefix of a namespace. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Receives a part of a text. A long text has several parts. */
  text(part: string): void;
  close(name: string): void;
}

/** Max nesting depth, because the parsing time grows with the square of the depth. */
const DEPTH_MAX = 64;

/** Max number of bytes that are parsed at once. An unpacked chunk can be a thousand times longer. */
const PIECE_BYTES = 65_536;

/**
 * Yields after each piece of a chunk, so that a caller can take what the events have collected. The
 * event loop runs between pieces. The bytes must be UTF-8, whatever encoding the document declares.
 * @throws UnreadableSource if elements nest too deep, the bytes are not UTF-8, or the document ends
 * early
 */
export async function* parseXml(
  stream: AsyncIterable<Uint8Array>,
  events: XmlEvents,
): AsyncGenerator<void> {
  let depth = 0;
  let hasRoot = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      hasRoot = true;
      if (++depth > DEPTH_MAX) throw new UnreadableSource("elements of the XML nest too deep");
      events.open(localName(name), attributes);
    },
    ontext: (text) => events.text(text),
    onclosetag(name) {
      depth--;
      events.close(localName(name));
    },
  }, { xmlMode: true });
  const decode = utf8Decoder();
  const slices = new Slices();
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      parser.write(decode(chunk.subarray(at, at + PIECE_BYTES)));
      yield;
      if (slices.isOver) await slices.turn();
    }
  }
  if (!hasRoot) throw new UnreadableSource("the file is not XML");
  if (depth > 0) throw new UnreadableSource("the XML ends before its root element does");
  decode();
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
