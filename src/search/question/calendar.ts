/** Months, seasons and units of the calendar, with the periods in UTC that their names mean. */
import { readPatterns } from "../facets/patterns.ts";
import table from "./calendar.tsv" with { type: "text" };
import { numberWords } from "./number_words.ts";

/** A period: at or after one instant and strictly before another. Null leaves an end open. */
export interface Dates {
  after: Date | null;
  before: Date | null;
}

/** Returns a period in microseconds since the epoch. An open end is infinite. */
export function periodOf({ after, before }: Dates): { after: number; before: number } {
  return {
    after: after === null ? -Infinity : after.getTime() * 1000,
    before: before === null ? Infinity : before.getTime() * 1000,
  };
}

/** A period with both ends. */
export interface ClosedDates extends Dates {
  after: Date;
  before: Date;
}

/** Units with their lengths, either in days or in months. */
const UNITS: readonly { pattern: string; days: number; months: number }[] = [
  { pattern: "days?|jours?", days: 1, months: 0 },
  { pattern: "weeks?|wks?|semaines?", days: 7, months: 0 },
  { pattern: "months?|mos|mois", days: 0, months: 1 },
  { pattern: "quarters?|qtrs?|trimestres?", days: 0, months: 3 },
  { pattern: "years?|yrs?|an|ans|annees?", days: 0, months: 12 },
];
/** Pattern that captures the name of a unit. */
export const UNIT = `(${UNITS.map(({ pattern }) => pattern).join("|")})`;

const NAMES = readPatterns(table);
const MONTHS = NAMES.get("month")!;
/** Folded names of each month, the English one and the French one first. */
export const NAMES_OF_MONTHS = MONTHS.map((names) => names.split("|"));
/** Ordinals of the four quarters. */
export const ORDINALS = NAMES.get("ordinal")!;
/** Folded names of the months. */
export const MONTH_NAMES: ReadonlySet<string> = new Set(NAMES_OF_MONTHS.flat());
/** Pattern that captures a month's name. It excludes the French number "sept": "sept jours". */
export const MONTH = `(${
  MONTHS.join("|")
})\\.?(?! (?:jours?|semaines?|mois|ans|annees?)(?![\\p{L}\\p{N}]))`;

/** Seasons with the index of the month on whose 21st day each begins. */
const SEASONS: readonly [pattern: string, month: number][] = [
  ["spring|printemps", 2],
  ["summer|ete", 5],
  ["fall|autumn|automne", 8],
  ["winter|hiver", 11],
];
/** Pattern that captures the name of a season. */
export const SEASON = `(${SEASONS.map(([pattern]) => pattern).join("|")})`;

const NUMBERS = numberWords("common", "time");
const DIGITS_OR_WORDS = `\\d{1,3}|${NUMBERS.pattern}`;
/** Pattern that captures a number in digits or words, which numberOf() reads. */
export const NUMBER = `(${DIGITS_OR_WORDS})`;

/** Pattern of a number of units, which may be an article: "a year ago". */
export const COUNT = `(${DIGITS_OR_WORDS}|an?|une?)`;

/** Returns the value of a number that NUMBER or COUNT has matched; 1 for an article. */
export function numberOf(text: string): number {
  if (/^(?:an?|une?)$/.test(text)) return 1;
  return NUMBERS.valueOf(text) ?? Number(text);
}

/** Returns the period that begins at an instant and has no end. */
export const from = (after: Date): Dates => ({ after, before: null });

/** Returns the index of a month by any of its folded names. */
export function monthOfName(name: string): number {
  return NAMES_OF_MONTHS.findIndex((names) => names.includes(name));
}

/** A year, or the present time if a query names none. */
interface InYear {
  year?: string;
  now: Date;
}

/** Returns the period of a year. Without a year, it is the most recent one that has begun. */
function periodIn({ year, now }: InYear, of: (year: number) => ClosedDates): ClosedDates {
  const period = of(Number(year ?? now.getUTCFullYear()));
  return year === undefined && period.after > now ? of(now.getUTCFullYear() - 1) : period;
}

/** Returns the season with this name that begins in a year. */
export function seasonOf(name: string, inYear: InYear): ClosedDates {
  const [, month] = SEASONS.find(([names]) => names.split("|").includes(name))!;
  return periodIn(inYear, (year) => monthsFrom(utc(year, month, 21), 3));
}

/** Returns the month with this name in a year. */
export function monthOf(name: string, inYear: InYear): ClosedDates {
  return periodIn(inYear, (year) => monthsFrom(utc(year, monthOfName(name)), 1));
}

/** Returns the quarter with this number in a year. */
export function quarterOf(quarter: number, inYear: InYear): ClosedDates {
  return periodIn(inYear, (year) => monthsFrom(utc(year, 3 * quarter - 3), 3));
}

/** Returns the start of a day in UTC. Months are indexes. */
export function utc(year: number, month = 0, day = 1): Date {
  return new Date(Date.UTC(year, month, day));
}

/** Returns the period of a number of months that begins on a day. */
export function monthsFrom(after: Date, count: number): ClosedDates {
  const [year, month, day] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()];
  return { after, before: utc(year, month + count, day) };
}

/** Returns the period of a calendar year. */
export function yearOf(year: number): ClosedDates {
  return monthsFrom(utc(year), 12);
}

/** Returns the latest year that has begun and whose last two digits are `digits`. */
export function fullYear(digits: string, now: Date): string {
  const year = now.getUTCFullYear() - now.getUTCFullYear() % 100 + Number(digits);
  return String(year > now.getUTCFullYear() ? year - 100 : year);
}

/** Returns the year of the last occurrence of a day, today included. */
export function yearOfLast(now: Date, month: number, day: number): number {
  const year = now.getUTCFullYear();
  return utc(year, month, day) <= now ? year : year - 1;
}

/** Returns a day of the month that a period begins with. */
export function dayOf({ after }: ClosedDates, day: string): ClosedDates {
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()];
  return { after: utc(year, month, Number(day)), before: utc(year, month, Number(day) + 1) };
}

function unitNamed(name: string) {
  return UNITS.find(({ pattern }) => new RegExp(`^(?:${pattern})$`).test(name))!;
}

/** Returns the instant that is a number of units before `now`. */
export function ago(now: Date, { number, unit }: { number: string; unit: string }): Date {
  return ahead(now, { number: -numberOf(number), unit });
}

/** Returns the instant that is a number of units after `now`, or before it if negative. */
export function ahead(now: Date, { number, unit }: { number: number; unit: string }): Date {
  const { days, months } = unitNamed(unit);
  const date = new Date(now);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + number * months);
  // If the month does not have the day, its last day is used.
  const lastDay = utc(date.getUTCFullYear(), date.getUTCMonth() + 1, 0).getUTCDate();
  date.setUTCDate(Math.min(now.getUTCDate(), lastDay) + number * days);
  return date;
}

/** Returns the unit of the calendar `back` units before that of `now`. Weeks begin on Mondays. */
export function unitOf(name: string, { now, back = 0 }: { now: Date; back?: number }): ClosedDates {
  const { days, months } = unitNamed(name);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (days > 0) {
    const weekday = days === 7 ? (now.getUTCDay() + 6) % 7 : 0;
    const start = day - weekday - back * days;
    return { after: utc(year, month, start), before: utc(year, month, start + days) };
  }
  return monthsFrom(utc(year, month - (month % months) - back * months), months);
}
