/** Recognizes words that say nothing about the subject of a query, in English and French. */
import type { Draft } from "./draft.ts";
import filler from "./filler.txt" with { type: "text" };
import joining from "./joining_verbs.txt" with { type: "text" };

/** Folded words that are always filler: they address the service or mean any company. */
const FILLER: ReadonlySet<string> = wordSet(filler);

/** Orders to the service. They are filler only before the content of a query. */
const ORDERS: ReadonlySet<string> = wordSet(
  "find give tell search identify show list display get fetch help",
);
/** Orders that also begin a term: "search engines", "display advertising". */
const DOUBTFUL_ORDERS: ReadonlySet<string> = wordSet("search display help");
/** Pattern of words that follow a doubtful order if it is an order and begins no term. */
const AFTER_ORDER =
  /^\s+(?:for|me|us|all|any|every|the|which|who|companies|firms|startups)(?!\p{L})/iu;

/** Verbs that join companies and a subject. They are filler only after a word for companies. */
const JOINING: ReadonlySet<string> = wordSet(joining);

/** Pattern of the end of a text after which a verb tells what companies do. */
const COMPANIES_BEFORE =
  /(?<!\p{L})(?:who|that|we|companies|firms?|businesses|start-?ups?|organi[sz]ations?|agenc(?:y|ies)|qui|nous|je|entreprises?|compagnies?|societes?|firmes?|organismes?)\s+(?:(?:is|are|also|mainly|mostly|currently|est|sont)\s+)?$/iu;

/** Legal forms. They are filler, unless they begin a query. */
const FORMS: ReadonlySet<string> = wordSet(
  "inc incorporated corp corporation llc ltd limited ltee limitee llp lllp plc gmbh sarl cie incorporee",
);

/** Returns whether a folded word is filler at a position of a query. The first position is 0. */
export function isFiller(word: string, place: number): boolean {
  return FILLER.has(word) || (place > 0 && FORMS.has(word));
}

/** Pattern of terms whose first word is usually filler. */
const COMPOUND =
  /^(?:big[\s-]+data|new[\s-]+media|single[\s-]+(?:sign|family|use)|current[\s-]+transformers?)(?!\p{L})/iu;

/** Marks filler: words that frame a question, orders before its first other word, and joining verbs. */
export function readFiller({ units, text }: Draft): void {
  let isOpening = true;
  for (const unit of units) {
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
    const beginsTerm = DOUBTFUL_ORDERS.has(folded) && !AFTER_ORDER.test(text.cased.slice(end));
    const isOrder = isOpening && ORDERS.has(folded) && !beginsTerm;
    if (isJoining || isOrder) unit.is_filler = true;
    isOpening &&= unit.is_filler;
  }
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
