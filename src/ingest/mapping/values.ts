/** Reads dates and numbers in the forms that a mapping names. */
import { instantOf, normalizeInstant } from "../../contract/instant.ts";
import { instantInZone } from "../formats/local_time.ts";
import { memoized } from "../../memoized.ts";
import { MappingFault } from "./mapping.ts";

/** Reads a text as an instant. Returns undefined if it is none. */
export type DateReader = (text: string, options: { ends: boolean }) => string | undefined;

/** Forms of dates that every mapping accepts, in addition to ISO 8601 with an offset. */
const ISO_FORMS = [
  "YYYY-MM-DD",
  "YYYY-MM-DDTHH:mm",
  "YYYY-MM-DDTHH:mm:ss",
  "YYYY-MM-DDTHH:mm:ss Z",
];

/** Matches a date of RSS (RFC 822). */
const RSS_DATE = new RegExp(
  "^(?:[A-Z][a-z]{2}, )?(\\d\\d?) ([A-Z][a-z]{2}) (\\d{4}) (\\d\\d?:\\d\\d)(:\\d\\d)? " +
    "(GMT|UTC?|Z|[ECMP][SD]T|[+-]\\d{4})$",
);
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** Writes a date of RSS as ISO 8601. Returns any other text unchanged. */
function isoOfRss(text: string): string {
  const [, day, name, year, time, seconds = ":00", zone] = RSS_DATE.exec(text) ?? [];
  if (day === undefined) return text;
  const month = `${MONTHS.indexOf(name!) / 3 + 1}`.padStart(2, "0");
  const date = `${year}-${month}-${day.padStart(2, "0")}`;
  // RFC 822 fixes the offsets of the zones of the United States: EDT is four hours behind UTC.
  const offset = zone!.replace(
    /^([ECMP])([SD])T$/,
    (_, place, season) => `-0${"ECMP".indexOf(place) + (season === "D" ? 4 : 5)}00`,
  );
  return `${date} ${time!.padStart(5, "0")}${seconds} ${offset.replace(/[A-Z]+/, "Z")}`;
}

/** Forms of dates that are numbers since 1970. The number of digits tells the units apart. */
const SINCE_1970 = new Map([
  ["seconds", /^(?<since>\d{9,10})$/],
  ["milliseconds", /^(?<since>\d{12,13})$/],
]);

/** Parts of a form, with their patterns. The name of a group is that of the part. */
const TOKENS: Record<string, string> = {
  YYYY: "(?<year>\\d{4})",
  MM: "(?<month>\\d{2})",
  M: "(?<month>\\d{1,2})",
  DD: "(?<day>\\d{2})",
  D: "(?<day>\\d{1,2})",
  HH: "(?<hour>\\d{2})",
  H: "(?<hour>\\d{1,2})",
  mm: "(?<minute>\\d{2})",
  ss: "(?<second>\\d{2}(?:\\.\\d{1,9})?)",
  A: "(?<half>[AaPp])[Mm]",
  Z: "(?<offset>Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)",
  T: "[T ]",
};

/**
 * Creates a reader of dates. The first form that fits a text is used.
 * @throws MappingFault for a form with other letters, or without year, month and day
 */
export function dateReader(forms: readonly string[], zone: string): DateReader {
  const patterns = [...forms, ...ISO_FORMS].map((form) => SINCE_1970.get(form) ?? patternOf(form));
  const read = (written: string, ends: boolean) => {
    const text = isoOfRss(written);
    // Databases and Python write a blank in place of the T.
    const instant = normalizeInstant(text.replace(" ", "T"));
    if (instant !== undefined) return instant;
    for (const pattern of patterns) {
      const groups = pattern.exec(text)?.groups;
      if (groups === undefined) continue;
      const { since, year, month, day, hour, minute = "00", second = "00", half, offset } = groups;
      if (since) return instantOf(new Date(Number(since) * (since.length > 10 ? 1 : 1_000)));
      const two = (digits: string) => digits.padStart(2, "0");
      const date = `${year}-${two(month!)}-${two(day!)}`;
      // An hour such as 14 is already one of 24 hours, also before AM.
      const isHalf = half !== undefined && Number(hour) <= 12;
      const hours = isHalf ? `${Number(hour) % 12 + (/p/i.test(half) ? 12 : 0)}` : hour;
      const time = hours !== undefined
        ? `${two(hours)}:${minute}:${second}`
        : ends
        ? "23:59:59"
        : "00:00:00";
      const instant = offset === undefined
        ? instantInZone(zone, date, time)
        : normalizeInstant(`${date}T${time}${offset.replace(/[A-Z]+/, "Z")}`);
      if (instant !== undefined) return instant;
    }
    return undefined;
  };
  const starts = memoized((text) => read(text, false), DATES_MAX);
  const deadlines = memoized((text) => read(text, true), DATES_MAX);
  return (text, { ends }) => ends ? deadlines(text) : starts(text);
}

/** Max number of dates whose instants are kept, because computing an instant in a zone is slow. */
const DATES_MAX = 10_000;

