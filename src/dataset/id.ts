/** Ids as they come in a path, a query or a tool's arguments. */
import { Failure } from "../failures.ts";

/**
 * An integer of at least 1. One that is larger than any id is nobody's, and asks for nothing.
 * @throws Failure with `code`, naming the field
 */
export function normalizeId(raw: unknown, code: "invalid_lookup" | "invalid_search"): number {
  if (typeof raw !== "number" || !Number.isInteger(raw) || raw < 1) {
    throw new Failure(code, { message: "id: an integer of at least 1 is required." });
  }
  return Math.min(raw, Number.MAX_SAFE_INTEGER);
}
