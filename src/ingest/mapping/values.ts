/** Reads dates and numbers in the forms that a mapping names. */
import { normalizeInstant } from "../../contract/instant.ts";
import { instantInZone } from "../formats/local_time.ts";
import { memoized } from "../../memoized.ts";

/** Reads a text as an instant. Returns undefined if it is none. */
export type DateReader = (text: string, options: { ends: boolean }) => string | undefined;

/** Forms of dates that every mapping accepts, in addition to ISO 8601 with an offset. */
const ISO_FORMS = ["YYYY-MM-DD", "YYYY-MM-DD HH:mm", "YYYY-MM-DD HH:mm:ss"];

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
  ss: "(?<second>\\d{2})",
};

/**
 * Creates a reader of dates. The first form that fits a text is used.
 * @throws Error for a form without year, month and day
 */
export function dateReader(forms: readonly string[], zone: string): DateReader {
  const patterns = [...forms, ...ISO_FORMS].map(patternOf);
  const read = (text: string, ends: boolean) => {
    const instant = normalizeInstant(text);
    if (instant !== undefined) return instant;
    const plain = text.replace("T", " ");
    for (const pattern of patterns) {
      const groups = pattern.exec(plain)?.groups ?? pattern.exec(text)?.groups;
      if (groups === undefined) continue;
      const { year, month, day, hour, minute = "00", second = "00" } = groups;
      const two = (digits: string) => digits.padStart(2, "0");
      const time = hour !== undefined
        ? `${two(hour)}:${minute}:${second}`
        : ends
        ? "23:59:59"
        : "00:00:00";
      const instant = instantInZone(zone, `${year}-${two(month!)}-${two(day!)}`, time);
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
  const source = form.replace(
    /YYYY|MM?|DD?|HH?|mm|ss|[^\w\s]/g,
    (part) => TOKENS[part] ?? `\\${part}`,
  );
  const isWhole = ["year", "month", "day"].every((part) => source.includes(`<${part}>`));
  if (!isWhole) throw new Error(`dates: ${form}: YYYY, MM and DD are required`);
  try {
    return new RegExp(`^${source}$`);
  } catch {
    throw new Error(`dates: ${form}: a part occurs twice`);
  }
}

/**
 * Reads a number with a decimal sign, with groups of three digits, and with a currency before or
 * after it. Returns undefined if the text is no such number, so that `1,50` is not taken for 150.
 */
export function numberIn(text: string, decimal: "," | "."): number | undefined {
  const digits = text.replace(/^[^\d.,+-]+/, "").replace(/[^\d]+$/, "");
  const { number, group } = NUMBERS[decimal];
  if (!number.test(digits)) return undefined;
  return Number(digits.replace(group, "").replace(decimal, "."));
}

/** Patterns of numbers, and of the signs between groups of digits, by decimal sign. */
const NUMBERS = { ",": numbersWith(",", "."), ".": numbersWith(".", ",") };

function numbersWith(decimal: string, thousands: string) {
  const group = `[ ${thousands}'’\\u00a0\\u202f]`;
  return {
    number: new RegExp(`^[+-]?(\\d+|\\d{1,3}(${group}\\d{3})+)([${decimal}]\\d+)?$`),
    group: new RegExp(group, "g"),
  };
}
