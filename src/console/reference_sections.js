// Sections of the reference and of the guides, each with all of its words for the search.
import { guideSections } from "./find.js";
import { BASE } from "./requests.js";

const [contract, tools, guides] = await Promise.all(
  ["openapi.json", "docs/tools.json", "docs/guides.json"].map(async (path) =>
    (await fetch(BASE + path)).json()
  ),
);

/** Returns a part of the contract, or what it refers to. */
export const resolved = (value) =>
  value.$ref ? value.$ref.slice(2).split("/").reduce((at, name) => at[name], contract) : value;

const callsOf = () =>
  Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
      parameters: operation.parameters ?? [],
      tools: tools.filter(({ actions }) => actions.includes(operation.operationId)),
    }))
  );

const CALLS = callsOf();
const TOOLS_ALONE = tools.filter((tool) => !CALLS.some((call) => call.tools.includes(tool)));
const ERRORS = errorsOf();
const SCHEMAS = Object.entries(contract.components.schemas);

/**
 * Returns the error codes with their status, their message, and the calls that can answer with
 * them.
 */
function errorsOf() {
  const errors = new Map();
  const entryOf = (code, status, message) => {
    if (!errors.has(code)) errors.set(code, { code, status, message, calls: [] });
    return errors.get(code);
  };
  for (const call of CALLS) {
    for (const [status, response] of Object.entries(call.responses)) {
      if (status < 400) continue;
      const { examples = {} } = resolved(response).content?.["application/json"] ?? {};
      for (const [code, { summary, value }] of Object.entries(examples)) {
        // A service that is not ready also answers 503, but without an error.
        if (!value.error) continue;
        entryOf(code, status, summary).calls.push(call);
      }
    }
  }
  return [...errors.values()];
}

/** Sections of the page, each with all of its words for the search. */
export const SECTIONS = [
  ...CALLS.map((call) => section("call", call.operationId, `${call.method} ${call.path}`, call)),
  ...TOOLS_ALONE.map((tool) => section("tool", tool.name, tool.name, tool)),
  ...ERRORS.map((error) =>
    section("error", error.code, error.code, {
      ...error,
      calls: error.calls.map(({ path }) => path),
    }, error)
  ),
  ...SCHEMAS.map(([name, schema]) => section("schema", name, name, { name, schema })),
];

/** Sections of the guides, which only a search shows here. */
export const GUIDE_SECTIONS = guideSections(guides).map((value) => ({
  ...value,
  kind: "guide",
  id: `guide-${value.guide}-${value.anchor}`,
  address: `docs/${value.guide}${value.anchor && `#${value.anchor}`}`,
  value,
}));

/** Beginnings of the guides, which the table of contents lists. */
export const GUIDES = GUIDE_SECTIONS.filter(({ anchor }) => anchor === "");

function section(kind, name, title, words, value = words) {
  // A search for an error code finds the section of the code, and the calls that list the code.
  return {
    kind,
    id: `${kind}-${name}`,
    address: `#${kind}-${name}`,
    title,
    value,
    names: `${title} ${words.summary ?? ""}`.toLowerCase(),
    words: wordsOf(kind, words).toLowerCase(),
  };
}

function wordsOf(kind, value) {
  if (kind !== "call") return JSON.stringify(value);
  const { responses, ...call } = value;
  return JSON.stringify(call) + Object.values(responses).map((one) => {
    const { examples = {} } = resolved(one).content?.["application/json"] ?? {};
    return Object.keys(examples).join(" ");
  }).join(" ");
}

export const { info } = contract;
