/**
 * Masks e-mail addresses, telephone numbers and pages of persons in running text. Records of public
 * sources and of mappings are stored without them; NDJSON of the operator is stored as given.
 * Reference numbers, dates, amounts, stock and classification codes stay readable.
 *
 * The text must be clean. A hidden character inside a number would hide the number from the
 * patterns, and later cleaning would restore the number.
 */

/** Text that replaces a name, an e-mail address or a telephone number. */
export const MASK = "[redacted]";

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

/** Masks each e-mail address, LinkedIn page, and telephone number with its extension. */
export function maskContacts(text: string): string {
  const unlinked = text.replace(PROFILE, MASK);
  let masked = maskSpans(unlinked, emailsOf(unlinked));
  let folded = foldWide(masked);
  for (const [pattern, isContact] of PATTERNS) {
    const spans = [...matchesOf(folded, pattern, isContact)];
    [masked, folded] = [maskSpans(masked, spans), maskSpans(folded, spans)];
  }
  return masked;
}

/** Yields the matches in a folded text, without their group `label`, which stays readable. */
function* matchesOf(text: string, pattern: RegExp, isContact: IsContact): Generator<Span> {
  for (const { 0: match, groups, index } of text.matchAll(pattern)) {
    const end = index + match.length;
    const start = index + (groups?.label?.length ?? 0);
    const [number, after] = [text.slice(start, end), text.slice(end, end + 20)];
    if (isContact(number, after) && !isQuantity(number, after)) yield { start, end };
  }
}

const WIDE = /[\uff01-\uff5e]|(?<=[\w\uff10-\uff5a])。(?=[\w\uff10-\uff5a])/gu;

/**
 * Replaces full-width characters by those of ASCII, and ideographic dots between them by dots. Every
 * character keeps its position.
 */
export function foldWide(text: string): string {
  return text.replace(
    WIDE,
    (wide) => wide === "。" ? "." : String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  );
}

const AT = "(?:\\s{0,2}[@＠]\\s{0,2}|%(?:25)?40|" +
  "\\s?[\\[({<]\\s?(?:[@＠]|[aA][tT]|[aA]robase?)\\s?[\\])}>]\\s?|[ ]-[aA][tT]-[ ])";
const DOT =
  "(?:\\.|%2[eE]|\\s?[\\[({]\\s?(?:[dD][oO][tT]|[pP]oint)\\s?[\\])}]\\s?|[ ]-[dD][oO][tT]-[ ])";

/** Max length of a local part (RFC 5321). */
const LOCAL_CHARACTERS = 64;
const LOCAL = "[\\p{L}\\p{N}._%+'’-]";
/**
 * Source of a pattern for a domain. It ends before a capital letter after lower case, which may
 * begin a sentence: "dcc.caPlease".
 */
const DOMAIN = `(?:[\\p{L}\\p{N}-]{1,63}${DOT})+` +
  "(?:[a-z]{2,24}(?=\\p{Lu})|\\p{L}{2,24})";

/**
 * Source of a pattern for an e-mail address, also for "john @ dcc.ca" and "john [at] dcc [dot] ca".
 */
export const EMAIL = `${LOCAL}{1,${LOCAL_CHARACTERS}}${AT}${DOMAIN}`;

const WRITTEN_AT = "(?:at|AT|At|arobase?|AROBASE?)";
const WRITTEN_DOT = "(?:[ \\u00a0](?:dot|DOT|Dot|point|POINT)[ \\u00a0]|\\.)";
const LAST_LEVEL =
  "(?:ca|com|org|net|gov|gc|mil|edu|info|io|us|fr|co|biz|CA|COM|ORG|NET|GOV|MIL|EDU)";

/**
 * Source of a pattern for words before "at" that show that no e-mail address follows: "available at
 * example.ca".
 */
const SENTENCE =
  "(?i:look|visit|available|found|online|us|sites?|website|located|posted|is|are|and|or)[ ]";
/**
 * Matches spelled addresses: "jane AT example DOT ca", "jane arobase exemple point ca". If the
 * domain is written with dots, one of two conditions must hold. Either the word before "at"
 * contains a dot or an underscore, or AT is in capitals after a word without capitals.
 */
const SPELLED = new RegExp(
  `(?<!${LOCAL})(?!${SENTENCE})(?:${LOCAL}{1,64}(?:[ ](?:dot|DOT|point)[ ]${LOCAL}{1,64})?[ \\u00a0]${WRITTEN_AT}[ \\u00a0]` +
    `(?:[\\p{L}\\p{N}-]{1,63}${WRITTEN_DOT}){0,3}[\\p{L}\\p{N}-]{1,63}` +
    `[ \\u00a0](?:dot|DOT|Dot|point|POINT)[ \\u00a0]${LAST_LEVEL}|` +
    `\\p{L}{2,30}[._]\\p{L}{2,30} (?:at|AT) (?!www|WWW)(?:[\\p{L}\\p{N}-]{1,63}\\.){1,4}${LAST_LEVEL}|` +
    `[\\p{Ll}\\p{N}._-]{1,64} AT (?!www)(?:[\\p{L}\\p{N}-]{1,63}\\.){1,4}${LAST_LEVEL})(?![\\p{L}\\p{N}])`,
  "gu",
);

