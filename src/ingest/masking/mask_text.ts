/** Masks the contacts of persons in texts of sources, so that the texts may be stored. */
import { maskContactNames } from "./contact_names.ts";
import { maskContacts } from "./contacts.ts";
import { textOfMarkup } from "../text/markup.ts";
import { cleanLine, cleanParagraphs, cutAtWord } from "../text/clean_text.ts";

/** Length of the start of a text that is masked and kept. A record has at most 40,000 characters. */
export const MASKED_CHARACTERS = 65_536;

/** Returns a text, with or without markup, on one line: cleaned, cut and masked. */
export function maskedLine(markup: string): string {
  return maskPersons(cleanLine(textOfMarkup(markup)));
}

/** Returns a text as maskedLine() does, with its line breaks. */
export function maskedParagraphs(markup: string): string {
  return maskPersons(cleanParagraphs(textOfMarkup(markup)));
}

/**
 * Masks names and addresses in a clean text. Names come first, because addresses tell some of them.
 * The text is cut, because each of many patterns reads all of it.
 */
export function maskPersons(text: string): string {
  return maskContacts(maskContactNames(cutAtWord(text, MASKED_CHARACTERS)));
}

/** Max UTF-16 units of a text of a rejected record: masked, and then shown. */
const SEEN_CHARACTERS = 2_000;
const SHOWN_CHARACTERS = 500;
/** Maximum number of elements of a list of a rejected record that are shown. */
const SHOWN_ELEMENTS = 20;

/**
 * Returns what is shown of a rejected value: texts masked and cut, lists cut. It takes a parsed
 * value, because in the text of damaged JSON an escaped line break would hide a name.
 */
export function shownValue<Value>(value: Value): Value {
  if (typeof value === "string") {
    const start = cutAtWord(value, SEEN_CHARACTERS);
    return cutAtWord(maskedLine(start), SHOWN_CHARACTERS) as Value;
  }
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(shownValue) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shownValue(member)]);
  return Object.fromEntries(members) as Value;
}
