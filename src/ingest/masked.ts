/** Texts of sources that print contacts of persons, as they may be kept. */
import { maskContactNames } from "./contact_names.ts";
import { maskContacts } from "./contacts.ts";
import { textOfMarkup } from "./markup.ts";
import { cleanLine, cleanParagraphs, cutAtWord } from "./text.ts";

/** Length of the start of a text that is masked and kept. A record has at most 40,000 characters. */
export const MASKED_CHARACTERS = 65_536;

/** Returns a text, perhaps with markup, on one line: cleaned first, then cut and masked. */
export function maskedLine(markup: string): string {
  return maskPersons(cleanLine(textOfMarkup(markup)));
}

/** Returns a text as maskedLine() does, with its line breaks. */
export function maskedParagraphs(markup: string): string {
  return maskPersons(cleanParagraphs(textOfMarkup(markup)));
}

/**
 * Masks names and addresses in the start of a clean text. Names come first, as the addresses tell some
 * of them. Each of the many patterns reads the whole text, so it is cut.
 */
export function maskPersons(text: string): string {
  return maskContacts(maskContactNames(cutAtWord(text, MASKED_CHARACTERS)));
}