/** Matches the page of a person on LinkedIn. Pages of companies stay. */
const PROFILE =
  /(?:https?:\/\/)?(?<![\p{L}\p{N}-])(?:[a-z]{2,3}\.)?linkedin\.com\/(?:mwlite\/)?(?:in|pub)\/[^\s<>"'()[\]]{1,200}/giu;

const AT_SIGNS = new RegExp(AT, "gu");
const LOCAL_CHARACTER = new RegExp(`^${LOCAL}$`, "u");
const DOMAIN_HERE = new RegExp(DOMAIN, "uy");

/**
 * Finds the matches of EMAIL, starting from at-signs. The pattern alone would read up to 64
 * characters from each character of a text.
 */
export function* emailsOf(written: string): Generator<Span> {
  const text = foldWide(written);
  let after = 0;
  for (const { 0: sign, index } of text.matchAll(AT_SIGNS)) {
    if (index < after) continue;
    DOMAIN_HERE.lastIndex = index + sign.length;
    if (!DOMAIN_HERE.test(text)) continue;
    const start = startOfLocal(text, { from: after, to: index });
    if (start === index) continue;
    after = DOMAIN_HERE.lastIndex;
    yield { start, end: after };
  }
}

function startOfLocal(text: string, { from, to }: { from: number; to: number }): number {
  let start = to;
  for (let count = 0; start > from && count < LOCAL_CHARACTERS; count++) {
    const isPair = start - 2 >= from && text.codePointAt(start - 2)! > 0xffff;
    const before = start - (isPair ? 2 : 1);
    if (!LOCAL_CHARACTER.test(text.slice(before, start))) break;
    start = before;
  }
  return start;
}

/** Masks spans of a text. They are sorted by their starts. One that overlaps another is skipped. */
export function maskSpans(text: string, spans: Iterable<Span>): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of spans) {
    if (start < from) continue;
    masked += text.slice(from, start) + MASK;
    from = end;
  }
  return masked + text.slice(from);
}

const SPACE = "[ \\u00a0\\n]";
/** Source of a pattern for a dot, a slash, a hyphen, a dash or the minus sign. */
const JOINT = "[.\\-‐‑‒–—―−/]";
const SEPARATOR = `(?:${SPACE}{0,2}${JOINT}${SPACE}{0,2}|${SPACE}{1,2}|${JOINT}{2})`;

const EXTENSION = "(?:[ ,;(]{0,3}(?:ext(?:ension)?|poste|x)[ .:#]{0,3}\\d{1,6}(?!\\d)\\)?)?";
/**
 * Source of the end of a number. A number with a hyphen and a letter or digit after it is part of a
 * code.
 */
const END = "(?![\\p{L}\\p{N}]|-[\\p{L}\\p{N}]|[/.,]\\d)";
/** Source of the end of a number that is not followed by further groups of digits. */
const END_OF_RUN = `${END}(?!${SPACE}\\d)`;

/** Matches "+44 (0)20 7946 0958": a plus sign, then 8 to 15 digits in groups. */
const INTERNATIONAL = new RegExp(
  "(?<![\\p{L}\\p{N}])\\+[1-9]\\d{0,2}" +
    `(?:(?:${SEPARATOR})?\\(?\\d{1,12}\\)?){1,6}${EXTENSION}${END_OF_RUN}`,
  "giu",
);

const TEN_DIGITS =
  // Numbers of three digits on separate lines are a column of a table.
  `(?!\\d{3}\\n\\d{3}\\n)(?:1(?:${SEPARATOR}|(?=\\()))?` +
  `(?:\\([2-9]\\d\\d\\)(?:${SEPARATOR})?[2-9]\\d\\d(?:(?:${SEPARATOR})?\\d\\d){2}|` +
  `[2-9]\\d\\d${SEPARATOR}[2-9]\\d\\d${SEPARATOR}\\d{4})`;

/**
 * Matches "(613) 998-8974", "(613)9988974", "1-613-998-8974", "613.998.8974", "613 998 8974" and
 * "613-998-8974/8975", but not inside a code or an amount.
 */
const NORTH_AMERICAN = new RegExp(
  `(?<![\\p{L}\\p{N}_$€£]|[\\p{L}\\p{N}][-./_]|[$€£][ \\u00a0])${TEN_DIGITS}` +
    `(?: ?/ ?(?:${TEN_DIGITS}|\\d{4}(?!\\d)))*${EXTENSION}${END}`,
  "giu",
);

