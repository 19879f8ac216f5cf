/** Files that are read completely before they are parsed. */
import { UnreadableSource } from "../record/entry.ts";
import { GrowingBytes } from "./growing_bytes.ts";

/** @returns all bytes, copied; @throws UnreadableSource beyond `max`, without having held more. */
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

/** @returns bytes as text without a byte order mark; @throws UnreadableSource where they are no UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableSource("the file is not valid UTF-8");
  }
}
