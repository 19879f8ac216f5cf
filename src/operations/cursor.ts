/** Cursors: opaque, random, valid for one account, one search and one position (see claim). */
import { Failure } from "../failures.ts";

/** 192 random bits: nothing to guess from another one. */
export function createCursor(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}

const FORM = /^[A-Za-z0-9_-]{32}$/;

/**
 * A cursor as it came; null where there is none.
 * @throws Failure invalid_cursor for a text that none of ours looks like, invalid_search otherwise
 */
export function normalizeCursor(raw: unknown): string | null {
  if (raw === undefined || raw === null) return null;
  if (typeof raw !== "string") {
    throw new Failure("invalid_search", { message: "cursor: a text or null is required." });
  }
  if (!FORM.test(raw)) throw new Failure("invalid_cursor");
  return raw;
}
