/** Parses XML while it is read. External entities and entities of a DTD are never resolved. */
import { Parser } from "htmlparser2";
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

/**
 * Yields after each chunk, so that a caller can take what the events have collected.
 * @throws UnreadableSource if elements nest too deep, or the document ends early
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
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  if (!hasRoot) throw new UnreadableSource("the file is not XML");
  if (depth > 0) throw new UnreadableSource("the XML ends before its root element does");
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
