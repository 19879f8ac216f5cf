import { decodeHTML } from "entities";

/** Only the names of real elements, so that "<Third Party>" in a text stays a text. */
const BLOCKS =
  "p|br|div|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|h[1-6]|hr|blockquote|pre|section|article";
const INLINE = "a|b|i|u|s|em|strong|span|font|sup|sub|small|big|code|td|th|img|center|label|strike";

const BLOCK_TAG = new RegExp(`</?(?:${BLOCKS})(?:\\s[^<>]*)?/?>`, "gi");
const INLINE_TAG = new RegExp(`</?(?:${INLINE})(?:\\s[^<>]*)?/?>`, "gi");
const UNSEEN = /<(script|style)\b[^>]*>.*?<\/\1\s*>|<!--.*?-->/gis;

/**
 * @returns HTML or half-HTML as text: elements that start a line become line breaks, other tags,
 * comments and scripts go, entities are decoded. Tags written in entities go too.
 */
export function textOfMarkup(markup: string): string {
  const once = withoutTags(markup);
  return once.includes("&") ? withoutTags(decodeHTML(once)) : once;
}

function withoutTags(text: string): string {
  if (!text.includes("<")) return text;
  return text.replace(UNSEEN, " ").replace(BLOCK_TAG, "\n").replace(INLINE_TAG, "");
}
