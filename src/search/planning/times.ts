/** Time words to spans of the calendar, in UTC and relative to the moment of the search. */
import { instantOf } from "../../contract/instant.ts";
import { words } from "../engine/tokens.ts";
import { anyOf, type Passage, type Reading } from "./reading.ts";

/** From an instant on, and before another; null: without end. */
export interface Span {
  after: string | null;
  before: string | null;
}

/**
 * The time that a query asks for; null: none. Its words are dropped, but for a bare quarter. What
 * lies ahead is no such time: observations tell of what has been. "march" and "may" are months only
 * behind words like "since", and where no name goes on with them.
 */
export function readTimes(reading: Reading, now: Date): Span | null {
  let asked: Span | null = null;
  for (const { pattern, read } of RULES) {
    for (const passage of reading.find(pattern)) {
      const span = read(passage.groups, now);
      if (span === null || (span.after !== null && span.after > now)) continue;
      if (beginsName(reading, passage)) continue;
      const ahead = isAhead(reading, passage);
      if (BARE_QUARTER.test(reading.rest.slice(passage.start, passage.end))) reading.take(passage);
      else reading.drop(passage);
      if (!ahead) asked ??= { after: instant(span.after), before: instant(span.before) };
    }
  }
  return asked;
}

/** May be a name as well: Q2 Holdings, T2 Systems. */
const BARE_QUARTER = /^\s*[qt][1-4]$/;

/** "From March Networks". Nobody has been since somebody. */
function beginsName({ query, rest }: Reading, { start, end }: Passage): boolean {
  if (PAST.test(rest.slice(start, end))) return false;
  const last = query.slice(start, end).match(/\p{Lu}\p{Ll}+$/u)?.[0].toLowerCase();
  if (last === undefined || !MONTH_NAMES.has(last)) return false;
  const next = query.slice(end).match(/^\s+(\p{Lu}\p{Ll}+)/u)?.[1];
  return next !== undefined && words(next).length > 0;
}

/** "Closing before December" is said of tenders that are open. */
function isAhead({ rest }: Reading, { start, end }: Passage): boolean {
  return CLOSING.test(rest.slice(0, start)) && !PAST.test(rest.slice(start, end));
}

function instant(date: Date | null): string | null {
  return date && instantOf(date);
}

interface Dates {
  after: Date | null;
  before: Date | null;
}

type Unit = "day" | "week" | "month" | "quarter" | "year";

const UNITS: Record<Unit, string> = {
  day: "days?|jours?",
  week: "weeks?|semaines?",
  month: "months?|mois",
  quarter: "quarters?|trimestres?",
  year: "years?|an|ans|annees?",
};
const UNIT = `(${Object.values(UNITS).join("|")})`;

const MONTHS = [
  "january|janvier|jan",
  "february|fevrier|feb",
  "march|mars|mar",
  "april|avril|apr",
  "may|mai",
  "june|juin|jun",
  "july|juillet|jul",
  "august|aout|aug",
  "september|septembre|sept|sep",
  "october|octobre|oct",
  "november|novembre|nov",
  "december|decembre|dec",
];
const MONTH_NAMES: ReadonlySet<string> = new Set(MONTHS.flatMap((names) => names.split("|")));
/** "Sept" is a number as well: "en sept jours". */
const MONTH = `(${MONTHS.join("|")})(?! (?:jours?|semaines?|mois|ans|annees?)(?![\\p{L}\\p{N}]))`;

/** What the time behind it is the end of. */
const CLOSING = new RegExp(
  anyOf(
    "closing; closes?; due; deadlines?; expir(?:es?|ing|y); dates? limites?; clotur(?:e|es|ent|ant); echeances?",
  ) + "(?:[\\s:'-]+(?:dates?|time|is|are|on|or|the|le|la|est|sont|fixees?|au))*[\\s:,'-]*$",
  "u",
);
const PAST = new RegExp(
  anyOf("since; depuis; last; past; previous; preceding; derni[a-z]*; passee?; recen[a-z]*"),
  "u",
);

/** By the month in which they begin, on its 21st. */
const SEASONS: readonly [pattern: string, month: number][] = [
  ["spring|printemps", 2],
  ["summer|ete", 5],
  ["fall|autumn|automne", 8],
  ["winter|hiver", 11],
];
const SEASON = `(${SEASONS.map(([pattern]) => pattern).join("|")})`;

const YEAR = "(20\\d\\d)(?!-\\d)";
const LAST = "(?:last|past|previous|preceding)";
/** Months and years: from their beginning, all of them, up to them. */
const SINCE =
  "(?:ever )?(?:since|after|from|depuis|apres|a partir d[eu])(?: the| le| l)?(?: beginning of| debut d[eu])?(?: the| le| l)?";
