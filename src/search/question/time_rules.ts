/** Rules that read the words for times: each pattern with the period that it means. */
import { anyOf } from "../facets/patterns.ts";
import {
  ago,
  type ClosedDates,
  COUNT,
  type Dates,
  dayOf,
  from,
  fullYear,
  MONTH,
  monthOf,
  monthsFrom,
  NUMBER,
  numberOf,
  ORDINALS,
  quarterOf,
  SEASON,
  seasonOf,
  UNIT,
  unitOf,
  utc,
  yearOf,
  yearOfLast,
} from "./calendar.ts";
import { DAY_SPAN, readDaySpan } from "./day_spans.ts";
import type { Passage } from "./query_text.ts";
import {
  AFTER,
  BEFORE,
  EXTENDED,
  EXTENDING,
  EXTENDING_DATE,
  OPTIONAL,
  OPTIONAL_DATE,
  REQUIRED,
} from "./time_words.ts";

const DIGITS = "((?:19[89]|20\\d)\\d)";
/** Pattern that captures a day of a month. */
const DAY = "(\\d\\d?)(?:er|th|st|nd|rd)?";
/** Pattern that captures a year. */
const YEAR = `${DIGITS}(?![-\\d])`;
/** Pattern of a year, or of words for a part of it, which mean the whole year. */
const YEAR_OR_PART =
  `(?:(?:by |a )?(?:the |le |la |l )?(?:early|late|mid|debut|fin|end|beginning|start|milieu|(?:calendar |fiscal )?year|annee|an)(?: of| de)? |[fc]y ?)?${YEAR}`;
/** Pattern of a year with two digits: '12. */
const SHORT_YEAR = "['’](\\d\\d)(?![\\p{L}\\p{N}])";
/** Pattern of words for the last unit or season. */
const LAST = "(?:last|past|previous|preceding)";
/** Pattern of the same words in either language. */
const LAST_OF = `(?:${LAST}|derni(?:ers?|eres?))`;
/** Pattern of optional words before a period, which do not change its meaning. */
const OVER =
  "(?:(?:in|over|within|during|for|since|from|dans|au cours d[eu]s?|durant|pendant|depuis|au) )?(?:the |les? |ces |la |l )?";
/** Pattern of a year that follows. Without it, "August 2026" would mean the last August. */
const NO_YEAR = "(?!,?(?: of| de)? (?:19|20)\\d\\d)";
/** Pattern of words between two ends of a range, and before the first end. */
const TO =
  "(?: (?:to|and|or|through|until|till|a|et|ou|jusqu en|jusqu a) |\\s?(?:[-–]|\\.\\.+)\\s?)";
const RANGE = "(?:(between|from|in|during|de|entre|en) )?";

/** Returns the number and the unit that the groups of a pattern with alternatives contain. */
function countedUnit(groups: Passage["groups"]): { number: string; unit: string } {
  const [number, unit] = groups.filter((group) => group !== undefined);
  return { number: number!, unit: unit! };
}

/** A pattern, with the period that the groups of a match mean; null if they mean none. */
interface TimeRule {
  pattern: RegExp;
  read(groups: Passage["groups"], now: Date): Dates | null;
}

/** Makes a rule from phrases (see anyOf). */
function rule(pattern: string, read: TimeRule["read"]): TimeRule {
  return { pattern: new RegExp(anyOf(pattern), "gu"), read };
}

/**
 * Makes a rule from a period, which words before and after it may extend: "before Q2 2012".
 *
 * @param lead pattern with the groups of EXTENDING
 */
function period(
  pattern: string,
  read: (groups: Passage["groups"], now: Date) => ClosedDates,
  lead = OPTIONAL,
): TimeRule {
  return rule(`${lead}(?:${pattern})${EXTENDED}`, (groups, now) => {
    const [after, since, upTo, before] = groups;
    const [orLater, orEarlier] = groups.slice(-2);
    const dates = read(groups.slice(4, -2), now);
    if (after !== undefined) return from(dates.before);
    if ((since ?? orLater) !== undefined) return from(dates.after);
    if (before !== undefined) return { after: null, before: dates.after };
    return (upTo ?? orEarlier) === undefined ? dates : { after: null, before: dates.before };
  });
}

