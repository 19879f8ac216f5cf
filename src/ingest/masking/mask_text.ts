/**
 * Masks the names, e-mail addresses and telephone numbers of persons in texts of sources, so that
 * the texts may be stored.
 */
import { maskContactNames } from "./contact_names.ts";
import { maskContacts } from "./contacts.ts";
import { textOfMarkup } from "../text/markup.ts";
import { cleanLine, cleanParagraphs, cutAtWord } from "../text/clean_text.ts";

/**
 * Max UTF-16 units of a masked text. The rest is cut off. Each text of a record has at most 40,000.
 */
export const MASKED_CHARACTERS = 65_536;

/** Cleans, cuts and masks a text, with or without markup. Returns it on one line. */
export function maskedLine(markup: string): string {
  return maskPersons(cleanLine(textOfMarkup(markup)));
}

/** Cleans, cuts and masks a text as maskedLine() does, but keeps line breaks. */
export function maskedParagraphs(markup: string): string {
  return maskPersons(cleanParagraphs(textOfMarkup(markup)));
}

/**
 * Masks names, e-mail addresses and telephone numbers in a clean text. Names are masked first,
 * because some are recognized by an address or number after them. The text is cut first. This
 * bounds the time, because each of many patterns reads the whole text.
 */
export function maskPersons(text: string): string {
  return maskContacts(maskContactNames(cutAtWord(text, MASKED_CHARACTERS)));
}

/** Max UTF-16 units of a text of a rejected record that are masked. */
const MASKED_BEFORE_SHOWING = 2_000;
/** Max UTF-16 units of a masked text of a rejected record that are shown. */
const SHOWN_CHARACTERS = 500;
/** Max number of elements of a list of a rejected record that are shown. */
const SHOWN_ELEMENTS = 20;

/**
 * Returns the form in which a rejected value is shown: texts are masked and cut, lists are cut. The
 * value must not be unparsed JSON, in which an escaped line break would hide a name.
 */
export function shownValue<Value>(value: Value): Value {
  if (typeof value === "string") {
    const start = cutAtWord(value, MASKED_BEFORE_SHOWING);
    return cutAtWord(maskedLine(start), SHOWN_CHARACTERS) as Value;
  }
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(shownValue) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shownValue(member)]);
  return Object.fromEntries(members) as Value;
}
