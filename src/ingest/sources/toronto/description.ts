/**
 * Reads descriptions of Toronto's solicitations: summarizes them, and recognizes cancelled ones.
 */
import { cleanLine, cutAtWord } from "../../text/clean_text.ts";

/** Max characters of a summary. */
const SUMMARY_CHARACTERS = 300;
/**
 * Max characters of a description that are read. The City's file cuts descriptions at the same
 * length.
 */
const READ_CHARACTERS = 5_000;
/** Max characters of a sentence that are read, because some patterns take quadratic time. */
const SENTENCE_CHARACTERS = 1_000;

/**
 * Matches a label or a notice in asterisks before a text: "Description:", "**ONLY INVITED …***".
 */
const LABEL = /^\s*(?:\*{2,3}[^*]{1,200}\*{2,3}\s*)?(?:(?:description|title|for) ?:\s*){0,2}/i;

/** Matches list numbers, headings and notices before a text. */
const HEADING =
  /^(?:[\s.•*-]*\d+(?:\.\d+)*[.)]?\s+)?(?:(?:INTRODUCTION|PURPOSE)\b[\s:.-]*)?(?:\.\d+\s+)?(?:please note the following \w+:\s*)?(?:(?:please note that )?this [\w ]{1,60} has been cancell?ed\b\W*)?/i;

/** Matches a comma that should be a full stop: "…/rfx/10790810,The purpose of this". */
const GLUED = /\s?,\s?(?=The (?:purpose|work) )/g;

/**
 * Matches the standard opening: 'This RFQ (the "RFQ") is an invitation by the City of Toronto …'.
 */
const PREAMBLE = new RegExp(
  "^This (?:[\\w-]+ ){0,6}?(?:\\([^)]*\\) ?){0,2}is an invitation by (?:the )?City(?: of Toronto)?:? ?" +
    "(?:\\([^)]*\\) ?)?(?:to prospective \\w+\\.\\s+|(?:to prospective (?:\\w+ ){1,3}?)?" +
    "(?:to submit (?:their )?(?:bids?|proposals?|quotations?) (?:(?:for|at) )?(?:the )?|" +
    "to qualify for future eligibility (?:to|of|for) ))",
  "i",
);

