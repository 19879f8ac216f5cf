/** Reads time words as calendar periods in UTC, relative to the time of the search. */
import { anyOf } from "../facets/patterns.ts";
import {
  ago,
  BEFORE,
  type Dates,
  dayOf,
  DURING,
  from,
  LAST,
  lastSeason,
  later,
  MONTH,
  MONTH_NAMES,
  monthFrom,
  NUMBER,
  OVER,
  periodOf,
  quarterOf,
  rule,
  SEASON,
  SINCE,
  startOfMonth,
  type TimeRule,
  UNIT,
  unitOf,
  utc,
  YEAR,
  yearOf,
} from "./calendar.ts";
import { BARE_RULES, DATED_RULES } from "./dated_rules.ts";
import type { Draft } from "./draft.ts";
import type { Passage, QueryText, Span } from "./query_text.ts";

/**
 * Reads the times that a query asks for. Words that only introduce a time belong to it: "published
 * in 2015". A period that begins in the future is ignored, because observations are about the past.
 * "March" and "may" are months only after words such as "since" or before a year, and only if they
 * do not begin a name.
 */
export function readTimes(draft: Draft): void {
  const { text, now } = draft;
  if (!MAY_BE_TIME.test(text.rest)) return;
  const found: Partial<Record<"occurred" | "closes", Dates>> = {};
  const spans: Record<"occurred" | "closes", Span[]> = { occurred: [], closes: [] };
  for (const { pattern, read } of RULES) {
    for (const passage of text.find(pattern)) {
      const dates = read(passage.groups, now);
      if (dates === null || (dates.after !== null && dates.after > now)) continue;
      if (beginsName(text, passage)) continue;
      const on = isClosed(text, passage) ? "closes" : "occurred";
      const span = withLead(text, passage);
      if (on === "closes" || !isAhead(text, passage)) {
        found[on] ??= dates;
        spans[on].push(span);
      } else draft.frame(span);
      text.take(span);
    }
  }
  for (const on of ["occurred", "closes"] as const) {
    if (found[on] !== undefined) draft.addCondition({ on, ...periodOf(found[on]) }, ...spans[on]);
  }
}

/** Pattern that every time contains. Queries without a match skip the long patterns. */
const MAY_BE_TIME =
  /\d|day|hier|jour|week|semaine|month|mois|quarter|trimestre|year|an|ytd|rece|late|derni|j[au]|f[e]|mar|avr|ap|mai|may|ao|aug|sep|oct|nov|dec|spring|printemps|summer|ete|fall|autumn|automne|winter|hiver/;

/** Returns whether the month of a passage begins a name: "from March Networks". */
function beginsName({ cased, rest }: QueryText, { start, end }: Passage): boolean {
  if (PAST.test(rest.slice(start, end))) return false;
  const last = cased.slice(start, end).match(/\p{Lu}\p{Ll}+$/u)?.[0].toLowerCase();
  if (last === undefined || !MONTH_NAMES.has(last)) return false;
  const next = cased.slice(end).match(/^\s+(\p{Lu}\p{Ll}+)/u)?.[1];
  return next !== undefined;
}

/**
 * Returns whether a time is a closing date in the future: "closing before December" means open
 * tenders.
 */
function isAhead({ rest }: QueryText, { start, end }: Passage): boolean {
  return CLOSING.test(rest.slice(0, start)) && !PAST.test(rest.slice(start, end));
}

/** Pattern of words for tenders. */
const TENDERS = new RegExp(
  anyOf("tenders?; bids?; rfps?; rfqs?; rfis?; solicitations?; appels? d offres; soumissions?"),
  "u",
);
/** Pattern of words right before the time at which something has ended. */
const TENDER_CLOSED = new RegExp(
  anyOf("closed; ended; expired; clotures; cloturees; fermes; fermees") +
    "(?:[\\s,]+(?:on|the|le|la|les|l|d|de|du))*[\\s,']*$",
  "u",
);

