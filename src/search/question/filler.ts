/** Recognizes words that say nothing about the subject of a query, in English and French. */
import { cue } from "./cues.ts";
import type { Draft, DraftUnit } from "./draft.ts";
import { wordLists } from "../../ingest/text/word_lists.ts";
import lists from "./filler.txt" with { type: "text" };
import type { QueryText } from "./query_text.ts";

const LISTS = wordLists(lists);
const wordSet = (list: string): ReadonlySet<string> => new Set(LISTS[list]);
/** Folded words that are always filler: they address the service or mean any company. */
const FILLER = wordSet("always");
/** Orders to the service. They are filler only before the content of a query. */
const ORDERS = wordSet("orders");
/** Further openings, which also begin a term: "search engines", "data centres", "target stores". */
const DOUBTFUL_ORDERS = wordSet("doubtful orders");
/** Pattern of words that follow a doubtful opening if it begins no term. */
const AFTER_ORDER =
  /^\s+(?:for|of|on|about|sur|me|us|all|any|some|every|the|which|who|companies|firms|startups|customers|clients|query)(?!\p{L})/iu;
/** Words that only tell, before a colon, what follows: "location: Ontario". */
const LABELS = wordSet("labels");
/** Words about the answer, of which some alone make an instruction: "Return only the names." */
export const INSTRUCTIONS = wordSet("instructions");
const ANSWERS = wordSet("answers");
/** Words that, after "I" or "the user", only introduce what is asked for: "my goal is to find". */
const OPENERS = wordSet("openers");
/** Pattern of what follows such a word, unless it begins a term: "project management". */
const AFTER_OPENER = new RegExp(`^\\s*(?:'s|:|${cue("after_opener")})`, "u");
/** Pattern of the start of a clause whose subject is the caller or the service. */
export const PERSON = new RegExp(`^[^a-z]*${cue("person")}(?![-.]\\S)`, "u");
/** Words for presence, which are filler before a place: "operating in Ontario". */
const PRESENT = wordSet("presence");
const IN = /^\s+(?:in|across|throughout|within|near|en|a|au|aux|dans)\s/u;
/** Verbs that join companies and a subject. They are filler only after a word for companies. */
const JOINING = wordSet("joining verbs");

/** Pattern of the end of a text after which a verb tells what companies do. */
const COMPANIES_BEFORE =
  /(?<!\p{L})(?:who|that|we|companies|firms?|businesses|start-?ups?|organi[sz]ations?|agenc(?:y|ies)|qui|nous|je|a la|entreprises?|compagnies?|societes?|firmes?|organismes?)\s+(?:(?:is|are|also|mainly|mostly|currently|est|sont)\s+)?$/iu;

/** Legal forms. They are filler, unless they begin a query. */
const FORMS = wordSet("legal forms");

/** Returns whether a folded word is filler at a position of a query. The first position is 0. */
export function isFiller(word: string, place: number): boolean {
  return FILLER.has(word) || (place > 0 && FORMS.has(word));
}

/** Returns whether a folded word is no subject in any sentence: it asks, or is about the answer. */
export function isFrameWord(word: string): boolean {
  return isFiller(word, 1) || /^\d{1,3}$/.test(word) ||
    [ORDERS, INSTRUCTIONS, ANSWERS].some((words) => words.has(word));
}

/** Pattern of terms whose first word is usually filler. */
const COMPOUND =
  /^(?:big[\s-]+data|new[\s-]+media|single[\s-]+(?:sign|family|use)|current[\s-]+transformers?)(?!\p{L})/iu;

/** Marks filler: words that frame a question, orders before its first other word, and joining verbs. */
export function readFiller({ units, text }: Draft): void {
  let isOpening = true;
  for (const [at, unit] of units.entries()) {
    const { start, end, folded, position } = unit;
    const isPart = text.cased[start - 1] === "-";
    // "Start-up" is filler as "startup" is.
    const [before] = /\p{L}+-$/u.exec(text.rest.slice(0, start)) ?? [""];
    const [after] = /^-\p{L}+/u.exec(text.rest.slice(end)) ?? [""];
    const closed = (before + folded + after).replaceAll("-", "");
    if (closed !== folded && isFiller(closed, position)) unit.is_filler = true;
    const isTerm = isPart || COMPOUND.test(text.cased.slice(start));
    if (!isTerm && isFiller(folded, position)) unit.is_filler = true;
    const isJoining = JOINING.has(folded) && !isTerm && after === "" &&
      COMPANIES_BEFORE.test(text.cased.slice(0, start));
    const isOrder = ORDERS.has(folded) || OPENERS.has(folded) && PERSON.test(text.rest) &&
        (AFTER_OPENER.test(text.rest.slice(end)) || text.rest.startsWith("to ", start - 3)) ||
      DOUBTFUL_ORDERS.has(folded) && AFTER_ORDER.test(text.cased.slice(end));
    const [, label = folded] = /^(?: (\p{L}+))?\s?:/iu.exec(text.rest.slice(end)) ?? [, ""];
    const isLabel = LABELS.has(folded) && LABELS.has(label);
    const isPresence = PRESENT.has(folded) && IN.test(text.rest.slice(end));
    // "J'ai besoin" is no AI.
    const isVerb = folded === "ai" && text.rest.slice(0, start).endsWith("j'");
    // So is the start of each sentence.
    isOpening ||= /[.?!]\s|\n/.test(text.cased.slice(units[at - 1]?.end ?? 0, start));
    const isOpener = isOpening && (isOrder || isCount(text, unit, units[at - 1]));
    if (isJoining || isOpener || isLabel || isPresence || isVerb) unit.is_filler = true;
    isOpening = unit.is_filler && isOpening;
  }
}

/** Returns whether a number counts results ("top 10", "up to 20") or items of a list ("1."). */
function isCount({ cased }: QueryText, unit: DraftUnit, last?: DraftUnit): boolean {
  const { start, end, condition } = unit;
  if (condition !== undefined || !/^\d{1,3}$/.test(cased.slice(start, end))) return false;
  return last === undefined
    ? /^[.)]\s/.test(cased.slice(end))
    : /^ (?:(?:me|of|the|up to|at most) )?$/i.test(cased.slice(last.end, start)) &&
      /^ \p{L}/u.test(cased.slice(end));
}
