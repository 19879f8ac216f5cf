/** Texts of sources that print contacts of persons, as they may be kept. */
import { maskContactNames } from "./contact_names.ts";
import { maskContacts } from "./contacts.ts";
import { textOfMarkup } from "./markup.ts";
import { cleanLine, cleanParagraphs } from "./text.ts";

/** @returns a text, perhaps with markup, on one line: cleaned first, then masked. */
export function maskedLine(markup: string): string {
  return maskPersons(cleanLine(textOfMarkup(markup)));
}

/** @returns as maskedLine(), with its line breaks. */
export function maskedParagraphs(markup: string): string {
  return maskPersons(cleanParagraphs(textOfMarkup(markup)));
}

/** Names first: the addresses tell some of them. */
function maskPersons(text: string): string {
  return maskContacts(maskContactNames(text));
}
