import { decodeHTML } from "entities";

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
 * entities.
 */
export function textOfMarkup(markup: string): string {
  const once = withoutTags(markup);
  return once.includes("&") ? withoutTags(decodeHTML(once)) : once;
}

function withoutTags(text: string): string {
  if (!text.includes("<")) return text;
  return withoutHidden(text).replace(BLOCK_TAG, "\n").replace(INLINE_TAG, "");
}

/**
 * Removes comments, scripts and styles. If an end tag is missing, it is searched for only once,
 * because a hostile text can contain thousands of start tags.
 */
function withoutHidden(text: string): string {
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
