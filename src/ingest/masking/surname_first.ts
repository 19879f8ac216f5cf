/** Finds names with the surname first, as in forms. */
import { matchesIn } from "./contact_labels.ts";
import { isGivenName } from "./given_names.ts";
import { meaningOf } from "./name_words.ts";

/** Matches "Doe, Jane" before a telephone number or an e-mail label, as in forms. */
const SURNAME_FIRST =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}'’-]{1,40}), ?(\p{Lu}[\p{L}'’-]{1,40})(?: \p{Lu}\.?)?(?=[\s,(–-]{1,4}(?:(?:tele?phone|téléphone|t[eé]l|phone|e-?mail|courriel)(?:[. ]{0,2}(?:no|number|address)\.?)?[ \u00a0]?[:.–-]|n[°ºo]\.? de tél|\(?[2-9]\d\d\)?[-. ]\d{3}))/giu;

/** Yields the positions of names such as "Doe, Jane" before a telephone number. */
export function* surnameFirstNames(text: string): Generator<{ start: number; end: number }> {
  if (!text.includes(",")) return;
  for (const { 0: name, 1: family, 2: given, index } of matchesIn(text, SURNAME_FIRST)) {
    const isName = isGivenName(given!) ||
      (meaningOf(given!) === "open" && meaningOf(family!) === "open");
    if (isName && /^\p{Lu}/u.test(given!)) yield { start: index, end: index + name.length };
  }
}
