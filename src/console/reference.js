// Page of the reference: HTTP calls with their MCP tools, errors and schemas.
import { useEffect, useState } from "preact/hooks";
import { Code, draw, html, Tabs, Top } from "./parts.js";
import { FieldEntry, Fields, KeyBox, Prose, Try } from "./reference_parts.js";
import { BASE } from "./requests.js";
import { count } from "./words.js";

const [contract, tools] = await Promise.all(
  ["openapi.json", "docs/tools.json"].map(async (path) => (await fetch(BASE + path)).json()),
);

const resolved = (value) =>
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
const SECTIONS = [
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

function section(kind, name, title, words, value = words) {
  // A search for an error code finds the section of the code, and the calls that list the code.
  return { kind, id: `${kind}-${name}`, title, value, words: wordsOf(kind, words).toLowerCase() };
}

function wordsOf(kind, value) {
  if (kind !== "call") return JSON.stringify(value);
  const { responses, ...call } = value;
  return JSON.stringify(call) + Object.values(responses).map((one) => {
    const { examples = {} } = resolved(one).content?.["application/json"] ?? {};
    return Object.keys(examples).join(" ");
  }).join(" ");
}

/** Returns the sections that contain all words of a phrase. */
const sectionsWith = (phrase) => {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = SECTIONS.filter((one) => words.every((word) => one.words.includes(word)));
  // Sections with a matching name precede those that only mention it.
  const named = ({ title }) => words.every((word) => title.toLowerCase().includes(word)) ? 0 : 1;
  return words.length === 0 ? hits : hits.sort((a, b) => named(a) - named(b));
};

const GROUPS = { call: "HTTP calls", tool: "MCP only", error: "Errors", schema: "Schemas" };

function Reference() {
  const [phrase, setPhrase] = useState("");
  const sections = sectionsWith(phrase);
  const isSearch = phrase.trim() !== "";
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <${Top} page="reference" />
    <div class="reference">
      <nav aria-label="Reference">
        <search>
          <label class="sr" for="find">Search the reference</label>
          <input id="find" type="search" placeholder="Search calls, tools, errors" value=${phrase}
            onInput=${({ target }) => setPhrase(target.value)} />
          <p class="quiet" role="status">${isSearch
            ? `${count(sections.length, "entry", "entries")} found`
            : ""}</p>
        </search>
        <${Contents} sections=${sections} isSearch=${isSearch} />
      </nav>
      <main id="main" tabindex="-1">
        ${isSearch ? html`<h1 class="sr">Found in the reference</h1>` : html`<${Introduction} />`}
        <${KeyBox} />
        ${sections.map(({ kind, id, value }) => {
          const Section = VIEWS[kind];
          return html`<${Section} key=${id} id=${id} ...${{ value }} />`;
        })}
        ${sections.length === 0 &&
          html`
            <div class="empty">
              <p>No entry contains all of these words.</p>
            </div>
          `}
      </main>
    </div>
  `;
}

const WIDE = matchMedia("(min-width: 1021px)");

/** Shows a table of contents. It is closed at first in a narrow window. */
function Contents({ sections, isSearch }) {
  const [isWide, setIsWide] = useState(WIDE.matches);
  useEffect(() => {
    const follow = () => setIsWide(WIDE.matches);
    WIDE.addEventListener("change", follow);
    return () => WIDE.removeEventListener("change", follow);
  }, []);
  const groups = Map.groupBy(sections, ({ kind }) => kind);
  return html`
    <details class="contents" open=${isSearch || isWide}>
      <summary>Contents</summary>
      ${[...groups].map(([kind, entries]) =>
        html`
          <h2>${GROUPS[kind]}</h2>
          <ul>${entries.map(({ id, title }) =>
            html`<li><a href="#${id}"><code>${title.replace(/^(GET|POST) /, "")}</code></a></li>`
          )}</ul>
        `
      )}
    </details>
  `;
}

function Introduction() {
  const { title, version, description } = contract.info;
  return html`
    <section class="prose">
      <h1>${title}</h1>
      <p class="lead">API version ${version} at <code>${BASE}</code>, MCP server at${" "}
        <code>${BASE}mcp</code>. The document: <a href="openapi.json">openapi.json</a>.${" "}
        <a href="console/licences.txt">Licences</a> of the libraries in these pages.</p>
      <${Prose} text=${description} />
    </section>
  `;
}

const VIEWS = { call: Call, tool: ToolAlone, error: ErrorEntry, schema: Schema };

function Call({ id, value: call }) {
  const { method, path, summary, description, requestBody, responses, tools: same } = call;
  const parameters = call.parameters.map(resolved);
  const body = requestBody && resolved(requestBody).content["application/json"];
  return html`
    <article class="entry" id=${id} aria-labelledby="${id}-title">
      <div>
        <h2 id="${id}-title">${summary}</h2>
        <p class="path"><span class="method">${method}</span> <code>${path}</code></p>
        <div class="prose"><${Prose} text=${description} /></div>
        ${parameters.length > 0 && html`
          <h3>Parameters</h3>
          <dl class="fields">${parameters.map((one) =>
            html`
              <${FieldEntry} key=${one.name} name=${one.name} schema=${one.schema}
                required=${one.required} description=${one.description} />
            `
          )}</dl>
        `}
        ${body && html`
          <h3>Body</h3>
          <${Fields} schema=${resolved(body.schema)} />
        `}
        <h3>Answers</h3>
        ${Object.entries(responses).map(([status, one]) =>
          html`<${Response} status=${status} response=${resolved(one)} />`
        )}
      </div>
      <aside aria-label="Try ${summary}">
        <${Tabs} label="Ways to call ${summary}" tabs=${[
          ["HTTP", () => html`<${TryHttp} key=${id} ...${{ call, parameters, body }} />`],
          ...same.map((tool) => [
            `MCP ${tool.name}`,
            () =>
              html`<${Tool} key=${tool.name} tool=${tool} example=${
                argumentsOf(tool, body, parameters)
              } />`,
          ]),
        ]} />
      </aside>
    </article>
  `;
}

const firstExample = (content) => Object.values(content?.examples ?? {})[0]?.value;

function TryHttp({ call, parameters, body }) {
  const { method, path, operationId, security } = call;
  const inputs = parameters.filter((one) => one.in !== "header");
  const build = ({ values, body, key }) => ({
    action: operationId,
    method,
    path: path.slice(1).replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name])),
    params: inputs.filter((one) => one.in === "query").flatMap(({ name }) =>
      (values[name] ?? "").split(/[\s,]+/).filter(Boolean).map((value) => [name, value])
    ),
    body,
    key,
  });
  if (security) {
    return html`<${Code} text="curl -sS ${BASE + path.slice(1)}" label="curl command" />`;
  }
  const fields = inputs.map(({ name, required, example, schema }) => ({
    name,
    required,
    example: example ?? schema.examples?.[0],
  }));
  return html`
    <${Try} fields=${fields} example=${firstExample(body)} build=${build}
      metered=${parameters.some(({ name }) => name === "Idempotency-Key")}
      label="${method} ${path}" />
  `;
}

/** Returns the arguments of a tool for the example of an HTTP call. */
function argumentsOf(tool, body, parameters) {
  const example = firstExample(body);
  if (example) return example;
  const { properties = {} } = tool.inputSchema;
  const values = parameters.filter((one) => one.in !== "header" && one.example !== undefined)
    .map(({ name, example }) => [name.replace("[]", ""), example]);
  return Object.fromEntries(values.filter(([name]) => Object.hasOwn(properties, name)));
}

function Tool({ tool, example }) {
  const { name, description, inputSchema } = tool;
  const takesKey = Object.hasOwn(inputSchema.properties ?? {}, "request_key");
  const build = ({ body, key }) => ({
    action: name,
    method: "POST",
    path: "mcp",
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: takesKey ? { ...body, request_key: key } : body },
    },
    key,
  });
  return html`
    <div class="prose">
      <${Prose} text=${description} />
    </div>
    <details>
      <summary>What the arguments mean</summary>
      <${Fields} schema=${inputSchema} />
    </details>
    <${Try} fields=${[]} example=${example} build=${build} label="tool ${name}"
      metered=${takesKey || name === "diagnostic"} />
  `;
}

function ToolAlone({ id, value: tool }) {
  const { properties = {} } = tool.inputSchema;
  return html`
    <article class="entry" id=${id} aria-labelledby="${id}-title">
      <div>
        <h2 id="${id}-title">${tool.title}</h2>
        <p class="path"><span class="method">MCP</span> <code>${tool.name}</code></p>
        <p>No HTTP call does this.</p>
      </div>
      <aside aria-label="Try ${tool.title}">
        <${Tool} tool=${tool} example=${properties.query
          ? { query: "tenders for snow removal", limit: 3 }
          : {}} />
      </aside>
    </article>
  `;
}

function Response({ status, response }) {
  const content = response.content?.["application/json"];
  const schema = content?.schema;
  const examples = Object.entries(content?.examples ?? {});
  return html`
    <details class="response">
      <summary><b>${status}</b> <span class="quiet">${summaryOf(
        status,
        response,
        examples,
      )}</span></summary>
      ${status < 400 && html`<${Prose} text=${response.description} />`}
      ${schema?.$ref &&
        html`<p>Body: <a href="#schema-${schema.$ref.split("/").at(-1)}">${
          schema.$ref.split("/").at(-1)
        }</a></p>`}
      ${examples.map(([name, { value, summary }]) =>
        html`
          <div class="example">
            <p><a href=${status >= 400
              ? `#error-${name}`
              : undefined}><code>${name}</code></a> ${summary}</p>
            <${Code} text=${JSON.stringify(value, null, 2)} label="Example ${name}, ${status}" />
          </div>
        `
      )}
    </details>
  `;
}

function summaryOf(status, { description }, examples) {
  return status < 400 ? description.split("\n")[0] : examples.map(([code]) => code).join(", ");
}

function ErrorEntry({ id, value: { code, status, message, calls } }) {
  return html`
    <article class="error-entry" id=${id} aria-labelledby="${id}-title">
      <h2
        id="${id}-title"><code>${code}</code> <span class="tag plain">${status}</span></h2>
      <p>${message}</p>
      <p class="paths">${calls.map(({ operationId, path }) =>
        html`
          <a href="#call-${operationId}"><code>${path}</code></a>
        `
      )}</p>
    </article>
  `;
}

function Schema({ id, value: { name, schema } }) {
  return html`
    <article class="schema" id=${id} aria-labelledby="${id}-title">
      <h2 id="${id}-title"><code>${name}</code></h2>
      ${schema.description && html`<p>${schema.description}</p>`}
      ${schema.properties ? html`<${Fields} schema=${schema} />` : html`
        <dl class="fields">
          <${FieldEntry} name="one of" schema=${schema} description="" />
        </dl>
      `}
    </article>
  `;
}

draw(html`<${Reference} />`);
// The browser looked for the fragment before the sections existed.
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
