/** Patterns of words around a period that extend it: "before", "since", "or later". */
import { MONTH_NAMES } from "./calendar.ts";

/** Pattern of the end of a word that is not negated. "Not before 2012" means from 2012 on. */
const NOT_NEGATED = "(?<!(?:not?|pas) (?:after|later than|apres|before|until|avant))";
/** Pattern of words before a period that mean the time after its end. */
export const AFTER =
  `(?:after|later than|apres|(?:date )?>(?!=))${NOT_NEGATED}(?: the| le| l)?(?: end of| fin d[eu])?`;
/** Pattern of words before a period that mean the time from its start on. */
const SINCE = sincePattern("since|depuis|a partir d[eu]|not? before|not until|pas avant");
/** Pattern of words before a period that mean the time up to its end. */
const UP_TO = "(?:not? (?:later than|after)|pas apres|(?:date )?<=)(?: the| le)?";
/** Pattern of words before a period that mean the time up to its start. */
export const BEFORE =
  `(?:before|until|prior to|(?:date )?<(?!=)|avant|jusqu en|jusqu aux?|jusqu a)${NOT_NEGATED}(?: the| le)?`;
/** Pattern of one of these, each a group. */
export const EXTENDING = extendingPattern(SINCE);
/**
 * Pattern of one of these before a date, a month or a year, with "from" among the second ones. "From
 * last year" means the year itself.
 */
export const EXTENDING_DATE = extendingPattern(`${SINCE}|${sincePattern("from")}`);
/** Pattern of words before a period that mean the period itself. */
const DURING =
  "(?:(?:back )?in|during|en|durant|pendant|au cours d[eu]s?)(?: the month of| le mois de)?";
/** Pattern of optional words before a period, with the groups of EXTENDING. */
export const OPTIONAL = optionalPattern(EXTENDING);
/** Pattern of the same before a date, a month or a year. */
export const OPTIONAL_DATE = optionalPattern(EXTENDING_DATE);
/** Pattern of such words, without which a month is none. */
export const REQUIRED = `(?:${EXTENDING_DATE}|${DURING}) `;

function optionalPattern(extending: string): string {
  return `(?:${extending} |(?:${DURING}|over|within|for|from|on|dans|au|all of|throughout|tout) )?` +
    "(?:the |les? |la |l )?";
}

/** Pattern of the end of words that belong to the time before them: "2009 or earlier". */
const NO_DATE = `(?! (?:\\d|${[...MONTH_NAMES].join("|")}))`;
/** Pattern of the end of the query or clause: "last year and since hired" extends no year. */
const NO_WORD = "(?! ?[\\p{L}\\p{N}])";
/** Pattern of words after a period that extend it, in two groups: "or later" and "or earlier". */
export const EXTENDED =
  `(?: (onwards?|(?:or|and|et|ou) (?:(?:later|onwards?|plus tard)${NO_DATE}|(?:after|since|apres)${NO_WORD}))|` +
  ` ((?:or|and|et|ou) (?:(?:earlier|plus tot)${NO_DATE}|(?:before|avant)${NO_WORD})))?`;

function sincePattern(words: string): string {
  return `(?:ever )?(?:${words}|(?:date )?>=)(?: the| le| l)?(?: beginning of| debut d[eu])?(?: the| le| l)?`;
}

function extendingPattern(since: string): string {
  return `(?:(${AFTER})|(${since})|(${UP_TO})|(${BEFORE}))`;
}