/** Rules in the order in which they are tried. The first rule that matches a passage reads it. */
export const TIME_RULES: readonly TimeRule[] = [
  // Ranges, and periods in parts of a year.
  {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${DAY_SPAN}(?![\\p{L}\\p{N}])`, "gu"),
    read: (groups, now) => {
      const span = readDaySpan(groups, (month, day) => yearOfLast(now, month, day));
      // Spans of months are left to later rules.
      return span?.names_days ? span : null;
    },
  },
  rule(
    `${RANGE}${MONTH}(?:,? ${YEAR})?${TO}${MONTH}(?:,?(?: of| de)? ${YEAR})?`,
    ([lead, first, firstYear, last, year], now) => {
      if (lead === undefined && year === undefined) return null;
      const end = monthOf(last!, { year, now });
      const endYear = String(end.after.getUTCFullYear());
      const { after } = monthOf(first!, { year: firstYear ?? endYear, now });
      if (firstYear === undefined && after > end.after) after.setUTCFullYear(Number(endYear) - 1);
      return { after, before: end.before };
    },
  ),
  rule(
    `${OVER}(first|last|premiers?|derniers?) ${NUMBER} (?:months|mois)(?: (?:of|de))? ${YEAR}; ` +
      `${OVER}${NUMBER} (premiers|derniers) mois de ${YEAR}`,
    ([edge, number, year, numberFirst, edgeSecond, yearSecond]) => {
      const months = numberOf(number ?? numberFirst!);
      const isFirst = /^(?:first|prem)/.test(edge ?? edgeSecond!);
      return monthsFrom(utc(Number(year ?? yearSecond), isFirst ? 0 : 12 - months), months);
    },
  ),
  rule(`${RANGE}${DIGITS}${TO}${DIGITS}`, ([, first, last]) => {
    const [start, end] = [Number(first), Number(last)].sort((a, b) => a - b);
    return { after: utc(start!), before: utc(end! + 1) };
  }),
  period(
    `[qt]([1-4])(?:(?: ?[/-]? ?| of | de )${YEAR}|\\s?${SHORT_YEAR})?|${YEAR} ?/?[qt]([1-4])`,
    ([digit, year, digits, yearFirst, digitSecond], now) =>
      quarterOf(Number(digit ?? digitSecond), {
        year: year ?? yearFirst ?? (digits && fullYear(digits, now)),
        now,
      }),
  ),
  period("(?:annees )?((?:19|20)\\d0)s|annees ((?:19|20)\\d0)", ([decade, second]) => {
    return monthsFrom(utc(Number(decade ?? second)), 120);
  }),
  period(
    `(first|second|1st|2nd|premiere?|deuxieme) (?:half|semestre)(?: (?:of|de))? ${YEAR}|h([12]) ${YEAR}`,
    ([half, year, digit, digitYear]) => {
      const isSecond = digit === undefined ? /^(?:s|2|d)/.test(half!) : digit === "2";
      return monthsFrom(utc(Number(year ?? digitYear), isSecond ? 6 : 0), 6);
    },
  ),
  period(
    `(${ORDINALS.join("|")}) (?:quarter|trimestre)(?:(?:,? (?:of|de))? ${YEAR})?`,
    ([ordinal, year], now) => {
      const quarter = ORDINALS.findIndex((names) => names.split("|").includes(ordinal!));
      return quarterOf(quarter + 1, { year, now });
    },
  ),
  period(
    `${DAY} ${MONTH},?(?: of| de)? ${YEAR}|${MONTH} ${DAY},? ${YEAR}`,
    ([day, month, year, second, secondDay, secondYear], now) =>
      dayOf(monthOf(month ?? second!, { year: year ?? secondYear, now }), (day ?? secondDay)!),
    OPTIONAL_DATE,
  ),
  // "In 2012 may" names no month.
  period(
    `${MONTH}(?:,?(?: of| de)? ${YEAR}|\\s?${SHORT_YEAR})|${YEAR},? (?!ma[iy] [a-z])${MONTH}(?!-| \\d)`,
    ([month, year, digits, yearFirst, second], now) =>
      monthOf((month ?? second)!, {
        year: year ?? yearFirst ?? (digits && fullYear(digits, now)),
        now,
      }),
    OPTIONAL_DATE,
  ),
  period(
    `${DAY} ${MONTH}${NO_YEAR}|${MONTH} ${DAY}(?!\\d)${NO_YEAR}`,
    ([day, month, second, secondDay], now) =>
      dayOf(monthOf((month ?? second)!, { now }), (day ?? secondDay)!),
    `${EXTENDING_DATE} `,
  ),
  period(`${MONTH}${NO_YEAR}`, ([month], now) => monthOf(month!, { now }), REQUIRED),
  period(SHORT_YEAR, ([digits], now) => yearOf(Number(fullYear(digits!, now))), REQUIRED),
  // Parts of a year that the whole year would cut off.
  rule(
    `${BEFORE}(?: la)? (?:late|mid|end|fin|milieu)(?: of| de| d)? ${YEAR}`,
    ([year]) => ({ after: null, before: utc(Number(year) + 1) }),
  ),
  rule(
    `${AFTER} (?:early|mid|beginning|start|debut|milieu)(?: of| de| d)? ${YEAR}`,
    ([year]) => from(utc(Number(year))),
  ),
  period(YEAR, ([year]) => yearOf(Number(year)), `${EXTENDING_DATE} `),
  period(YEAR_OR_PART, ([year]) => yearOf(Number(year)), `${EXTENDING} `),
  period(
    `${SEASON}(?: (?:of|de))? ${YEAR}|${LAST} ${SEASON}(?! (?:(?:of|de) )?\\d{4})|${SEASON} derni(?:er|ere)`,
    ([season, year, last, dernier], now) => seasonOf((season ?? last ?? dernier)!, { year, now }),
  ),
  rule(
    `(?:since|depuis)(?: the| l)? ${SEASON}`,
    ([season], now) => from(seasonOf(season!, { now }).after),
  ),
  // Spans of a number of units up to now.
  rule(
    `${OVER}(?:${LAST_OF} )?${NUMBER} ${LAST_OF} ${UNIT}; ${OVER}${LAST_OF} ${NUMBER} ${UNIT}; ` +
      `(?:since|depuis|within|in under) ${COUNT} ${UNIT}(?: ago)?; ` +
      `(?:(?<!not |no )less than|under|not? more than|not? earlier than|at most|up to|after) ${COUNT} ${UNIT} ago; ` +
      `il y a (?:moins d[e']?|au plus) ?${COUNT} ${UNIT}`,
    (groups, now) => from(ago(now, countedUnit(groups))),
  ),
  rule(
    `(?:(?<!not |no )more than|not? less than|over|at least|before|until) ${COUNT} ${UNIT} ago; ` +
      `${COUNT} ${UNIT} ago or (?:earlier|before|more|longer); ` +
      `il y a (?:plus d[e']?|au moins) ?${COUNT} ${UNIT}`,
    (groups, now) => ({ after: null, before: ago(now, countedUnit(groups)) }),
  ),
  rule(
    `(?:between )?${NUMBER}(?: (?:to|or|and) |\\s?[-–]\\s?)${NUMBER} ${UNIT} ago; ` +
      `il y a (?:entre )?${NUMBER} (?:a|ou|et) ${NUMBER} ${UNIT}`,
    (groups, now) => {
      const [first, last, unit] = groups.filter((group) => group !== undefined);
      const [near, far] = [numberOf(first!), numberOf(last!)].sort((a, b) => a - b);
      return {
        after: unitOf(unit!, { now, back: far }).after,
        before: unitOf(unit!, { now, back: near }).before,
      };
    },
  ),
  rule(
    `(?<!half )${COUNT} ${UNIT} ago; il y a (?:environ |pres de )?${COUNT} ${UNIT}`,
    (groups, now) => {
      const { number, unit } = countedUnit(groups);
      return unitOf(unit, { now, back: numberOf(number) });
    },
  ),
  rule(
    "(?:in |over |during )?(?:the )?recent years; (?:ces |les )?(?:dernieres|recentes) annees; ces dernieres annees",
    (_, now) => from(ago(now, { number: "3", unit: "years" })),
  ),
  rule("avant hier", (_, now) => unitOf("day", { now, back: 2 })),
  period("yesterday|hier", (_, now) => unitOf("day", { now, back: 1 })),
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
    ([unit], now) => from(unitOf(unit!, { now }).after),
  ),
  period(
    `(?:${LAST}|derniere?) ${UNIT}|${UNIT} (?:derniere?|passee?)`,
    ([unit, second], now) => unitOf(unit ?? second!, { now, back: 1 }),
  ),
  rule(
    `(?:earlier |so far )?(?:this|cette|cet|ce) ${UNIT}(?: ci)?`,
    ([unit], now) => from(unitOf(unit!, { now }).after),
  ),
  rule("year to date; ytd", (_, now) => from(unitOf("year", { now }).after)),
  rule(
    "recent(?:ly)?; lately; recemment; recents?; recentes?; dernierement",
    (_, now) => from(ago(now, { number: "90", unit: "days" })),
  ),
  period(YEAR_OR_PART, ([year]) => yearOf(Number(year))),
];