const DURING = "(?:in|during|en|durant|pendant|au cours de)(?: the month of| le mois de)?";
const BEFORE = "(?:before|until|prior to|avant|jusqu en|jusqu a)";
/** Goes before a span of days, and says no more. */
const OVER =
  "(?:(?:in|over|within|during|for|since|from|dans|au cours d[eu]s?|durant|pendant|depuis|au) )?(?:the |les? |ces |la |l )?";
const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  six: 6,
  twelve: 12,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  douze: 12,
};
const NUMBER = `(\\d{1,3}|${Object.keys(NUMBERS).join("|")})`;

type Read = (groups: Passage["groups"], now: Date) => Dates | null;

function rule(pattern: string, read: Read) {
  return { pattern: new RegExp(anyOf(pattern), "gu"), read };
}

const from = (after: Date): Dates => ({ after, before: null });

/** The first that reads a passage takes it. */
const RULES: readonly { pattern: RegExp; read: Read }[] = [
  rule(`${SINCE} (20\\d\\d)-(\\d\\d)-(\\d\\d)`, ([year, month, day]) => {
    const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
    return Number.isNaN(date.getTime()) ? null : from(date);
  }),
  rule(
    `(?:from|between|de|entre) ${MONTH} (?:to|and|through|a|et) ${MONTH}(?: (?:of )?${YEAR})?`,
    ([first, last, year], now) => {
      const end = startOfMonth(last!, { year, now });
      const start = startOfMonth(first!, { year: String(end.getUTCFullYear()), now });
      if (start > end) start.setUTCFullYear(start.getUTCFullYear() - 1);
      return { after: start, before: later(end, 1) };
    },
  ),
  rule(
    `${SINCE} (?:(\\d\\d?)(?:er|th|st)? )?${MONTH}(?: (\\d\\d?)(?:st|nd|rd|th)?(?!\\d))?(?:,? ${YEAR})?`,
    ([before, month, behind, year], now) =>
      from(dayOf(startOfMonth(month!, { year, now }), before ?? behind)),
  ),
  rule(`${DURING} ${MONTH}(?: (?:of )?${YEAR})?`, ([month, year], now) => {
    const start = startOfMonth(month!, { year, now });
    return { after: start, before: later(start, 1) };
  }),
  rule(
    `${BEFORE}(?: the| le)? (?:(\\d\\d?)(?:er|th|st)? )?${MONTH}(?: (\\d\\d?)(?:st|nd|rd|th)?(?!\\d))?(?:,? ${YEAR})?`,
    ([before, month, behind, year], now) => ({
      after: null,
      before: dayOf(startOfMonth(month!, { year, now }), before ?? behind),
    }),
  ),
  rule(`${SINCE} ${YEAR}`, ([year]) => from(utc(Number(year)))),
  rule(`(?:${DURING}|all of|tout) ${YEAR}`, ([year]) => yearOf(Number(year))),
  rule(`${BEFORE} ${YEAR}`, ([year]) => ({ after: null, before: utc(Number(year)) })),
  rule(
    `(?:${OVER}|)[qt]([1-4])(?: (?:of |de )?${YEAR})?`,
    ([quarter, year], now) => quarterOf(Number(quarter), { year, now }),
  ),
  rule(
    `(?:since|depuis)(?: the| l)? ?(?:${LAST} )?${SEASON}(?: dernier)?`,
    ([season], now) => from(lastStart(season!, now)),
  ),
  // Spans of a number of units up to now.
  rule(
    `${OVER}(?:${LAST} |derni(?:ers?|eres?) )?${NUMBER} (?:${LAST} |derni(?:ers?|eres?) )${UNIT}`,
    ([number, unit], now) => from(ago(now, { number: number!, unit: unit! })),
  ),
  rule(
    `${OVER}(?:${LAST}|derni(?:ers?|eres?)) ${NUMBER} ${UNIT}`,
    ([number, unit], now) => from(ago(now, { number: number!, unit: unit! })),
  ),
  rule(
    `(?:since|depuis|within|in under) ${NUMBER} ${UNIT}(?: ago)?`,
    ([number, unit], now) => from(ago(now, { number: number!, unit: unit! })),
  ),
  rule(
    `(?:in|over|within|during) the (?:past|last) ${UNIT}`,
    ([unit], now) =>
      unit!.startsWith("quarter")
        ? unitOf(unit!, { now, back: 1 })
        : from(ago(now, { number: "1", unit: unit! })),
  ),
  // Units of the calendar.
  rule(
    `(?:since|depuis) (?:the |le |l )?(?:beginning|start|debut) (?:of |de )?(?:the |this |l |la |cette )?${UNIT}`,
    ([unit], now) => from(unitOf(unit!, { now }).after!),
  ),
  rule(
    `(?:since|depuis) (?:the |le |la |l )?(?:${LAST} )?${UNIT}(?: derni(?:er|ere)| passee?)?`,
    ([unit], now) => from(unitOf(unit!, { now, back: 1 }).after!),
  ),
  rule(`${OVER}${LAST} ${UNIT}`, ([unit], now) => unitOf(unit!, { now, back: 1 })),
  rule(`${OVER}dernier(?:e)? ${UNIT}`, ([unit], now) => unitOf(unit!, { now, back: 1 })),
  rule(`${OVER}${UNIT} derni(?:er|ere)`, ([unit], now) => unitOf(unit!, { now, back: 1 })),
  rule(
    `(?:earlier |so far )?(?:this|cette|cet|ce) ${UNIT}(?: ci)?`,
    ([unit], now) => from(unitOf(unit!, { now }).after!),
  ),
  rule("year to date; ytd", (_, now) => from(unitOf("year", { now }).after!)),
  rule(
    "recent(?:ly)?; lately; recemment; recents?; recentes?; dernierement",
    (_, now) => from(ago(now, { number: "90", unit: "days" })),
  ),
];

