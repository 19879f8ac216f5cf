/** Rules for periods, most of which name their year. */
import {
  BEFORE,
  dayOf,
  DURING,
  from,
  lastSeason,
  later,
  MONTH,
  monthFrom,
  NUMBER,
  numberOf,
  OVER,
  quarterOf,
  rule,
  SEASON,
  seasonOf,
  SINCE,
  startOfMonth,
  type TimeRule,
  utc,
  yearOf,
} from "./calendar.ts";
import { DAY_SPAN, readDaySpan } from "./day_spans.ts";

const FULL_YEAR = "((?:19[89]|20\\d)\\d)(?![-\\d])";
const AFTER = "(?:after|later than|apres)(?: the| le| l)?(?: end of| fin d[eu])?";
const TO = "(?:to|and|or|through|until|till|a|et|ou|jusqu en|jusqu a)";

/** Ordinals of the four quarters. */
const ORDINALS = [
  "first|1st|premier|1er",
  "second|2nd|deuxieme|2e|2eme",
  "third|3rd|troisieme|3e|3eme",
  "fourth|4th|quatrieme|4e|4eme",
];
const QUARTER = `(${ORDINALS.join("|")})`;
/** Pattern of a year with two digits: '12. */
const SHORT_YEAR = "['’](\\d\\d)(?![\\p{L}\\p{N}])";

/** Returns the latest year that has begun and whose last two digits are `digits`. */
function fullYear(digits: string, now: Date): number {
  const year = now.getUTCFullYear() - now.getUTCFullYear() % 100 + Number(digits);
  return year > now.getUTCFullYear() ? year - 100 : year;
}

function quarterOfOrdinal(name: string): number {
  return 1 + ORDINALS.findIndex((names) => names.split("|").includes(name));
}

/** Returns the year of the last occurrence of a day, today included. */
function yearOfLast(now: Date, month: number, day: number): number {
  const year = now.getUTCFullYear();
  return utc(year, month, day) <= now ? year : year - 1;
}

/**
 * Rules for spans of days, and mostly for periods with a year of four digits. They are tried first,
 * because they are more exact.
 */
