/** Returns the sections under the second-level headings of a page, by heading in lower case. */
export function sectionsOf(markdown: string): Map<string, string> {
  const [, ...parts] = markdown.split(/^##[ \t]+(?=\S)/m);
  return new Map(parts.map((part) => {
    const end = (part + "\n").indexOf("\n");
    return [part.slice(0, end).trim().toLowerCase(), part.slice(end).trim()];
  }));
}

/**
 * Source of a pattern for the target of a link. The text inside brackets excludes the opening
 * bracket, here and in the next two patterns. Otherwise a line of opening brackets would take
 * quadratic time.
 */
const TARGET = "\\((?:[^()\\n]|\\([^()\\n]{0,200}\\)){0,1000}\\)";
const IMAGE = new RegExp(`!\\[[^[\\]\\n]{0,200}\\]${TARGET}`, "g");
const LINK = new RegExp(`\\[([^[\\]\\n]{0,200})\\]${TARGET}`, "g");

/**
 * Returns Markdown as text: links become their words, and images and marks of headings, emphasis
 * and lists are removed. HTML elements and entities stay: textOfMarkup() converts them afterwards.
 * A link to an e-mail address becomes an HTML element, so that the name in it can be masked.
 */
export function textOfMarkdown(markdown: string): string {
  return markdown
    .replace(IMAGE, "")
    .replace(LINK, (link, shown) => /\]\(mailto:/i.test(link) ? `<a mailto:>${shown}</a>` : shown)
    .replace(/\[\^[^[\]\n]{0,100}\]:?/g, "")
    .replace(/<https?:[^<>\n]{0,1000}>/g, "")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|[*+-][ \t]+|\d{1,3}[.)][ \t]+|>[ \t]?)/gm, "")
    .replace(/(\*\*|__|`)(.{1,200}?)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*([^*\n]{1,200})\*/gu, "$1")
    .replace(/\\$/gm, "");
}
