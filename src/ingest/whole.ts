/** Files that can only be understood as a whole. */
import { UnreadableSource } from "./entry.ts";
import { GrowingBytes } from "./growing_bytes.ts";

/** @returns all bytes, copied; @throws UnreadableSource beyond `most`, without having held more. */
export async function readWhole(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const whole = new GrowingBytes();
  for await (const chunk of stream) {
    if (whole.length + chunk.length > most) {
      throw new UnreadableSource(`the file is longer than ${most} bytes`);
    }
    whole.add(chunk);
  }
  return whole.bytes;
}

/** @returns bytes as text without a byte order mark; @throws UnreadableSource where they are no UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableSource("the file is not valid UTF-8");
  }
}
