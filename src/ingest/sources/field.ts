/** Reading and judging single fields of native records. */
import { FACET_LIMITS } from "../../contract/facets.ts";
import { cleanLine, cutAtWord } from "../text/clean_text.ts";

/** Max characters of a faulty field that a reason repeats. */
const SHOWN_CHARACTERS = 40;

/** Returns why a field cannot be used: it is empty, or is not what is wanted ("a date"). */
export function fieldFault(name: string, text: string, wanted: string): { reason: string } {
  const shown = cutAtWord(cleanLine(text), SHOWN_CHARACTERS);
  return { reason: `${name}: ${shown === "" ? "is empty" : `is not ${wanted}: ${shown}`}` };
}

/** Returns a text as a facet, on one line and cut to its limit. Returns nothing if it is empty. */
export function facetText(text: string): string | undefined {
  return cutAtWord(cleanLine(text), FACET_LIMITS.text_characters) || undefined;
}

/** Returns what stands in a JSON value at a path of member names that points join, or nothing. */
export function valueAt(value: unknown, path: string): unknown {
  let member = value;
  for (const name of path.split(".")) {
    if (typeof member !== "object" || member === null) return undefined;
    member = Object.hasOwn(member, name) ? member[name as keyof typeof member] : undefined;
  }
  return member;
}
