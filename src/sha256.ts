import { createHash } from "node:crypto";

/** Returns the SHA-256 of a text in UTF-8. */
export function sha256(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest());
}