function utc(year: number, month = 0, day = 1): Date {
  return new Date(Date.UTC(year, month, day));
}

function later(date: Date, months: number): Date {
  return utc(date.getUTCFullYear(), date.getUTCMonth() + months);
}

function yearOf(year: number): Dates {
  return { after: utc(year), before: utc(year + 1) };
}

/** Of a year, or of the last such month that has begun. */
function startOfMonth(name: string, { year, now }: { year?: string; now: Date }): Date {
  const month = MONTHS.findIndex((names) => names.split("|").includes(name));
  if (year !== undefined) return utc(Number(year), month);
  const start = utc(now.getUTCFullYear(), month);
  return start <= now ? start : utc(now.getUTCFullYear() - 1, month);
}

function dayOf(month: Date, day?: string): Date {
  return day === undefined ? month : utc(month.getUTCFullYear(), month.getUTCMonth(), Number(day));
}

function quarterOf(quarter: number, { year, now }: { year?: string; now: Date }): Dates {
  let after = utc(Number(year ?? now.getUTCFullYear()), 3 * (quarter - 1));
  if (year === undefined && after > now) after = later(after, -12);
  return { after, before: later(after, 3) };
}

function lastStart(season: string, now: Date): Date {
  const [, month] = SEASONS.find(([names]) => names.split("|").includes(season))!;
  const start = utc(now.getUTCFullYear(), month, 21);
  return start <= now ? start : utc(now.getUTCFullYear() - 1, month, 21);
}

function kindOfUnit(name: string): Unit {
  const found = Object.entries(UNITS).find(([, names]) => new RegExp(`^(?:${names})$`).test(name));
  return found![0] as Unit;
}

const DAYS: Record<Unit, number> = { day: 1, week: 7, month: 0, quarter: 0, year: 0 };
const MONTHS_IN: Record<Unit, number> = { day: 0, week: 0, month: 1, quarter: 3, year: 12 };

function ago(now: Date, { number, unit }: { number: string; unit: string }): Date {
  const count = NUMBERS[number] ?? Number(number);
  const kind = kindOfUnit(unit);
  const date = new Date(now);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - count * MONTHS_IN[kind]);
  // The last day of a shorter month.
  const days = later(date, 1).getTime() - utc(date.getUTCFullYear(), date.getUTCMonth()).getTime();
  date.setUTCDate(Math.min(now.getUTCDate(), Math.round(days / 86_400_000)) - count * DAYS[kind]);
  return date;
}

/** The unit of the calendar that now is in, or one before. Weeks begin on Mondays. */
function unitOf(name: string, { now, back = 0 }: { now: Date; back?: number }): Dates {
  const unit = kindOfUnit(name);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (DAYS[unit] > 0) {
    const weekday = unit === "week" ? (now.getUTCDay() + 6) % 7 : 0;
    const start = day - weekday - back * DAYS[unit];
    return { after: utc(year, month, start), before: utc(year, month, start + DAYS[unit]) };
  }
  const months = MONTHS_IN[unit];
  const start = month - (month % months) - back * months;
  return { after: utc(year, start), before: utc(year, start + months) };
}
