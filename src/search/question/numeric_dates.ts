/** Writes numeric dates with the name of the month, so that the readers of times know one form. */
import type { Language } from "../words/stems.ts";
import { NAMES_OF_MONTHS, utc } from "./calendar.ts";

const YEAR = "(?<year>(?:19[89]|20\\d)\\d)";
const TIME = "(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?";
/**
 * Pattern of a date or month of numbers: 2012-12-31, 2012/12, 12/31/2012, 31.12.2012, 12/2012,
 * 12/31/12. A quotation means itself, and "RFP-2012-12" is a number.
 */
const NUMERIC = new RegExp(
  '(?<!["“«$#\\p{L}\\p{N}/]|\\p{L}-|\\p{N}\\.)(?:' +
    `${YEAR}(?:(?<sign>[-/.])(?<month>\\d\\d?)\\k<sign>(?<day>\\d\\d?)${TIME}|[-/](?<month>\\d\\d?)(?!-\\d))|` +
    `(?<first>\\d\\d?)(?<sign>[-/.])(?<second>\\d\\d?)\\k<sign>${YEAR}|(?<month>\\d\\d?)/${YEAR}|` +
    "(?<first>\\d\\d)/(?<second>\\d\\d)/(?<short>[0-2]\\d))(?![\\p{L}\\p{N}]|[./]\\p{N})",
  "giu",
);

/**
 * Returns a text with its numeric dates written out. A part above 12 is the day, and tells the order
 * in all dates. Otherwise the month is first in English, and the day in French.
 */
export function writeDates(text: string, language: Language): string {
  const dates = [...text.matchAll(NUMERIC)].map(({ groups }) => groups!);
  const isDayFirst = dates.some(({ first }) => Number(first) > 12) ||
    language === "fr" && !dates.some(({ second }) => Number(second) > 12);
  return text.replace(NUMERIC, (date, ...groups) => {
    const { year, short, month, day, first, second } = groups.at(-1);
    const [monthWritten, dayWritten] = isDayFirst ? [second, first] : [first, second];
    const [place, days] = [Number(month ?? monthWritten) - 1, day ?? dayWritten];
    const years = year ?? `20${short}`;
    const isDate = utc(Number(years), place, Number(days ?? 1)).getUTCMonth() === place;
    const name = NAMES_OF_MONTHS[place]?.[Number(language === "fr")];
    return isDate ? `${days === undefined ? "" : `${Number(days)} `}${name} ${years}` : date;
  });
}
