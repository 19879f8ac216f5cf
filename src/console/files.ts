/**
 * The files of the console and the reference, as browsers request them. Pages contain only relative
 * addresses, so they work below any path. Only this module reads the files.
 */
import hooks from "preact/hooks" with { type: "text" };
import preact from "preact" with { type: "text" };
import htm from "htm" with { type: "text" };
import accountPages from "./account_pages.js" with { type: "text" };
import agentsPage from "./agents_page.js" with { type: "text" };
import companies from "./companies.js" with { type: "text" };
import consoleScript from "./console.js" with { type: "text" };
import domainsPages from "./domains_pages.js" with { type: "text" };
import faults from "./faults.js" with { type: "text" };
import find from "./find.js" with { type: "text" };
import guide from "./guide.js" with { type: "text" };
import icon from "./icon.svg" with { type: "text" };
import licences from "./licences.txt" with { type: "text" };
import observation from "./observation.js" with { type: "text" };
import operations from "./operations.js" with { type: "text" };
import page from "./page.html" with { type: "text" };
import parts from "./parts.js" with { type: "text" };
import progress from "./progress.js" with { type: "text" };
import referenceScript from "./reference.js" with { type: "text" };
import referenceParts from "./reference_parts.js" with { type: "text" };
import referenceSections from "./reference_sections.js" with { type: "text" };
import requestPanel from "./request_panel.js" with { type: "text" };
import requests from "./requests.js" with { type: "text" };
import searchPage from "./search_page.js" with { type: "text" };
import session from "./session.js" with { type: "text" };
import signIn from "./sign_in.js" with { type: "text" };
import accountStyle from "./styles/account.css" with { type: "text" };
import baseStyle from "./styles/base.css" with { type: "text" };
import frameStyle from "./styles/frame.css" with { type: "text" };
import narrowStyle from "./styles/narrow.css" with { type: "text" };
import printStyle from "./styles/print.css" with { type: "text" };
import referenceStyle from "./styles/reference.css" with { type: "text" };
import resultsStyle from "./styles/results.css" with { type: "text" };
import theme from "./theme.js" with { type: "text" };
import timeline from "./timeline.js" with { type: "text" };
import why from "./why.js" with { type: "text" };
import words from "./words.js" with { type: "text" };

/** A file as it is served. */
export interface ConsoleFile {
  type: string;
  text: string;
}

/** Modules of all pages, by their names. */
const MODULES: Record<string, string> = {
  "account_pages.js": accountPages,
  "agents_page.js": agentsPage,
  "companies.js": companies,
  "console.js": consoleScript,
  "domains_pages.js": domainsPages,
  "faults.js": faults,
  "find.js": find,
  "guide.js": guide,
  "observation.js": observation,
  "operations.js": operations,
  "parts.js": parts,
  "progress.js": progress,
  "reference.js": referenceScript,
  "reference_parts.js": referenceParts,
  "reference_sections.js": referenceSections,
  "request_panel.js": requestPanel,
  "requests.js": requests,
  "search_page.js": searchPage,
  "session.js": session,
  "sign_in.js": signIn,
  "timeline.js": timeline,
  "why.js": why,
  "words.js": words,
  "vendor/htm.js": noticed(htm, "htm, Apache-2.0"),
  "vendor/hooks.js": noticed(hooks, "Preact, MIT, Copyright (c) 2015-present Jason Miller"),
  "vendor/preact.js": noticed(preact, "Preact, MIT, Copyright (c) 2015-present Jason Miller"),
};

/** Modules of libraries, by their names in the import map of the pages. */
const VENDORED: Record<string, string> = {
  htm: "vendor/htm.js",
  preact: "vendor/preact.js",
  "preact/hooks": "vendor/hooks.js",
};

/** Style sheets of the console, in the order in which they apply. */
const SHEETS = [baseStyle, frameStyle, resultsStyle, accountStyle, narrowStyle, printStyle];

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** Every file by the path at which it is served. */
export const CONSOLE_FILES: ReadonlyMap<string, ConsoleFile> = new Map([
  ["/", htmlFile({ title: "Console", script: "console.js", style: "style.css" })],
  ["/docs", htmlFile({ title: "Reference", script: "reference.js", style: "reference.css" })],
  // The style sheets are one file, because a page is shown only when all of them have arrived.
  ["/console/style.css", sheetFile(SHEETS)],
  ["/console/reference.css", sheetFile([...SHEETS, referenceStyle])],
  ["/console/icon.svg", { type: "image/svg+xml", text: icon }],
  ["/console/licences.txt", { type: "text/plain; charset=utf-8", text: licences }],
  ["/console/theme.js", { type: SCRIPT, text: theme }],
  ...Object.entries(MODULES).map(([name, text]): [string, ConsoleFile] => [
    `/console/${name}`,
    { type: SCRIPT, text: withoutComments(text) },
  ]),
]);

/** Adds the licence of a library at its beginning, because the minified text has none. */
function noticed(text: string, licence: string): string {
  return `/*! ${licence}. See ../licences.txt */\n${text}`;
}

function sheetFile(sheets: string[]): ConsoleFile {
  return { type: STYLE, text: sheets.join("\n").replace(/^\/\*[^]*?\*\/\n/gm, "") };
}

/**
 * Removes the comments at the left margin, which are a tenth of the bytes of the pages. The licences
 * of libraries are kept.
 */
function withoutComments(text: string): string {
  return text.replace(/^\/\/.*\n|^\/\*\*[^]*?\*\/\n/gm, "");
}

/** Returns a page that names all of its modules, so that a browser requests them at once. */
function htmlFile(
  { title, script, style }: { title: string; script: string; style: string },
): ConsoleFile {
  const links = [...modulesOf(script)].sort()
    .map((name) => `<link rel="modulepreload" href="console/${name}">`);
  const text = page.replace("{title}", title).replace("{script}", script).replace("{style}", style)
    .replace(/<!-- modules: .*? -->/, links.join("\n    "));
  return { type: "text/html; charset=utf-8", text };
}

/** Returns the names of a module and of all modules that it imports, directly or indirectly. */
export function modulesOf(name: string, found = new Set<string>()): Set<string> {
  // Some modules contain snippets for users, which import packages that are not among the modules.
  if (found.has(name) || !Object.hasOwn(MODULES, name)) return found;
  found.add(name);
  for (const [, specifier] of MODULES[name]!.matchAll(/\bfrom\s*"([^"]+)"/g)) {
    modulesOf(VENDORED[specifier!] ?? specifier!.replace("./", ""), found);
  }
  return found;
}
