import { hash } from "node:crypto";

/** Returns the SHA-256 of a text in UTF-8. */
export function sha256(text: string): Uint8Array {
  return new Uint8Array(hash("sha256", text, "buffer"));
}
