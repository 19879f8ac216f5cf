/**
 * Creates cursors. A cursor is opaque and random, and valid for one account, one search or
 * listing, and one position. The database checks it when a request is claimed.
 */

/** Returns 192 random bits, so that no cursor can be guessed from another one. */
export function createCursor(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}
