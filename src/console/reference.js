// Page of the reference: HTTP calls with their MCP tools, errors and schemas. Its search also finds
// sections of the guides.
import { useEffect, useState } from "preact/hooks";
import { sectionsWith } from "./find.js";
import { Code, draw, html, Tabs, Top } from "./parts.js";
import {
  AsCode,
  ErrorEntry,
  FieldEntry,
  Fields,
  GuideSection,
  KeyBox,
  Prose,
  Schema,
  Try,
} from "./reference_parts.js";
import { GUIDE_SECTIONS, GUIDES, info, resolved, SECTIONS } from "./reference_sections.js";
import { BASE } from "./requests.js";
import { count } from "./words.js";

const GROUPS = {
  guide: "Guides",
  call: "HTTP calls",
  tool: "MCP only",
  error: "Errors",
  schema: "Schemas",
};

function Reference() {
  const [phrase, setPhrase] = useState("");
  const isSearch = phrase.trim() !== "";
  const sections = isSearch ? sectionsWith([...SECTIONS, ...GUIDE_SECTIONS], phrase) : SECTIONS;
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <${Top} page="reference" />
    <div class="reference">
      <nav aria-label="Reference">
        <search>
          <label class="sr" for="find">Search the reference</label>
          <input id="find" type="search" placeholder="Search guides, calls, errors" value=${phrase}
            onInput=${({ target }) => setPhrase(target.value)} />
          <p class="quiet" role="status">${isSearch
            ? `${count(sections.length, "entry", "entries")} found`
            : ""}</p>
        </search>
        <${Contents} sections=${isSearch ? sections : [...GUIDES, ...SECTIONS]}
          isSearch=${isSearch} />
      </nav>
      <main id="main" tabindex="-1">
        ${isSearch ? html`<h1 class="sr">Found in the reference</h1>` : html`<${Introduction} />`}
        <${KeyBox} />
        ${sections.map(({ kind, id, address, value }) => {
          const Section = VIEWS[kind];
          return html`<${Section} key=${id} ...${{ id, address, value, phrase }} />`;
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
  const found = Map.groupBy(sections, ({ kind }) => kind);
  const groups = Object.keys(GROUPS).filter((kind) => found.has(kind));
  return html`
    <details class="contents" open=${isSearch || isWide}>
      <summary>Contents</summary>
      ${groups.map((kind) =>
        html`
          <h2>${GROUPS[kind]}</h2>
          <ul>${found.get(kind).map(({ address, title }) =>
            html`<li><a href=${address}>${
              kind === "guide" ? title : html`<code>${title.replace(/^(GET|POST) /, "")}</code>`
            }</a></li>`
          )}</ul>
        `
      )}
    </details>
  `;
}

function Introduction() {
  const { title, version, description } = info;
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

const VIEWS = {
  guide: GuideSection,
  call: Call,
  tool: ToolAlone,
  error: ErrorEntry,
  schema: Schema,
};

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
  // Only the calls that need no key state their security themselves.
  if (security) return html`<${AsCode} call=${{ ...build({ values: {} }), isOpen: true }} />`;
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

draw(html`<${Reference} />`);
// The browser looked for the fragment before the sections existed.
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
