/**
 * Cleans texts of sources. Cleaned text has no hidden or reordering characters, so a terminal, a
 * page or a program can show it unchanged.
 */
import { decodeHTML } from "entities";

/** Invisible characters: zero-width, bidirectional, soft hyphen, fillers, tags, lone surrogates. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
/** Control characters of C0 and C1, except white space. */
// deno-lint-ignore no-control-regex -- this pattern has to match control characters
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
/**
 * Matches a run of more than 30 combining marks. Normalizing takes quadratic time for a run, so it
 * is cut to the max length in the Stream-Safe Text Format (UAX 15). A word has up to a few marks.
 */
const LONG_MARKS = /(?<!\p{M})(\p{M}{30})\p{M}+/gu;
/** Matches a text that cleaning only trims. Most texts match, so they skip the passes below. */
const PLAIN = /^(?:[\u0021-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]| (?! ))*$/;
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Returns the cleaned text in Unicode NFC, on one line. Runs of white space become one space. */
export function cleanLine(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  return withoutHidden(text).replace(/[\s\u0085]+/gu, " ").trim();
}

/**
 * Cleans a text as cleanLine() does, but keeps line breaks, and at most one empty line in a row.
 */
export function cleanParagraphs(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  return withoutHidden(text)
    .replace(LINE_BREAK, "\n")
    .replace(/[^\S\n]+/gu, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Returns whether an identifier or address contains a character that cleaning would remove. */
export function hasUnsafeCharacter(text: string): boolean {
  return text.search(HIDDEN) !== -1 || text.search(CONTROL) !== -1;
}

/**
 * Cuts a text to at most `max` UTF-16 units. A longer text is cut after a word and ends with an
 * ellipsis.
 */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const lastBreak = head.search(/\s\S*$/u);
  // A text without white space in its second half is cut anywhere, but not inside a surrogate pair.
  const cut = lastBreak > max / 2 ? head.slice(0, lastBreak) : head.replace(/[\ud800-\udbff]$/, "");
  return withoutEnding(cut, /[\s,;:(–-]/u) + "…";
}

/**
 * Returns the text without the characters at its end that a pattern of one character matches. A
 * pattern such as /[.\s]+$/ would need quadratic time for a long run inside the text.
 */
export function withoutEnding(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Puts a space between a small letter and a capital: "FullTime" gives "Full Time". */
export function splitCamelCase(text: string): string {
  return text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
}

/**
 * Removes hidden characters, because they occur inside words. Replaces control characters by
 * spaces, because they separate words.
 */
function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "").replace(CONTROL, " ").replace(LONG_MARKS, "$1").normalize("NFC");
}

/** Names of HTML elements that start a line. */
const BLOCKS =
  "p|br|div|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|h[1-6]|hr|blockquote|pre|section|article";
/** Names of other HTML elements. Other text in angle brackets stays: "<Third Party>". */
const INLINE = "a|b|i|u|s|em|strong|span|font|sup|sub|small|big|code|td|th|img|center|label|strike";

const BLOCK_TAG = new RegExp(`</?(?:${BLOCKS})(?:\\s[^<>]*)?/?>`, "gi");
const INLINE_TAG = new RegExp(`</?(?:${INLINE})(?:\\s[^<>]*)?/?>`, "gi");
const HIDDEN_START = /<(?:(script|style)\b[^<>]*>|!--)/gi;
const HIDDEN_END = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi, comment: /-->/g };

/**
 * Returns HTML, or text with some HTML in it, as text. Elements that start a line become line
 * breaks. Other tags, comments and scripts are removed, even if their angle brackets are written as
 * entities. `ofMailLink` may replace the text of a link to an e-mail address.
 */
export function textOfMarkup(markup: string, ofMailLink = (text: string) => text): string {
  const once = withoutTags(markup, ofMailLink);
  return once.includes("&") ? withoutTags(decodeHTML(once), ofMailLink) : once;
}

/** Matches the start of a link with tags in it, and its first text. */
const LINK = /(<a\s[^<>]{0,1000}>(?:\s|<(?!\/?a[\s>])[^<>]{0,200}>){0,9})([^<>]{2,200})/gi;

function withoutTags(text: string, ofMailLink: (text: string) => string): string {
  if (!text.includes("<")) return text;
  return withoutHiddenElements(text)
    .replace(LINK, (_, tags, shown) => tags + (/mailto:/i.test(tags) ? ofMailLink(shown) : shown))
    .replace(BLOCK_TAG, "\n").replace(INLINE_TAG, "");
}

/**
 * Removes comments, scripts and styles. If an end tag is missing, it is searched for only once,
 * because a hostile text can contain thousands of start tags.
 */
function withoutHiddenElements(text: string): string {
  const parts: string[] = [];
  const endless = new Set<string>();
  let from = 0;
  for (const { 0: start, 1: element = "comment", index } of text.matchAll(HIDDEN_START)) {
    const kind = element.toLowerCase() as keyof typeof HIDDEN_END;
    if (index < from || endless.has(kind)) continue;
    const end = HIDDEN_END[kind];
    end.lastIndex = index + start.length;
    if (!end.test(text)) {
      endless.add(kind);
    } else {
      parts.push(text.slice(from, index), " ");
      from = end.lastIndex;
    }
  }
  return parts.join("") + text.slice(from);
}
