/** Closing dates that a query asks for: "closing before 15 December", "due within 30 days". */
import {
  ahead,
  type ClosedDates,
  COUNT,
  type Dates,
  monthsFrom,
  numberOf,
  periodOf,
  UNIT,
  unitOf,
  utc,
  yearOf,
} from "./calendar.ts";
import { cue } from "./cues.ts";
import type { Draft } from "./draft.ts";
import type { Passage, QueryText, Span } from "./query_text.ts";
import { DATE, DAY_SPAN, readDaySpan, writtenDate, YEAR } from "./day_spans.ts";

const CUE =
  "(?:closing(?: dates?)?|closes?|closed|due(?: dates?)?|deadlines?|expir(?:es?|ing)|ending|open(?= (?:until|till|through))|ouvert(?:e|es|s)?(?= jusqu)|submissions? due|bids? due|dates? (?:limites?|de (?:cloture|fermeture))|clotur(?:e|es|ent|ant)|ferm(?:e|es|ent|ant|eture)|echeances?|se termin(?:e|ent|ant)|" +
  "prenant fin|prend fin|se terminant|a (?:remettre|deposer|soumettre))";
const BETWEEN_CUE = "(?:[\\s:,]+(?:dates?|time|is|are|set|fixees?|est|sont|for|pour)){0,3}[\\s:,]+";
const BY =
  "(?:on or before|no later than|not later than|before|by|until|till|prior to|avant|d'ici(?: a| au| le| la)?|jusqu'(?:au|a|en)|au plus tard(?: le)?)";
const FROM = "(?:on or after|not before|after|from|past|later than|since|apres|a partir d[eu]|des)";
const IN =
  "(?:in less than|dans moins de|within|in|during|over|on|at|dans|en|au cours d[eu]s?|d'ici|pendant|le|this|cette|ce)";
const THE =
  "(?:(?:the end of|end of|late|early|mid|la fin d[eu]|fin|debut|the|le|la|les|l'|of|d[eu]|month of) ?){0,3}";
const NEXT = "(?:next|coming|following|prochaine?s?)";

/** Pattern of a cue in the past tense: the tender has closed. */
const CLOSED = /^(?:closed|ended|expired|clotures|cloturees|fermes|fermees)(?![\p{L}\p{N}])/u;

type Read = (groups: Passage["groups"], now: Date) => ClosedDates | null;

/** Patterns of dates, the longest first, with the period that each means. */
const DATES: readonly (readonly [pattern: string, read: Read])[] = [
  [DAY_SPAN, (groups, now) => readDaySpan(groups, (month, day) => yearAhead(now, month, day))],
  [DATE, dateAhead],
  [YEAR, ([year]) => yearOf(Number(year))],
  [`(?:${NEXT} )?${COUNT} (?:${NEXT} )?${UNIT}`, ([number, unit], now) => ({
    after: now,
    before: ahead(now, { number: numberOf(number!), unit: unit! }),
  })],
  [
    `${NEXT} ${UNIT}|${UNIT} (?:prochaine?|suivante?)`,
    ([unit, second], now) => unitOf(unit ?? second!, { now, back: -1 }),
  ],
  [`(?:this |current |cette |ce |cet )?${UNIT}`, ([unit], now) => unitOf(unit!, { now })],
  ["tomorrow|demain", (_, now) => unitOf("day", { now, back: -1 })],
  ["today|aujourd'hui", (_, now) => unitOf("day", { now })],
];

const RULES = DATES.map(([pattern, read]) => ({
  pattern: new RegExp(
    // A span of days has a "from" of its own, so the words before a date are matched lazily.
    `(?<![\\p{L}\\p{N}])${CUE}${BETWEEN_CUE}(?:(${BY})|(${FROM})|(?:${IN}))?? ?${THE}(?:${pattern})(?![\\p{L}\\p{N}])`,
    "gu",
  ),
  read,
}));

const STILL_OPEN = new RegExp(cue("still_open"), "gu");
const OPEN_WORDS = /(?:encore\s+)?ouverts?$|open\s*$|still\s+open$|currently\s+open$|closed$/u;

/** Pattern that every phrase of a closing date contains. Other queries skip the long patterns. */
const MAY_CLOSE =
  /clos|due|deadline|expir|ending|date|clotur|ferm|echeance|termin|fin|open|ouvert|remettre|deposer|soumettre/;

