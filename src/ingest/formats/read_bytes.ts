/** Reads files that are parsed as a whole. */
import { UnreadableSource } from "../record/entry.ts";
import { GrowingBytes } from "./growing_bytes.ts";

/** Returns all bytes. @throws UnreadableSource as soon as there are more than `max` */
export async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  max: number,
): Promise<Uint8Array> {
  const bytes = new GrowingBytes();
  for await (const chunk of stream) {
    if (bytes.length + chunk.length > max) {
      throw new UnreadableSource(`the file is longer than ${max} bytes`);
    }
    bytes.add(chunk);
  }
  return bytes.bytes;
}

/** Decodes bytes, and drops a byte order mark. @throws UnreadableSource if they are not UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableSource("the file is not valid UTF-8");
  }
}
