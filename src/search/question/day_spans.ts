/** Spans of days or months, in UTC: "between June 20 and July 31", "du 5 au 20 décembre". */
import { type ClosedDates, MONTH, monthOfName, utc } from "./calendar.ts";
import type { Passage } from "./query_text.ts";

const DAY = "(\\d{1,2})(?:st|nd|rd|th|er)?";
/** Pattern that captures a year. */
export const YEAR = "(20\\d\\d)";
const THE = "(?:(?:the|le|l')\\s*)?";

/** Pattern of a date, whose groups `writtenDate` reads: day, month, year; month, day, year. */
export const DATE =
  `(?:${DAY}(?:(?: of| de)?[ -]${MONTH})?(?:,?[ -]${YEAR})?|${MONTH}(?: ${DAY}(?!\\d))?(?:,? ${YEAR})?)`;
const DATE_GROUPS = 6;
/** Pattern of signs between two dates, and of a whole date, before which a span needs no word. */
const TO = "(?:\\s*,?\\s+(?:and|to|through|until|et|aux?|a)\\s+|\\s*(?:-|–|\\.\\.+)\\s*)";
const WHOLE = "\\d\\d?[ -][a-z]+[ -]20\\d\\d";

/** Pattern of a span, without lookarounds at its ends. `readDaySpan` reads its groups. */
export const DAY_SPAN =
  `(?:(?:between|from|entre|d[eu])\\s+|(?=${WHOLE}(?! and| et)${TO}${WHOLE}))${THE}${DATE}${TO}${THE}${DATE}`;

/**
 * Reads the period of a match, from the start of the first day or month to the end of the last one,
 * and tells whether it names days. A date without a month or year gets that of the other date.
 *
 * @param yearOf returns the year of the last date, by its month and day, if the query has no year
 * @returns null if the calendar lacks one of the dates, if the groups have no month, or if the span
 * ends before it starts
 */
export function readDaySpan(
  groups: Passage["groups"],
  yearOf: (month: number, day: number) => number,
): ClosedDates & { names_days: boolean } | null {
  const first = writtenDate(groups.slice(0, DATE_GROUPS));
  const last = writtenDate(groups.slice(DATE_GROUPS, 2 * DATE_GROUPS));
  const lastMonth = last.month ?? first.month;
  if (lastMonth === undefined) return null;
  const firstMonth = first.month ?? lastMonth;
  const [firstDay, lastDay] = [first.day ?? 1, last.day ?? 1];
  // "Between December 5 and January 10" ends in the next year.
  const wraps = Number(32 * firstMonth + firstDay > 32 * lastMonth + lastDay);
  const lastYear = last.year ??
    (first.year === undefined ? yearOf(lastMonth, lastDay) : first.year + wraps);
  const firstYear = first.year ?? lastYear - wraps;
  const after = utc(firstYear, firstMonth, firstDay);
  const lastStart = utc(lastYear, lastMonth, lastDay);
  const areDates = after.getUTCMonth() === firstMonth && lastStart.getUTCMonth() === lastMonth;
  if (!areDates || after > lastStart) return null;
  const before = last.day === undefined
    ? utc(lastYear, lastMonth + 1)
    : utc(lastYear, lastMonth, last.day + 1);
  return { after, before, names_days: first.day !== undefined || last.day !== undefined };
}

/** Reads the groups of a match of DATE. Months are indexes. Absent parts are undefined. */
export function writtenDate(groups: Passage["groups"]) {
  const [dayFirst, month, year, monthFirst, day, yearLast] = groups;
  const name = month ?? monthFirst;
  return {
    day: numberOf(dayFirst ?? day),
    month: name === undefined ? undefined : monthOfName(name),
    year: numberOf(year ?? yearLast),
  };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
