/** Files that can only be understood as a whole. */
import { UnreadableSource } from "./entry.ts";

/** @returns all bytes; @throws UnreadableSource beyond `most`, without having held more. */
export async function readWhole(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > most) throw new UnreadableSource(`the file is longer than ${most} bytes`);
    // The stream may use a chunk's memory again.
    chunks.push(chunk.slice());
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** @returns bytes as text without a byte order mark; @throws UnreadableSource where they are no UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableSource("the file is not valid UTF-8");
  }
}
