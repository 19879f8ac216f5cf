/** Texts of sources that print contacts of persons, as they may be kept. */
import { maskContacts } from "./contacts.ts";
import { textOfMarkup } from "./markup.ts";
import { cleanLine, cleanParagraphs } from "./text.ts";

/** @returns a text, perhaps with markup, on one line: cleaned first, then masked. */
export function maskedLine(markup: string): string {
  return maskContacts(cleanLine(textOfMarkup(markup)));
}

/** @returns as maskedLine(), with its line breaks. */
export function maskedParagraphs(markup: string): string {
  return maskContacts(cleanParagraphs(textOfMarkup(markup)));
}