/** Matches "1-800-O-CANADA", but not the hostname "1-800-FLOWERS.COM". */
const LETTERED = new RegExp(
  "(?<![\\p{L}\\p{N}-])1[- ]8(?:00|33|44|55|66|77|88)[- ]" +
    "[A-Z0-9-]{7,12}(?![A-Z0-9-]*\\.(?:COM|com|CA|ca)\\b)",
  "gu",
);

/** Matches any other run of 7 to 15 digits right after a word for a telephone number. */
const LABELLED = new RegExp(
  "(?<label>(?<!\\p{L})(?:tel|tél|telephone|téléphone|phone|ph|cell|cellular|cellulaire|mobile|fax|" +
    "facsimile|télécopieur|toll[- ]free|sans[ -]frais)(?!\\p{L})" +
    "(?:[ \\u00a0.:#°)-]|\\((?!\\d{3}\\))|" +
    "(?:number|numéro|no|nº|n°|is|est|at|au|us|me|direct|line|ligne)(?!\\p{L})){0,12})" +
    `(\\+?\\(?\\d(?:\\d|[().]|${SPACE}|${JOINT}){5,22}\\d${EXTENSION})${END_OF_RUN}`,
  "giu",
);

/**
 * Matches ten digits after a word for calling, or after a letter such as "T:". Only the area code
 * may be separate.
 */
const BARE = new RegExp(
  "(?<label>(?<!\\p{L})(?:(?:call|dial|text|reach|contact|appele[rz]|compose[rz]|téléphone[rz]|" +
    "joindre|sms|whatsapp|t[ée]l[ée]phoning|calling|contact (?:number|no)|" +
    "(?:office|bureau|desk|work|home|direct)(?= ?:))(?!\\p{L})" +
    "(?:[ \\u00a0.:,]|(?:call|text|phone|us|me|him|her|them|at|au|le|on|or|the|" +
    "office|hotline|nous|toll[- ]free)(?!\\p{L})){0,8}|[TPMCFO][.:][ \\u00a0]?))" +
    `\\+?1?[2-9]\\d\\d[ .-]?[2-9]\\d{6}${EXTENSION}${END_OF_RUN}`,
  "giu",
);

/** Matches "555-1234" after a word for calling. After other words, it can be a civic number. */
const LOCAL_NUMBER = new RegExp(
  "(?<label>(?<!\\p{L})(?:call|dial|phone|appelez|composez|téléphonez au)[ \\u00a0]{1,2})" +
    `[2-9]\\d\\d[ .-]\\d{4}${END_OF_RUN}`,
  "giu",
);

/** Returns whether a match without its label is a contact. `after` has the next 20 characters. */
type IsContact = (match: string, after: string) => boolean;

/** Patterns in the order in which they are masked, each with the condition for its matches. */
const PATTERNS: readonly (readonly [RegExp, IsContact])[] = [
  [SPELLED, () => true],
  [INTERNATIONAL, (match) => isNumber(match, 8)],
  [NORTH_AMERICAN, () => true],
  [LETTERED, () => true],
  [LABELLED, (match) => isNumber(match, 7)],
  [BARE, (_, after) => !UNIT.test(after)],
  [LOCAL_NUMBER, (_, after) => !UNIT.test(after)],
];

/** Returns whether a text can be a telephone number. A date after the word "fax" cannot. */
function isNumber(text: string, digitsMin: number): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return false;
  const digits = text.replace(/(?:ext|poste|x).*$/i, "").replace(/\D/g, "").length;
  return digits >= digitsMin && digits <= 15;
}

/** Matches a unit of measurement. Units that are also common words ("in", "a") are omitted. */
const UNIT = new RegExp(
  "^[ \\u00a0]?(?:[%°$€£]|(?:[mk]?g|lbs?|tonnes?|tons?|[mck]?m[23²³]?|ft|feet|inch(?:es)?|acres?|" +
    "hectares?|ha|litres?|liters?|m[lL]|gallons?|units?|unités?|pcs|pieces?|pièces?|items?|" +
    "articles?|copies|exemplaires?|dollars?|CAD|USD|EUR|cents|millions?|milliards?|ppm|ppb|rpm|" +
    "k[WVA]|k?Wh|kVA|M[WV]|[kMG]Hz|k?Pa|psi|hours?|heures?|days?|jours?)(?![\\p{L}\\p{N}'’]))",
  "u",
);

/** Returns whether a match is a quantity: only digits and spaces, with a unit after them. */
function isQuantity(match: string, after: string): boolean {
  return /^\+?[\d\s]+$/.test(match) && UNIT.test(after);
}