/** Returns whether a time is the closing date of closed tenders. */
function isClosed({ rest }: QueryText, { start }: Passage): boolean {
  return TENDER_CLOSED.test(rest.slice(0, start)) && TENDERS.test(rest);
}

/** Pattern of words right before a time that only introduce it: "published in". */
const LEAD = new RegExp(
  anyOf(
    "issued; published; posted; released; advertised; dated; filed; signed; reported; announced",
    "emis(?:e|es)?; publie(?:e|es|s)?; lance(?:e|es|s); affiche(?:e|es|s)?; signe(?:e|es|s)?",
    "depose(?:e|es|s)?; parus?; parues?; diffuse(?:e|es|s)?; dates; datees?",
    "(?<=(?:rounds?|deals?|financings?|tenders?|bids?|rfps?|rfqs?|solicitations?|offres|soumissions?)(?: that| which| qui)?(?: have| were| was| ont| sont)? )(?:closed|ended|expired|completed|clotures|cloturees|fermes|fermees)",
  ) + "(?:[\\s,]+(?:on|the|le|la|les|l|d|de|du))*[\\s,']*$",
  "u",
);

/** Extends a time by the word that introduces it. */
function withLead({ rest }: QueryText, { start, end }: Passage): Span {
  const lead = LEAD.exec(rest.slice(0, start));
  return { start: lead?.index ?? start, end };
}

/** Pattern of words right before a time at which something ends. */
const CLOSING = new RegExp(
  anyOf(
    "closing; closes?; due; deadlines?; expir(?:es?|ing|y); dates? limites?; clotur(?:e|es|ent|ant); echeances?",
  ) + "(?:[\\s:'-]+(?:dates?|time|is|are|on|or|the|le|la|est|sont|fixees?|au))*[\\s:,'-]*$",
  "u",
);
/** Pattern of words for a time in the past. */
const PAST = new RegExp(
  anyOf("since; depuis; last; past; previous; preceding; derni[a-z]*; passee?; recen[a-z]*"),
  "u",
);

/** Rules in the order in which they are tried. The first rule that matches a passage reads it. */
const RULES: readonly TimeRule[] = [
  ...DATED_RULES,
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
  rule(
    `${DURING} ${MONTH}(?: (?:of )?${YEAR})?`,
    ([month, year], now) => monthFrom(startOfMonth(month!, { year, now })),
  ),
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
    ([season], now) => from(lastSeason(season!, now).after),
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
    "(?:in |over |during )?(?:the )?recent years; (?:ces |les )?(?:dernieres|recentes) annees; ces dernieres annees",
    (_, now) => from(ago(now, { number: "3", unit: "years" })),
  ),
  rule("(?:since |depuis )?(?:yesterday|hier)", (_, now) => unitOf("day", { now, back: 1 })),
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
  rule(
    `(?:since|depuis) (?:the |le |la |l )?(?:${LAST} )?${UNIT}(?: derni(?:er|ere)| passee?)?`,
    ([unit], now) => from(unitOf(unit!, { now, back: 1 }).after),
  ),
  rule(`${OVER}${LAST} ${UNIT}`, ([unit], now) => unitOf(unit!, { now, back: 1 })),
  rule(`${OVER}dernier(?:e)? ${UNIT}`, ([unit], now) => unitOf(unit!, { now, back: 1 })),
  rule(`${OVER}${UNIT} derni(?:er|ere)`, ([unit], now) => unitOf(unit!, { now, back: 1 })),
  rule(
    `(?:earlier |so far )?(?:this|cette|cet|ce) ${UNIT}(?: ci)?`,
    ([unit], now) => from(unitOf(unit!, { now }).after),
  ),
  rule("year to date; ytd", (_, now) => from(unitOf("year", { now }).after)),
  rule(
    "recent(?:ly)?; lately; recemment; recents?; recentes?; dernierement",
    (_, now) => from(ago(now, { number: "90", unit: "days" })),
  ),
  ...BARE_RULES,
];
