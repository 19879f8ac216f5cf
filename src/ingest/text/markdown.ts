/** The sections of a page under its second-level headings, by the heading in lower case. */
export function sectionsOf(markdown: string): Map<string, string> {
  const [, ...parts] = markdown.split(/^##[ \t]+(?=\S)/m);
  return new Map(parts.map((part) => {
    const end = (part + "\n").indexOf("\n");
    return [part.slice(0, end).trim().toLowerCase(), part.slice(end).trim()];
  }));
}

/** No part of it may hold its opening bracket: a line of these would be read again from each. */
const TARGET = "\\((?:[^()\\n]|\\([^()\\n]{0,200}\\)){0,1000}\\)";
const IMAGE = new RegExp(`!\\[[^[\\]\\n]{0,200}\\]${TARGET}`, "g");
const LINK = new RegExp(`\\[([^[\\]\\n]{0,200})\\]${TARGET}`, "g");

/**
 * Returns Markdown as text: links become their words, and marks of emphasis and lists go. Elements
 * and entities of HTML stay: textOfMarkup() reads them.
 */
export function textOfMarkdown(markdown: string): string {
  return markdown
    .replace(IMAGE, "")
    .replace(LINK, "$1")
    .replace(/\[\^[^[\]\n]{0,100}\]:?/g, "")
    .replace(/<https?:[^<>\n]{0,1000}>/g, "")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|[*+-][ \t]+|\d{1,3}[.)][ \t]+|>[ \t]?)/gm, "")
    .replace(/(\*\*|__|`)(.{1,200}?)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*([^*\n]{1,200})\*/gu, "$1")
    .replace(/\\$/gm, "");
}