function patternOf(form: string): RegExp {
  const source = form.replace(/'([^']*)'|([A-Za-z])\2*|[^\w\s]/g, (part, quoted?: string) => {
    if (quoted !== undefined) return RegExp.escape(quoted);
    // A letter that is taken literally would hide a time zone, or a part of another notation.
    if (/[A-Za-z]/.test(part) && TOKENS[part] === undefined) {
      throw new MappingFault(
        `dates: ${form}: ${part} is no part of a date; literal letters are quoted`,
      );
    }
    return TOKENS[part] ?? RegExp.escape(part);
  });
  const parts: string[] = source.match(/(?<=\(\?<)\w+/g) ?? [];
  if (new Set(parts).size < parts.length) {
    throw new MappingFault(`dates: ${form}: a part occurs twice`);
  }
  if (!["year", "month", "day"].every((part) => parts.includes(part))) {
    throw new MappingFault(`dates: ${form}: YYYY, MM and DD are required`);
  }
  return new RegExp(`^${source}$`);
}

const CODES = "USD|US|CAD|CDN|CAN|CA|EUR|GBP|AUD|NZD|CHF|JPY|CNY|INR|MXN|BRL|SEK|NOK|DKK";
/** Source of a pattern for a currency beside a number: a sign such as `CA$`, or a code. */
const MARK = `(?:C|U|A)?\\p{Sc}|${CODES}`;
const MARKS = new RegExp(MARK, "giu");
const CURRENCY = `(?:(?:${MARK})\\s*)*`;

/** Words and signs after a number that multiply it, as groups with the exponent of ten. */
const SCALES = "(?:(?:(?<e3>k)|(?<e6>m|millions?)|(?<e9>b|bn|billions?|md|milliards?))\\s*)?";

/** Matches a text with the sign of a number below 0, or in parentheses as in accounts. */
const BELOW_ZERO = /^(?:[\u2212-] ?([^(+-].*)|\(([^(+-]+)\))$/s;

/**
 * Reads a number with a decimal sign, with groups of three digits, and with a currency before or
 * after it. `k`, `M`, `bn` and the like multiply it, and so does an exponent: `1e+05`. Returns
 * undefined if the text is no such number, so that neither `1,50` is taken for 150 nor `5%` for 5.
 */
export function numberIn(text: string, decimal: "," | "."): number | undefined {
  const below = BELOW_ZERO.exec(text.trim());
  if (below !== null) {
    const number = numberIn(below[1] ?? below[2]!, decimal);
    return number && -number;
  }
  const { number, group } = NUMBERS[decimal];
  const { digits, power = "", ...scales } = number.exec(text.trim())?.groups ?? {};
  if (digits === undefined) return undefined;
  const [exponent = ""] = Object.keys(scales).filter((name) => scales[name] !== undefined);
  return Number(digits.replace(group, "").replace(decimal, ".") + power + exponent);
}

/**
 * Returns whether the currencies around a number, as numberIn() accepts them, can all be this one.
 * A bare `$` can be any dollar.
 */
export function suitsCurrency(text: string, currencyOf: () => unknown): boolean {
  const marks = text.match(MARKS) ?? [];
  if (marks.length === 0) return true;
  const currency = `${currencyOf()}`;
  // The schema of records refuses it.
  if (!/^[A-Z]{3}$/.test(currency)) return true;
  return marks.every((mark) => {
    const [letters, sign] = [/\p{Sc}/u, /\p{L}+/u].map((part) => mark.replace(part, ""));
    const code = letters!.toUpperCase().replace(/^US?$/, "USD").replace(/^A$/, "AUD")
      .replace(/^(C|CA|CAN|CDN)$/, "CAD");
    return ["", currency].includes(code) && signOf(currency).includes(sign!.normalize("NFKC"));
  });
}

/** Returns the sign of a currency, as Unicode lists it. */
const signOf = memoized((currency) => {
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
  return new Intl.NumberFormat("en", style).format(0);
});

/** Patterns of numbers, and of the signs between groups of digits, by decimal sign. */
const NUMBERS = { ",": numbersWith(",", "."), ".": numbersWith(".", ",") };

function numbersWith(decimal: string, thousands: string) {
  const group = `[ ${thousands}'’\\u00a0\\u202f]`;
  const digits = `[+\\-]?(?:\\d+|\\d{1,3}(?:${group}\\d{3})+)(?:[${decimal}]\\d+)?`;
  return {
    number: new RegExp(
      `^${CURRENCY}(?<digits>${digits})(?:(?<power>E[+-]?\\d\\d?)\\s*|\\s*${SCALES})${CURRENCY}$`,
      "iu",
    ),
    group: new RegExp(group, "g"),
  };
}

/** Returns the host of a web address, or any other text unchanged. Columns often state a website. */
export function hostIn(text: string): string {
  // "N/A" is no address.
  if (!text.includes("/") || !text.includes(".")) return text;
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  return url?.username === "" && url.hostname || text;
}
