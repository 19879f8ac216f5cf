/**
 * Contact data in running text. The service keeps none (specification 1.7), so sources whose texts
 * carry addresses and numbers have them masked before anything is stored. Reference numbers, dates,
 * amounts, stock and classification codes stay readable.
 */

/** What stands in the place of an e-mail address or a telephone number. */
export const MASK = "[redacted]";

/** @returns the text with each e-mail address and telephone number (extension included) masked. */
export function maskContacts(text: string): string {
  if (!/[@＠]|\d/.test(text)) return text;
  return text
    .replace(EMAIL, MASK)
    .replace(INTERNATIONAL, (match) => isNumber(match, 8) ? MASK : match)
    .replace(NORTH_AMERICAN, MASK)
    .replace(LETTERED, MASK)
    .replace(
      LABELLED,
      (match, label: string, number: string) => isNumber(number, 7) ? label + MASK : match,
    );
}

// A lower-case top level before a capital is where a sentence was glued to the address.
const EMAIL =
  /[\p{L}\p{N}._%+'’-]+[@＠](?:[\p{L}\p{N}-]+\.)+(?:[a-z]{2,24}(?=\p{Lu})|\p{L}{2,24})/gu;

const EXTENSION = "(?:[ ,;(]{0,3}(?:ext(?:ension)?|poste|x)[ .:#]{0,3}\\d{1,6}(?!\\d)\\)?)?";
const SEPARATOR = "[ \\u00a0.\\-‐‑–]{1,2}";
const END = "(?![\\p{L}\\p{N}]|[-/.,]\\d)";

/** +44 (0)20 7946 0958: a plus sign, then 8 to 15 digits in groups. */
const INTERNATIONAL = new RegExp(
  `(?<![\\p{L}\\p{N}])\\+[1-9]\\d{0,2}(?:(?:${SEPARATOR})?\\(?\\d{1,12}\\)?){1,6}${EXTENSION}${END}`,
  "giu",
);

/** (613) 998-8974, 1-613-998-8974, 613.998.8974, 613 998 8974; never inside a code or amount. */
const NORTH_AMERICAN = new RegExp(
  `(?<![\\p{L}\\p{N}_$€£]|[\\p{L}\\p{N}][-./_]|[$€£][ \\u00a0])` +
    `(?:1${SEPARATOR})?(?:\\([2-9]\\d\\d\\)[ \\u00a0.\\-‐‑–]{0,3}|[2-9]\\d\\d${SEPARATOR})` +
    `[2-9]\\d\\d${SEPARATOR}\\d{4}${EXTENSION}${END}`,
  "giu",
);

/** 1-800-O-CANADA */
const LETTERED = /(?<![\p{L}\p{N}-])1[- ]8(?:00|33|44|55|66|77|88)[- ][A-Z0-9-]{7,12}/gu;

/** Any other run of 7 to 15 digits right after a word that announces a telephone number. */
const LABELLED = new RegExp(
  "((?<!\\p{L})(?:tel|tél|telephone|téléphone|phone|ph|cell|cellular|cellulaire|mobile|fax|" +
    "facsimile|télécopieur|toll[- ]free|sans[ -]frais)(?!\\p{L})" +
    "(?:[ \\u00a0.:#°()-]|(?:number|numéro|no|nº|n°)(?!\\p{L})){0,12})" +
    `(\\+?\\(?\\d[\\d \\u00a0().\\-‐‑–]{5,22}\\d${EXTENSION})${END}`,
  "giu",
);

/** A date in digits can follow the word fax, and is none. */
function isNumber(text: string, fewest: number): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return false;
  const digits = text.replace(/(?:ext|poste|x).*$/i, "").replace(/\D/g, "").length;
  return digits >= fewest && digits <= 15;
}