/** Pattern of things other than tenders that close, right before a cue: a store, a round. */
const CLOSING_THINGS = new RegExp(
  cue("thing") +
    "(?:\\s+(?:that|which|who|are|were|is|was|have|has|had|be|been|being|will|recently|just|qui|sont|ont|ete|a|se|vont|etaient))*\\s*$",
  "u",
);
/** Pattern of words for tenders. In a query with such a word, closing dates belong to tenders. */
export const TENDERS = new RegExp(cue("tenders"), "u");

/** Returns whether a passage is about the closing of something other than a tender. */
function isNoTender({ rest }: QueryText, { start, end }: Passage): boolean {
  return /^(?:clos|ferm)/.test(rest.slice(start, end)) &&
    CLOSING_THINGS.test(rest.slice(0, start)) && !TENDERS.test(rest);
}

/** Reads closing dates. A day or month without a year means its next occurrence. */
export function readClosing(draft: Draft): void {
  const { text, now } = draft;
  if (!MAY_CLOSE.test(text.rest)) return;
  const asked: Dates = { after: null, before: null };
  const spans: Span[] = [];
  let isAhead = false;
  const take = (span: Span, { after, before }: Dates) => {
    text.take(span);
    spans.push(span);
    asked.after ??= after;
    asked.before ??= before;
  };
  for (const { pattern, read } of RULES) {
    for (const passage of text.find(pattern)) {
      if (isNoTender(text, passage)) continue;
      const [by, from, ...groups] = passage.groups;
      const dates = read(groups, now);
      if (dates === null) continue;
      const { after: start, before: end } = dates;
      // times.ts reads the periods of tenders that have closed.
      const isPastTense = CLOSED.test(text.rest.slice(passage.start, passage.end));
      const namesYear = /20\d\d/.test(text.rest.slice(passage.start, passage.end));
      if (isPastTense && !(end > now && namesYear)) continue;
      const hasClosed = /(?:was|were)\s+$/.test(text.rest.slice(0, passage.start)) ||
        PARTICIPLE.test(draft.query.slice(passage.start));
      isAhead ||= !isPastTense && !hasClosed;
      // "By" a day includes the day. "Before" a day excludes it.
      if (by !== undefined) {
        // "Before" may mean the end of a period: "the end of March", "this month".
        const meansEnd =
          /end of|\bfin\b/.test(text.cased.slice(passage.start, passage.end).toLowerCase()) ||
          start <= now && now < end;
        const excludes = /^(?:before|prior|avant)/.test(by) && !meansEnd;
        take(passage, { after: null, before: excludes ? start : end });
      } else if (from !== undefined) {
        const includes = /^(?:since|on|from|a partir|des)/.test(from);
        take(passage, { after: includes ? start : end, before: null });
      } else take(passage, dates);
    }
  }
  for (const { start, end } of text.find(STILL_OPEN)) {
    const words = OPEN_WORDS.exec(text.rest.slice(start, end));
    take({ start: start + (words?.index ?? 0), end }, { after: now, before: null });
  }
  if (spans.length === 0) return;
  // A query with a closing date in the future asks for open tenders, so the period begins now.
  const { after, before } = asked;
  if (isAhead && before !== null && before > now && (after === null || after < now)) {
    asked.after = now;
  }
  draft.addCondition({ on: "closes", ...periodOf(asked) }, ...spans);
}

/** Pattern of a French participle, whose accent tells it from the present tense. */
const PARTICIPLE = /^(?:fermée?s?|clôturée?s?|cloturée?s?)(?!\p{L})/iu;

/** Returns the next day or month of a date; null if the calendar has no such day. */
function dateAhead(groups: Passage["groups"], now: Date): ClosedDates | null {
  const { day, month, year } = writtenDate(groups);
  if (month === undefined) return null;
  if (day !== undefined) return dayOf(year ?? yearAhead(now, month, day), month, day);
  const isPast = year === undefined && month < now.getUTCMonth();
  return monthsFrom(utc((year ?? now.getUTCFullYear()) + Number(isPast), month), 1);
}

/** Returns a day; null if the calendar does not have it. */
function dayOf(year: number, month: number, day: number): ClosedDates | null {
  const after = utc(year, month, day);
  return after.getUTCMonth() === month ? { after, before: utc(year, month, day + 1) } : null;
}

/** Returns the year of the next such day, today included; the present year if none has it. */
function yearAhead(now: Date, month: number, day: number): number {
  const first = now.getUTCFullYear();
  // Two leap years are at most eight years apart: 2096 and 2104.
  for (let year = first; year <= first + 8; year++) {
    const dates = dayOf(year, month, day);
    if (dates !== null && dates.before > now) return year;
  }
  return first;
}
