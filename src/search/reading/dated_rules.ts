/** Rules for periods that name their year. */
import {
  BEFORE,
  dayOf,
  DURING,
  from,
  lastStart,
  later,
  later21,
  MONTH,
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

const FULL_YEAR = "((?:19[89]|20\\d)\\d)(?![-\\d])";
const AFTER = "(?:after|later than|apres)(?: the| le| l)?(?: end of| fin d[eu])?";
const TO = "(?:to|and|through|until|till|a|et|jusqu en|jusqu a)";

/** Ordinals of the quarters, each group of names one. */
const ORDINALS = [
  "first|1st|premier|1er",
  "second|2nd|deuxieme|2e|2eme",
  "third|3rd|troisieme|3e|3eme",
  "fourth|4th|quatrieme|4e|4eme",
];
const QUARTER = `(${ORDINALS.join("|")})`;

function quarterOfOrdinal(name: string): number {
  return 1 + ORDINALS.findIndex((names) => names.split("|").includes(name));
}

/** Periods of a full year or month that no other rule reads as exactly, read first. */
export const DATED_RULES: readonly TimeRule[] = [
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
    ([ordinal, year]) => from(quarterOf(quarterOfOrdinal(ordinal!), { year }).after!),
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
    ([season, year]) => from(seasonOf(season!, Number(year)).after!),
  ),
];

/** Periods without a word that leads to them, read last. */
export const BARE_RULES: readonly TimeRule[] = [
  rule(
    `(?:${DURING} |l )?(?:the )?${SEASON}(?: (?:of|de))? ${FULL_YEAR}`,
    ([season, year]) => seasonOf(season!, Number(year)),
  ),
  rule(
    `(?:${DURING} |l )?(?:the )?(?:last ${SEASON}|${SEASON} derni(?:er|ere))`,
    ([first, second], now) => {
      const start = lastStart(first ?? second!, now);
      return { after: start, before: later21(start, 3) };
    },
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
  rule(`(?:${DURING} )?((?:19[89]|20\\d)\\d)-(0[1-9]|1[0-2])(?!-?\\d)`, ([year, month]) => {
    const start = utc(Number(year), Number(month) - 1);
    return { after: start, before: later(start, 1) };
  }),
  rule(`${MONTH}(?: of| de)? ${FULL_YEAR}`, ([month, year], now) => {
    const start = startOfMonth(month!, { year, now });
    return { after: start, before: later(start, 1) };
  }),
  rule(`(?:${DURING}|all of|tout) ${FULL_YEAR}`, ([year]) => yearOf(Number(year))),
  rule(`${BEFORE} ${FULL_YEAR}`, ([year]) => ({ after: null, before: utc(Number(year)) })),
  rule(`${SINCE} ${FULL_YEAR}`, ([year]) => from(utc(Number(year)))),
  rule(`(?:early |late |mid |debut |fin )?${FULL_YEAR}`, ([year]) => yearOf(Number(year))),
];
