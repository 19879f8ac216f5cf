/** Converts files of other encodings to UTF-8, chunk by chunk. */
import { textBytes } from "../formats/packed.ts";
import type { ENCODINGS } from "./mapping.ts";

/** Byte order marks of UTF-16. */
const MARKS = { "fffe": "utf-16le", "feff": "utf-16be" } as const;

/** Yields the bytes of a file in UTF-8. A byte order mark of UTF-16 overrides the named encoding. */
export async function* asUtf8(
  stream: AsyncIterable<Uint8Array>,
  encoding: (typeof ENCODINGS)[number] = "utf-8",
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of textBytes(stream)) {
    if (chunk.length === 0) continue;
    if (isFirst) {
      const mark = chunk.subarray(0, 2).toHex() as keyof typeof MARKS;
      const found: string = MARKS[mark] ?? encoding;
      if (found !== "utf-8") decoder = new TextDecoder(found);
      isFirst = false;
    }
    yield decoder === undefined ? chunk : encoder.encode(decoder.decode(chunk, { stream: true }));
  }
  if (decoder !== undefined) yield encoder.encode(decoder.decode());
}
