/** Reads time words as calendar periods in UTC, relative to the time of the search. */
import { type Dates, MONTH_NAMES, periodOf } from "./calendar.ts";
import { TENDERS } from "./closing.ts";
import { cue } from "./cues.ts";
import type { Draft } from "./draft.ts";
import type { Passage, QueryText, Span } from "./query_text.ts";
import { TIME_RULES } from "./time_rules.ts";

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
  for (const { pattern, read } of TIME_RULES) {
    for (const passage of text.find(pattern)) {
      const dates = read(passage.groups, now);
      if (dates === null || (dates.after !== null && dates.after > now)) continue;
      if (beginsName(text, passage)) continue;
      const words = text.rest.slice(passage.start, passage.end);
      const before = text.rest.slice(0, passage.start);
      if (FOUNDED.test(before)) {
        text.take(passage);
        continue;
      }
      const on = TENDER_CLOSED.test(before) && TENDERS.test(text.rest) ? "closes" : "occurred";
      const span = { start: LEAD.exec(before)?.index ?? passage.start, end: passage.end };
      // "Closing before December" is a time of open tenders.
      const isAhead = CLOSING.test(before) && !PAST.test(words);
      if (on === "closes" || !isAhead) {
        const first = found[on] ??= dates;
        const [since, until] = first.after === null ? [dates, first] : [first, dates];
        // "Since 2010 and before 2012" has two ends.
        if (since.before === null && until.after === null && since.after! < until.before!) {
          found[on] = { after: since.after, before: until.before };
        }
        spans[on].push(span);
      } else draft.mark("is_filler", span);
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
  return /^\s+\p{Lu}\p{Ll}/u.test(cased.slice(end));
}

/** Pattern of the words between one that introduces a time and the time. */
const BETWEEN = "(?:[\\s,]+(?:on|the|le|la|les|l|d|de|du))*[\\s,']*$";
/** Pattern of words right before the time at which tenders have closed. */
const TENDER_CLOSED = new RegExp(cue("closed") + BETWEEN, "u");

/** Pattern of words right before the year of a foundation, which is no time of an observation. */
const FOUNDED = new RegExp(cue("founded") + "(?:\\s+(?:in|en))?\\s+$", "u");

/** Pattern of words right before a time that only introduce it: "published in". */
const LEAD = new RegExp(cue("lead") + BETWEEN, "u");

/** Pattern of words right before a time at which something ends. */
const CLOSING = new RegExp(
  cue("closing") +
    "(?:[\\s:'-]+(?:dates?|time|is|are|on|or|the|le|la|est|sont|fixees?|au))*[\\s:,'-]*$",
  "u",
);
const PAST = new RegExp(cue("past"), "u");