/** Patterns of standard phrases and sentences that do not describe the purchase. */
const STANDARD_PHRASES = [
  /^To prospective \w+ to submit (?:bids?|proposals?) for (?:the )?/i,
  /,?\s*as (?:further )?described in Part \d+(?:\s*\([^)]*\))?(?: and the Contract)?(?:\s*\((?:the )?["“”']?\w+["“”']?\))?/gi,
  /\s*\bIt is the (?:City['’]s )?intention (?:of the City )?to [^]*?(?:\.(?=\s|$)|$)/g,
  /[;,:]?\s*https?:\/\/[^\s;]*[^\s;.,]/g,
  // This matches numbers of a list on one line: "the Deliverables. ,.3 The Successful Supplier".
  /(?:^|[\s,]+)\.\d+(?:\.\d+)*(?=[\s.]|$)/g,
];
/** Matches the part of a sentence that refers to documents or to registration. */
const REFERENCE =
  /\b(?:for (?:more |full |further |complete )?details|(?:please )?(?:see|visit|refer to)|you can|to access|to view|if you do not)\b.*\b(?:ariba|project documents)\b.*$|(?:^|[;,:(.-])\s*(?:sap )?ariba\b.*\blink\b.*$|^ariba doc\d+\s*[-:]\s*/i;
/** Matches the beginning of a sentence about the posting itself and how to answer it. */
const ABOUT_POSTING = new RegExp(
  [
    "^(?:\\*|please|you can|if you|once|any bids|no documentation|notwithstanding the dates)\\b",
    "^to (?:participate|access|view)\\b",
    "^(?:all )?suppliers (?:can|that|must|who|are to)\\b",
    "^(?:see|refer to) .{0,30}\\b(?:documents?|part \\d+|information)\\b.{0,30}$",
    "^(?:notice|note) to (?:all )?(?:suppliers|bidders)\\b",
    "^rf\\w+ (?:closing|response deadline)\\b",
    "^the submission deadline will\\b",
    "^(?:an earlier version of this notice|we apologize|new suppliers|a link to this page)\\b",
    "^all bids submitted\\b",
    "^in accordance with the canadian free trade agreement\\b",
    "^this \\w+ shall be interpreted\\b",
    "^\\*{0,2}all (?:required|relevant) (?:supporting )?(?:documentation|information)\\b",
  ].join("|"),
  "i",
);
/** Matches words of a sentence about the posting itself. */
const POSTING_WORDS =
  /\b(?:does not post budget information|opportunity amount|public posting|ariba|information meeting will be held)\b/i;

/**
 * Returns the first whole sentences of a description, without headings, standard phrases and
 * references to documents. Returns an empty text if nothing remains.
 */
export function summaryOf(description: string): string {
  const opened = description.slice(0, READ_CHARACTERS).replace(LABEL, "").replace(HEADING, "")
    .replace(LABEL, "").replace(PREAMBLE, "").replace(GLUED, ". ");
  const text = STANDARD_PHRASES.reduce((rest, phrase) => rest.replace(phrase, ""), opened);
  const sentences = sentencesOf(text)
    .map((sentence) => sentence.replace(REFERENCE, "").trim())
    .filter((sentence) => /\p{L}{3}/u.test(sentence))
    .filter((sentence) => !ABOUT_POSTING.test(sentence) && !POSTING_WORDS.test(sentence));
  const [first = firstOf(text), ...rest] = sentences;
  let summary = first;
  for (const sentence of rest) {
    if (summary.length + 1 + sentence.length > SUMMARY_CHARACTERS) break;
    summary += ` ${sentence}`;
  }
  return cutAtWord(summary, SUMMARY_CHARACTERS)
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Matches the point at which a sentence begins to refer to other documents. */
const REFERENCE_START =
  /(?<![;,.:(\s-])[;,.:(\s-]*\b(?:for (?:more |full |detailed )|please\b|sap\b|see\b|link\b|if you do not\b|https?:|public posting\b)/i;

/** Returns the first sentence of a text up to a reference to other documents. */
function firstOf(text: string): string {
  const [first = ""] = sentencesOf(text);
  const [beginning = ""] = first.split(REFERENCE_START);
  return /\p{L}{3}.*\p{L}{3}/u.test(beginning) && !ABOUT_POSTING.test(beginning) ? beginning : "";
}

/** Repairs damaged bullets and dashes, and removes spaces before commas and full stops. */
function punctuated(line: string): string {
  return line.replace(/[;,]{0,3},[ ]?\?[ ](?=\S)/g, "; ").replace(/ [?\ufffd] /g, " – ")
    .replace(/([:;])[ ]?,[ ]?(?=\S)/g, "$1 ").replace(/,-[ ](?=\S)/g, "; ")
    .replace(/[ ],[ ]?(?=\p{L})/gu, ", ").replace(/[ ]\.(?=[ ])/g, ".");
}

/**
 * Splits a text into sentences, but not after an abbreviation or initial: "throughout St.
 * Lawrence".
 */
function sentencesOf(text: string): string[] {
  // In the file, question marks have replaced apostrophes.
  return punctuated(cleanLine(text)).replace(/(?<=\p{Ll})[?\ufffd](?=s\b)/gu, "’")
    .split(
      /(?<=[.!?]["”')]?)(?<!\b(?:St|Nos?|Dr|Mr|Ms|Mrs|Ave|Rd|Inc|Ltd|Lbs|etc|approx|\p{L})\.)\s+(?=\p{Lu})/u,
    )
    .filter((sentence) => sentence !== "")
    .map((sentence) => sentence.slice(0, SENTENCE_CHARACTERS));
}

const SENTENCE_END = /(?<=[.!?])\s+|\n+/;
const CANCELLED =
  /\b(?:(?:has|have) been|(?:is|was) (?:hereby )?|will (?:need to )?be)\s?cancell?ed\b/i;
const CANCELLED_HEADING = /^\W*cancell?ed\b/i;
const OWN_SUBJECT =
  /\b(?:this|the (?:current )?)\s?(?:n?RF\w{1,3}|REOI|request|solicitation|call|event|tender|procurement)\b/i;

/**
 * Returns whether a description states that its solicitation is cancelled. A sentence with another
 * document number is about an earlier solicitation.
 */
export function isCancelled(description: string, number: string): boolean {
  if (CANCELLED_HEADING.test(description)) return true;
  return description.split(SENTENCE_END).some((sentence) => {
    const at = sentence.search(CANCELLED);
    if (at === -1 || /\b(?:if|unless|should)\b/i.test(sentence.slice(0, at))) return false;
    const numbers: string[] = sentence.match(/\d{9,}/g) ?? [];
    if (numbers.length > 0) return numbers.at(-1) === number && numbers.length === 1;
    // "BEEN CANCELLED" in capitals is always about this solicitation.
    return OWN_SUBJECT.test(sentence) || /\bBEEN CANCELL?ED\b/.test(sentence);
  });
}
