/**
 * The guides: Markdown files of this repository, served as pages beside the reference, and as
 * sections for its search. Links between the files lead from page to page.
 */
import { Lexer, Marked, type Tokens } from "marked";
import python from "../../client/python/README.md" with { type: "text" };
import typescript from "../../client/README.md" with { type: "text" };
import agents from "../../docs/agents.md" with { type: "text" };
import api from "../../docs/api.md" with { type: "text" };
import firstMinutes from "../../docs/first_minutes.md" with { type: "text" };
import metering from "../../docs/metering.md" with { type: "text" };
import polling from "../../docs/polling.md" with { type: "text" };
import search from "../../docs/search.md" with { type: "text" };
import { type ConsoleFile, modulesOf } from "./files.ts";
import page from "./guide.html" with { type: "text" };

/** A Markdown file, and the name of its page below `/docs/`. */
interface Guide {
  name: string;
  /** Path in the repository, against which the links of the file are resolved. */
  path: string;
  text: string;
}

const GUIDES: readonly Guide[] = [
  { name: "first_minutes", path: "docs/first_minutes.md", text: firstMinutes },
  { name: "search", path: "docs/search.md", text: search },
  { name: "metering", path: "docs/metering.md", text: metering },
  { name: "api", path: "docs/api.md", text: api },
  { name: "polling", path: "docs/polling.md", text: polling },
  { name: "agents", path: "docs/agents.md", text: agents },
  { name: "typescript_client", path: "client/README.md", text: typescript },
  { name: "python_client", path: "client/python/README.md", text: python },
];

/** Part of a guide that begins with a heading. */
interface GuideSection {
  /** Name of the guide's page. */
  guide: string;
  /** Anchor of the heading; empty for the beginning of the guide. */
  anchor: string;
  /** Titles of the guide and of the section; the guide's title alone for its beginning. */
  title: string;
  text: string;
}

/** File whose text is made when it is first requested, because rendering takes a moment. */
type LazyFile = Pick<ConsoleFile, "type"> & { text: () => string };

/** The pages of the guides, their Markdown files, and the sections for the search, by path. */
export const GUIDE_FILES: ReadonlyMap<string, LazyFile> = new Map([
  ["/docs/guides.json", {
    type: "application/json",
    text: () => JSON.stringify(GUIDES.flatMap(sectionsOf)),
  }],
  ...GUIDES.flatMap((guide): [string, LazyFile][] => [
    [`/docs/${guide.name}`, { type: "text/html; charset=utf-8", text: () => pageOf(guide) }],
    [`/docs/${guide.name}.md`, {
      type: "text/markdown; charset=utf-8",
      text: () => markdownOf(guide),
    }],
  ]),
]);

/** Returns a guide as a page that is complete without JavaScript, except for the search. */
function pageOf(guide: Guide): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(plainOf(tokens))}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(guide, href);
        return target === undefined ? content : `<a href="${escaped(target)}">${content}</a>`;
      },
      code({ text, lang }) {
        const label = `${lang || "Text"} example`;
        return `<div class="code"><pre tabindex="0" aria-label="${escaped(label)}"><code>${
          escaped(text)
        }</code></pre></div>\n`;
      },
    },
    hooks: {
      // A table that is wider than the window is scrolled, and can be focused for this.
      postprocess: (html) =>
        html.replaceAll("<table>", '<div class="wide-table" tabindex="0"><table>')
          .replaceAll("</table>", "</table></div>"),
    },
  });
  const sections = sectionsOf(guide);
  const links = [...modulesOf("guide.js")].sort()
    .map((name) => `<link rel="modulepreload" href="../console/${name}">`);
  return page
    .replace("{title}", () => escaped(titleOf(guide)))
    .replace(/<!-- modules: .*? -->/, () => links.join("\n    "))
    .replace(/<!-- guides: .*? -->/, () => GUIDES.map((one) => entryOf(one, guide)).join(""))
    .replace(
      /<!-- headings: .*? -->/,
      () =>
        sections.filter(({ anchor }) => anchor !== "").map(({ anchor, title }) =>
          `<li><a href="#${anchor}">${escaped(title.split(" · ").at(-1)!)}</a></li>`
        ).join(""),
    )
    .replace(/<!-- guide: .*? -->/, () => marked.parse(guide.text, { async: false }));
}

function entryOf(guide: Guide, shown: Guide): string {
  const current = guide === shown ? ' aria-current="page"' : "";
  return `<li><a href="${guide.name}"${current}>${escaped(titleOf(guide))}</a></li>`;
}

/** Returns a guide as Markdown whose links lead to the served files. */
function markdownOf(guide: Guide): string {
  const text = guide.text.includes(DOCUMENTED)
    ? guide.text.replace("\n", `\n\n${ADDRESS_NOTE}\n`)
    : guide.text;
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, content, href) => {
    const target = targetOf(guide, href);
    if (target === undefined) return content;
    return `[${content}](${target.replace(/^(\w+)(?=#|$)/, "$1.md")})`;
  });
}

/** Address of the service in the guides. The script of a page replaces it by the real one. */
const DOCUMENTED = "http://127.0.0.1:8080";

/** Sentence in the Markdown files, which no script changes. */
const ADDRESS_NOTE = `Replace \`${DOCUMENTED}\` by the address from which you read this page.`;

/**
 * Returns where a link of a guide leads, relative to its page. Files that are not guides are not
 * served, so a link to them has no target.
 */
function targetOf(guide: Guide, href: string): string | undefined {
  if (href.startsWith(DOCUMENTED)) return `..${href.slice(DOCUMENTED.length) || "/"}`;
  if (/^[a-z]+:/.test(href) || href.startsWith("#")) return href;
  const { pathname, hash } = new URL(href, `file:///${guide.path}`);
  const target = GUIDES.find(({ path }) => `/${path}` === pathname);
  return target && target.name + hash;
}

/** Divides a guide at its headings. */
function sectionsOf(guide: Guide): GuideSection[] {
  const sections: GuideSection[] = [];
  for (const token of new Lexer().lex(guide.text)) {
    if (token.type === "heading") {
      const heading = plainOf((token as Tokens.Heading).tokens);
      const isFirst = sections.length === 0;
      sections.push({
        guide: guide.name,
        anchor: isFirst ? "" : anchorOf(heading),
        title: isFirst ? heading : `${sections[0]!.title} · ${heading}`,
        text: "",
      });
    } else sections.at(-1)!.text += wordsOf(token.raw);
  }
  return sections;
}

const titleOf = (guide: Guide) => /^# (.+)$/m.exec(guide.text)![1]!;

/** Returns the text of a heading without its markup. */
function plainOf(tokens: Tokens.Generic[]): string {
  return tokens.map((token) => token.text ?? token.raw).join("");
}

/** Returns Markdown without the signs of tables, emphasis, code and links. */
function wordsOf(markdown: string): string {
  return markdown.replaceAll(/\]\([^)]*\)|^```\w*$|\*\*|[[`|]|-{3,}/gm, " ").replaceAll(
    /\s+/g,
    " ",
  );
}

/** Returns the anchor that the usual renderers make from a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
