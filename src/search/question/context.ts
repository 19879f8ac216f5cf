/**
 * Recognizes what a query says beside its question: who asks ("We sell paint. Find hospitals."), and
 * how to write the answer ("Sort by date.").
 */
import { cue } from "./cues.ts";
import type { Draft } from "./draft.ts";
import { INSTRUCTIONS, isFrameWord, PERSON } from "./filler.ts";
import { PLACES } from "./known_places.ts";
import type { Span } from "./query_text.ts";

/** Pattern of the text between two clauses: the end of a sentence, or "…, and I want". */
const BREAK =
  /[.?!]+(?=\s|$)|\n|(?<=(?:\p{L}+ ){2}\p{L}+ ?:)\s|(?:[,;](?: (?:and|so|et|donc))?| (?:and|so|et|donc)) (?=(?:i|we|this is|je|j|nous|please|find|show|list|identify|trouve|montre)\b)/giu;
/** Pattern of a clause that begins with a name rather than a pronoun: "Our Place tenders". */
const NAME = /^\P{L}*\p{L}+ \p{Lu}\p{Ll}+(?!\p{L})/u;
/** Pattern of words with which a clause about the caller asks for something, or restricts it. */
const ASKS = new RegExp(cue("asks"), "u");
/** Pattern of pronouns by which a question refers to the sentence before it, as by a word of it. */
const REFERS = new RegExp(cue("refers"), "u");
/** Pattern of a phrase at the end of a sentence that describes the answer: "in JSON". */
const FORM = new RegExp(`(?:,\\s*|\\s)${cue("answer_form")}(?=\\s*(?:[.,;?!]|$))`, "gu");
/** Pattern of words that are filler, but belong to a condition or name: "only funded ones". */
const CONDITION = new RegExp(cue("condition"), "u");
/** Pattern of a word that is no subject without another one: a tender, a buyer, a time. */
const NO_SUBJECT = new RegExp(`^${cue("no_subject")}`, "u");

/**
 * Takes sentences that only give context or describe the answer, if others ask for something. Their
 * words become filler. A sentence with any other word may state a condition, and stays.
 */
export function readContext(draft: Draft): void {
  for (const passage of draft.text.find(FORM)) leaveOut(draft, [passage]);
  const breaks = [...draft.text.cased.matchAll(BREAK)];
  const clauses = [0, ...breaks.map((one) => one.index + one[0].length)]
    .map((start, at) => ({ start, end: breaks[at]?.index ?? draft.query.length }));
  const textOf = ({ start, end }: Span) => draft.text.rest.slice(start, end);
  const casedOf = ({ start, end }: Span) => draft.text.cased.slice(start, end);
  const isForm = (clause: Span) => {
    const words = draft.unitsIn(clause).map(({ folded }) => folded);
    return !CONDITION.test(textOf(clause)) &&
      words.every(isFrameWord) && words.some((word) => INSTRUCTIONS.has(word));
  };
  leaveOut(draft, clauses.filter(isForm));
  const isContext = (clause: Span) =>
    PERSON.test(textOf(clause)) && !ASKS.test(textOf(clause)) && !NAME.test(casedOf(clause));
  const isSubject = (word: string) => !PLACES.has(word) && !NO_SUBJECT.test(word);
  const asking = clauses.filter((clause) => !isContext(clause));
  const at = asking.findIndex((clause) => contentOf(draft, clause).some(isSubject));
  if (at < 0 || asking.slice(0, at + 1).some((clause) => REFERS.test(casedOf(clause)))) return;
  const asked = contentOf(draft, asking[at]!);
  // After the question, "I am in Ohio" may state a condition.
  const isBeside = (clause: Span) =>
    isContext(clause) && !contentOf(draft, clause).some((word) => asked.includes(word)) &&
    (clause.start < asking[at]!.start || contentOf(draft, clause).every(isSubject) &&
        !/\s(?:in|near|from|en|aux?|pres)\s|\d/.test(textOf(clause)));
  leaveOut(draft, clauses.filter(isBeside));
}

/** Returns the words of spans that do more than frame a question. */
function contentOf(draft: Draft, ...spans: readonly Span[]): string[] {
  return draft.unitsIn(...spans).filter(({ is_filler }) => !is_filler)
    .map(({ folded }) => folded).filter((word) => !isFrameWord(word));
}

/** Makes the words of spans filler, and takes them, unless no other content would be left. */
function leaveOut(draft: Draft, spans: readonly Span[]): void {
  const all = contentOf(draft, { start: 0, end: Infinity });
  if (contentOf(draft, ...spans).length === all.length) return;
  draft.mark("is_filler", ...spans);
  for (const span of spans) draft.text.take(span);
}
