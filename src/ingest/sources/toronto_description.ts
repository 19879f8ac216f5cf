/** What the descriptions of Toronto's solicitations say: what is wanted, and whether it still is. */
import { cleanLine, cutAtWord } from "../text.ts";

/** Number of characters of a description that a fact repeats. */
const SUMMARY_CHARACTERS = 300;

/** List numbers, headings and notices in front of a text. */
const HEADING =
  /^(?:[\s.•*-]*\d+(?:\.\d+)*[.)]?\s+)?(?:(?:INTRODUCTION|PURPOSE)\b[\s:.-]*)?(?:\.\d+\s+)?(?:(?:please note that )?this [\w ]{1,60} has been cancell?ed\b\W*)?/i;

/** The form's opening: 'This RFQ (the "RFQ") is an invitation by the City of Toronto to … for'. */
const PREAMBLE = new RegExp(
  "^This (?:[\\w-]+ ){0,6}?(?:\\([^)]*\\) ?){0,2}is an invitation by (?:the )?City(?: of Toronto)?:? ?" +
    "(?:\\([^)]*\\) ?)?(?:to prospective \\w+\\.\\s+|(?:to prospective (?:\\w+ ){1,3}?)?" +
    "(?:to submit (?:their )?(?:bids?|proposals?|quotations?) (?:(?:for|at) )?(?:the )?|" +
    "to qualify for future eligibility (?:to|of|for) ))",
  "i",
);

/** Phrases and sentences of the form that say nothing about what is wanted. */
const FORM = [
  /,?\s*as (?:further )?described in Part \d+(?:\s*\([^)]*\))?(?: and the Contract)?(?:\s*\((?:the )?["“”']?\w+["“”']?\))?/gi,
  /\s*\bIt is the (?:City['’]s )?intention (?:of the City )?to [^]*?(?:\.(?=\s|$)|$)/g,
  /[;,:]?\s*https?:\/\/\S+/g,
];
/** A sentence about where to get documents or how to register. */
const POINTER =
  /\bariba\b.*\b(?:details|link|documents?|account|access|solicitation)\b|\b(?:see|refer|details|link|documents?|access|find|if you do not have)\b.*\bariba\b|\bproject documents here\b|\binformation meeting will be held\b/i;

/**
 * Returns the beginning of a description, in whole sentences, without headings, words of the form
 * and pointers to documents. Returns the beginning as it is if nothing else is left.
 */
export function summaryOf(description: string): string {
  const opened = description.replace(HEADING, "").replace(PREAMBLE, "");
  const text = FORM.reduce((rest, phrase) => rest.replace(phrase, ""), opened);
  const said = sentencesOf(text).filter((sentence) => !POINTER.test(sentence));
  const sentences = said.some((sentence) => /\p{L}{3}/u.test(sentence))
    ? said
    : sentencesOf(description);
  let summary = sentences[0]!;
  for (const sentence of sentences.slice(1)) {
    if (summary.length + 1 + sentence.length > SUMMARY_CHARACTERS) break;
    summary += ` ${sentence}`;
  }
  return cutAtWord(summary, SUMMARY_CHARACTERS)
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** A full stop behind an abbreviation or initial ends no sentence: "throughout St. Lawrence". */
function sentencesOf(text: string): string[] {
  return cleanLine(text)
    .split(
      /(?<=[.!?]["”')]?)(?<!\b(?:St|Nos?|Dr|Mr|Ms|Mrs|Ave|Rd|Inc|Ltd|Lbs|etc|approx|\p{Lu})\.)\s+(?=\p{Lu})/u,
    )
    .filter((sentence) => sentence !== "");
}

const SENTENCE_END = /(?<=[.!?])\s+|\n+/;
const CANCELLED =
  /\b(?:(?:has|have) been|(?:is|was) (?:hereby )?|will (?:need to )?be)\s?cancell?ed\b/i;
const CANCELLED_HEADING = /^\W*cancell?ed\b/i;
const OWN_SUBJECT =
  /\b(?:this|the (?:current )?)\s?(?:n?RF\w{1,3}|REOI|request|solicitation|call|event|tender|procurement)\b/i;

/**
 * Returns whether a description says that its solicitation has been cancelled. A sentence about a
 * document of another number is about what this one replaces.
 */
export function isCancelled(description: string, number: string): boolean {
  if (CANCELLED_HEADING.test(description)) return true;
  return description.split(SENTENCE_END).some((sentence) => {
    const at = sentence.search(CANCELLED);
    if (at === -1 || /\b(?:if|unless|should)\b/i.test(sentence.slice(0, at))) return false;
    const numbers: string[] = sentence.match(/\d{9,}/g) ?? [];
    if (numbers.length > 0) return numbers.at(-1) === number && numbers.length === 1;
    // In capitals it is a notice about the row, not a word of the text.
    return OWN_SUBJECT.test(sentence) || /\bBEEN CANCELL?ED\b/.test(sentence);
  });
}
