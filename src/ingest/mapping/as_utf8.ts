/** Converts files of other encodings to UTF-8, chunk by chunk. */
import { textBytes } from "../formats/packed.ts";
import { UnreadableSource } from "../record/entry.ts";
import type { ENCODINGS } from "./mapping.ts";

/** Byte order marks, with their encodings. */
const MARKS = [["efbbbf", "utf-8"], ["fffe", "utf-16le"], ["feff", "utf-16be"]] as const;

/**
 * Yields the bytes of a file in UTF-8. A byte order mark overrides the named encoding.
 * @throws UnreadableSource if the encoding is Windows-1252, but the first letters beyond ASCII are
 * UTF-8
 */
export async function* asUtf8(
  stream: AsyncIterable<Uint8Array>,
  encoding: (typeof ENCODINGS)[number] = "utf-8",
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let decoder: TextDecoder | undefined;
  let probe: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of textBytes(stream)) {
    if (chunk.length === 0) continue;
    if (isFirst) {
      const start = chunk.subarray(0, 3).toHex();
      const found = MARKS.find(([mark]) => start.startsWith(mark))?.[1] ?? encoding;
      if (found !== "utf-8") decoder = new TextDecoder(found);
      if (found === "windows-1252") probe = new TextDecoder();
      isFirst = false;
    }
    const text = probe?.decode(chunk, { stream: true }) ?? "";
    if (text.includes("\ufffd")) probe = undefined;
    else if (/[\u0080-\uffff]/.test(text)) {
      throw new UnreadableSource("the file is in UTF-8, but its mapping names windows-1252");
    }
    yield decoder === undefined ? chunk : encoder.encode(decoder.decode(chunk, { stream: true }));
  }
  if (decoder !== undefined) yield encoder.encode(decoder.decode());
}
