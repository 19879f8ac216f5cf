/** Reads and checks single fields of records of sources. */
import { FACET_LIMITS } from "../../contract/facets.ts";
import { cleanLine, cutAtWord } from "../text/clean_text.ts";

/** Max characters of a faulty field that a reason quotes. */
const SHOWN_CHARACTERS = 40;

/** Returns the reason why a field cannot be used: it is empty, or is not `wanted` ("a date"). */
export function fieldFault(name: string, text: string, wanted: string): { reason: string } {
  const shown = cutAtWord(cleanLine(text), SHOWN_CHARACTERS);
  return { reason: `${name}: ${shown === "" ? "is empty" : `is not ${wanted}: ${shown}`}` };
}

/**
 * Returns a text as a facet, on one line and cut to the limit of facets. Returns undefined if it is
 * empty.
 */
export function facetText(text: string): string | undefined {
  return cutAtWord(cleanLine(text), FACET_LIMITS.text_characters) || undefined;
}

/**
 * Returns the value at a path in a JSON value, or undefined. Dots separate the member names of a
 * path.
 */
export function valueAt(value: unknown, path: string): unknown {
  let member = value;
  for (const name of path.split(".")) {
    if (typeof member !== "object" || member === null) return undefined;
    member = Object.hasOwn(member, name) ? member[name as keyof typeof member] : undefined;
  }
  return member;
}