export const DATED_RULES: readonly TimeRule[] = [
  {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${DAY_SPAN}(?![\\p{L}\\p{N}])`, "gu"),
    read: (groups, now) => {
      const span = readDaySpan(groups, (month, day) => yearOfLast(now, month, day));
      // Spans of months are left to later rules.
      return span?.names_days ? { after: span.start, before: span.end } : null;
    },
  },
  rule(
    `(?:${SINCE} )?(?:${MONTH},?(?: of| de)? )?${FULL_YEAR} (?:onwards?|(?:or|and|et|ou) (?:later|after|since|onwards?|plus tard|apres))`,
    ([month, year], now) =>
      from(month === undefined ? utc(Number(year)) : startOfMonth(month, { year: year!, now })),
  ),
  rule(
    `${FULL_YEAR} (?:or|and|et|ou) (?:earlier|before|plus tot|avant)`,
    ([year]) => ({ after: null, before: utc(Number(year) + 1) }),
  ),
  rule(
    `${DURING} ${MONTH},?(?: of| de)? ${FULL_YEAR}`,
    ([month, year], now) => monthFrom(startOfMonth(month!, { year: year!, now })),
  ),
  rule(
    `(?:(?:between|from|in|during|de|entre|en) )?${MONTH}(?:,? ${FULL_YEAR})?(?: ${TO} |\\s?[-–]\\s?)${MONTH},?(?: of| de)? ${FULL_YEAR}`,
    ([first, firstYear, last, year], now) => {
      const end = startOfMonth(last!, { year, now });
      const start = startOfMonth(first!, { year: firstYear ?? year, now });
      if (firstYear === undefined && start > end) start.setUTCFullYear(start.getUTCFullYear() - 1);
      return { after: start, before: later(end, 1) };
    },
  ),
  rule(
    `(?:${OVER}|)(first|last|premiers?|derniers?) ${NUMBER} (?:months|mois)(?: (?:of|de))? ${FULL_YEAR}; ` +
      `(?:${OVER}|)${NUMBER} (premiers|derniers) mois de ${FULL_YEAR}`,
    ([edge, number, year, numberFirst, edgeSecond, yearSecond]) => {
      const months = numberOf(number ?? numberFirst!);
      const asked = Number(year ?? yearSecond);
      return /^(?:first|prem)/.test(edge ?? edgeSecond!)
        ? { after: utc(asked), before: utc(asked, months) }
        : { after: utc(asked, 12 - months), before: utc(asked + 1) };
    },
  ),
  rule(
    `(?:${OVER}|)[qt]([1-4])(?: ?[/-]? ?| of | de )${FULL_YEAR}; ${FULL_YEAR}[/-]?[qt]([1-4])`,
    ([digit, year, yearFirst, digitSecond]) =>
      quarterOf(Number(digit ?? digitSecond), { year: year ?? yearFirst }),
  ),
  rule(
    `(?:${OVER}|)[qt]([1-4])\\s?${SHORT_YEAR}`,
    ([digit, digits], now) => quarterOf(Number(digit), { year: String(fullYear(digits!, now)) }),
  ),
  rule(
    `(?:${DURING} )?(?:the |les )?(?:annees )?((?:19|20)\\d0)s; (?:dans |pendant )?les annees ((?:19|20)\\d0)`,
    ([decade, second]) => {
      const start = Number(decade ?? second);
      return { after: utc(start), before: utc(start + 10) };
    },
  ),
  rule(
    `(?:(?:between|from|in|during|de|entre|en) )?((?:19[89]|20\\d)\\d)(?: ${TO} |\\s?[-–]\\s?)((?:19[89]|20\\d)\\d)`,
    ([first, last]) => {
      const [start, end] = [Number(first), Number(last)].sort((a, b) => a - b);
      return { after: utc(start!), before: utc(end! + 1) };
    },
  ),
  rule(
    `${AFTER} ${MONTH} ${FULL_YEAR}`,
    ([month, year], now) => from(later(startOfMonth(month!, { year, now }), 1)),
  ),
  rule(`${AFTER} ${FULL_YEAR}`, ([year]) => from(utc(Number(year) + 1))),
  rule(
    `(?:${DURING} )?(?:the )?(first|second|1st|2nd|premiere?|deuxieme) (?:half|semestre)(?: (?:of|de))? ${FULL_YEAR}; h([12]) ${FULL_YEAR}`,
    ([half, year, digit, digitYear]) => {
      const isSecond = digit === undefined ? /^(?:s|2|d)/.test(half!) : digit === "2";
      const start = utc(Number(year ?? digitYear), isSecond ? 6 : 0);
      return { after: start, before: later(start, 6) };
    },
  ),
  rule(
    `${SINCE} ${QUARTER} (?:quarter|trimestre)(?:,? (?:of|de))? ${FULL_YEAR}`,
    ([ordinal, year]) => from(quarterOf(quarterOfOrdinal(ordinal!), { year }).after),
  ),
  rule(
    `(?:${OVER}|)${QUARTER} (?:quarter|trimestre)(?:,? (?:of|de))? ${FULL_YEAR}; ` +
      `${OVER}${FULL_YEAR} ?[qt]([1-4])`,
    ([ordinal, year, digitYear, digit]) =>
      quarterOf(ordinal === undefined ? Number(digit) : quarterOfOrdinal(ordinal), {
        year: year ?? digitYear,
      }),
  ),
  rule(
    `${OVER}${QUARTER} (?:quarter|trimestre)`,
    ([ordinal], now) => quarterOf(quarterOfOrdinal(ordinal!), { now }),
  ),
  rule(
    `${SINCE} (?:the |l )?${SEASON}(?: (?:of|de))? ${FULL_YEAR}`,
    ([season, year]) => from(seasonOf(season!, Number(year)).after),
  ),
];

/** Rules for periods, most of which need no word such as "in" before them. They are tried last. */
export const BARE_RULES: readonly TimeRule[] = [
  rule(
    `(?:${DURING} )?${MONTH}\\s?${SHORT_YEAR}`,
    ([month, digits], now) =>
      monthFrom(startOfMonth(month!, { year: String(fullYear(digits!, now)), now })),
  ),
  rule(
    `(?:${DURING} )?(0?[1-9]|1[0-2])/${FULL_YEAR}; (?:${DURING} )?${FULL_YEAR}/(0?[1-9]|1[0-2])`,
    ([month, year, yearFirst, monthSecond]) =>
      monthFrom(utc(Number(year ?? yearFirst), Number(month ?? monthSecond) - 1)),
  ),
  rule(
    `(?:${DURING} |l )?(?:the )?${SEASON}(?: (?:of|de))? ${FULL_YEAR}`,
    ([season, year]) => seasonOf(season!, Number(year)),
  ),
  rule(
    `(?:${DURING} |l )?(?:the )?(?:last ${SEASON}|${SEASON} derni(?:er|ere))`,
    ([first, second], now) => lastSeason(first ?? second!, now),
  ),
  rule(
    `(?:on |le )?(\\d\\d?)(?:er|th|st|nd|rd)? ${MONTH},? ${FULL_YEAR}; (?:on )?${MONTH} (\\d\\d?)(?:st|nd|rd|th)?,? ${FULL_YEAR}`,
    ([day, month, year, second, secondDay, secondYear], now) => {
      const start = dayOf(
        startOfMonth(month ?? second!, { year: year ?? secondYear, now }),
        day ?? secondDay,
      );
      return { after: start, before: new Date(start.getTime() + 86_400_000) };
    },
  ),
  rule(
    `(?:${DURING} )?((?:19[89]|20\\d)\\d)-(0[1-9]|1[0-2])(?!-?\\d)`,
    ([year, month]) => monthFrom(utc(Number(year), Number(month) - 1)),
  ),
  rule(
    `(?:${DURING} )?${MONTH},?(?: of| de)? ${FULL_YEAR}`,
    ([month, year], now) => monthFrom(startOfMonth(month!, { year, now })),
  ),
  rule(
    `(?:${DURING}|all of|throughout|tout)(?: the year| l an(?:nee)?)? ${FULL_YEAR}`,
    ([year]) => yearOf(Number(year)),
  ),
  rule(`${BEFORE} ${FULL_YEAR}`, ([year]) => ({ after: null, before: utc(Number(year)) })),
  rule(`${SINCE} ${FULL_YEAR}`, ([year]) => from(utc(Number(year)))),
  rule(
    `(?:(?:in |by |en |a )?(?:the |le |la |l )?(?:(?:early|late|mid|debut|fin|end|beginning|start|milieu)(?: of| de)? |(?:the )?year |l an(?:nee)? ))?${FULL_YEAR}`,
    ([year]) => yearOf(Number(year)),
  ),
];
