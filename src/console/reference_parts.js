// Parts of the reference: formatted text, errors, schemas as lists of fields, and forms that send
// requests.
import { useState } from "preact/hooks";
import { excerptOf } from "./find.js";
import { Code, Field, html, Tabs } from "./parts.js";
import { asCurl, asPython, asTypeScript } from "./requests.js";
import { randomKey, session, useSession } from "./session.js";
import { useDemoKey } from "./sign_in.js";

/** Shows a text of the contract with its paragraphs, lists, `code` and **strong**. */
export function Prose({ text = "" }) {
  return text.split(/\n\n+/).map((block) => {
    if (!block.startsWith("- ")) return html`<p>${spans(block)}</p>`;
    const items = block.split(/\n(?=- )/).map((item) => item.replace(/^- /, ""));
    return html`<ul class="bullets">${items.map((item) => html`<li>${spans(item)}</li>`)}</ul>`;
  });
}

function spans(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith("**") ? html`<b>${part.slice(2, -2)}</b>` : part;
  });
}

const nameOf = (ref) => ref.split("/").at(-1);

/** Shows the type of a schema, with links to named schemas. */
function Type({ schema }) {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.type === "array") return html`list of <${Type} schema=${schema.items ?? {}} />`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    return choices.map((one, at) => html`${at > 0 && " or "}<${Type} schema=${one} />`);
  }
  if (schema.enum) {
    return schema.enum.map((value) =>
      html`
        <code class="value">${value}</code>
      `
    );
  }
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  const type = [schema.type ?? "any"].flat().join(" or ");
  return schema.format ? `${type}, ${schema.format}` : type;
}

/** Returns the bounds of a value, in words. */
function boundsOf(schema) {
  const { minimum, maximum, minLength, maxLength, maxItems, default: preset } = schema;
  return [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && `at least ${minimum}`,
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} values`,
    preset !== undefined && `default ${JSON.stringify(preset)}`,
  ].filter(Boolean).join(", ");
}

/**
 * Shows a list of fields with their types and meanings. The fields of unnamed objects are listed
 * within their field.
 * @param {{schema: object}} props
 */
export function Fields({ schema }) {
  const { properties = {}, required = [] } = schema;
  return html`
    <dl class="fields">
      ${Object.entries(properties).map(([name, one]) =>
        html`<${FieldEntry} ...${{ name, schema: one, required: required.includes(name) }} />`
      )}
    </dl>
  `;
}

/** Shows a field, a parameter or a header with its name, its type and its meaning. */
export function FieldEntry({ name, schema, required, description = schema.description }) {
  const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined;
  const bounds = boundsOf(schema);
  return html`
    <div>
      <dt><code>${name}</code>${required && html`
        <span class="tag plain">required</span>
      `}</dt>
      <dd>
        <span class="quiet">${inner ? "object" : html`<${Type} schema=${schema} />`}${bounds &&
          ` · ${bounds}`}</span>
        ${description && html`
          <div>
            <${Prose} text=${description} />
          </div>
        `}
        ${inner && html`<${Fields} schema=${inner} />`}
      </dd>
    </div>
  `;
}

/** Shows an error code, and the calls that can answer with it. */
export function ErrorEntry({ id, value: { code, status, message, calls } }) {
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

/** Shows a named schema. */
export function Schema({ id, value: { name, schema } }) {
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

/** Shows what a search has found in a guide, with a link to it. */
export function GuideSection({ id, address, phrase, value: { title, text } }) {
  return html`
    <article class="schema" id=${id} aria-labelledby="${id}-title">
      <h2 id="${id}-title"><a href=${address}>${title}</a></h2>
      <p>${excerptOf(text, phrase)}</p>
    </article>
  `;
}

/** Shows a form for the key that the calls of the reference send. */
export function KeyBox() {
  const { key } = useSession();
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);
  const demo = useDemoKey();
  const signIn = async (entered) =>
    setRefused(await session.signIn(entered.trim(), false) !== undefined);
  if (key) {
    return html`
      <div class="key-box"><span class="tag">Calls are tried with your key</span>
        <button type="button" class="small" onClick=${() => session.signOut()}>Forget it</button>
      </div>
    `;
  }
  return html`
    <form class="inline key-box" onSubmit=${(event) => (event.preventDefault(), signIn(text))}>
      <${Field} label="API key, to try calls" hint=${refused || session.notice
        ? "This key does not work."
        : "Kept in the memory of this page only. A key that the console keeps until the tab is " +
          "closed works here too."}>${(ids) =>
        html`
          <input ...${ids} type="password" required autocomplete="off" value=${text}
            onInput=${({ target }) => setText(target.value)} />
        `}<//>
      <button>Use it</button>
      ${demo &&
        html`<button type="button" onClick=${() => signIn(demo)}>Use the demo key</button>`}
    </form>
  `;
}

/**
 * Shows a form that sends a request, one at a time. Each execution has a new idempotency key, except
 * that a request whose outcome is unknown is repeated with its key.
 * @param {{fields: object[], example?: object, metered: boolean, label: string,
 *   build: (inputs: {values: object, body?: object, key?: string}) => object}} props
 */
export function Try({ fields, example, metered, build, label }) {
  const { key: apiKey } = useSession();
  const [values, setValues] = useState(() => presetsOf(fields));
  const [text, setText] = useState(example && JSON.stringify(example, null, 2));
  const [fault, setFault] = useState();
  const [exchange, setExchange] = useState();
  /** Key of the call as code, which a reader may also copy without executing it here. */
  const [codeKey] = useState(randomKey);
  const callWith = (key) => {
    const body = text === undefined ? undefined : JSON.parse(text);
    return build({ values, body, key: metered ? key : undefined });
  };
  const run = (event) => {
    event.preventDefault();
    if (isSending) return;
    try {
      const call = callWith(randomKey());
      setFault(undefined);
      setExchange(session.start(call));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      setFault(`This is not JSON: ${error.message}`);
    }
  };
  const code = () => {
    try {
      return callWith(exchange?.key ?? codeKey);
    } catch {
      // The reader is still writing the body.
      return undefined;
    }
  };
  const codeCall = code();
  const isSending = exchange?.state === "sending" && apiKey !== undefined;
  return html`
    <form class="try" onSubmit=${run} aria-label=${`Try ${label}`}>
      ${fields.map(({ name, required }) =>
        html`<${Field} label=${name}>${(ids) =>
          html`
            <input ...${ids} required=${required} value=${values[name] ?? ""} autocomplete="off"
              onInput=${({ target }) => setValues({ ...values, [name]: target.value })} />
          `}<//>`
      )}
      ${text !== undefined && html`
        <${Field} label=${label.startsWith("tool") ? "Arguments" : "Body"}>${(ids) =>
          html`
            <textarea ...${ids} spellcheck="false" rows=${Math.min(14, text.split("\n").length)}
              value=${text} onInput=${({ target }) => setText(target.value)}></textarea>
          `}<//>
      `}
      <p class="try-run"><button class="primary" disabled=${!apiKey}
        aria-disabled=${isSending}>Execute</button>
        <span class="quiet">${apiKey
          ? metered ? "with a new idempotency key, which a retry after an error keeps" : "free"
          : "Needs a key, above."}</span></p>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      ${isSending && html`<p class="quiet" role="status">Waiting for the answer …</p>`}
      ${!isSending && exchange?.answer && html`<${Answer} exchange=${exchange} />`}
      ${codeCall && html`<${AsCode} call=${codeCall} />`}
    </form>
  `;
}

/** Shows a call as commands and programs in three languages. */
export function AsCode({ call }) {
  return html`
    <${Tabs} label="The call as code" tabs=${[
      ["curl", () => html`<${Code} text=${asCurl(call)} label="curl command" />`],
      ["TypeScript", () => html`<${Code} text=${asTypeScript(call)} label="TypeScript program" />`],
      ["Python", () => html`<${Code} text=${asPython(call)} label="Python program" />`],
    ]} />
  `;
}

const presetsOf = (fields) =>
  Object.fromEntries(
    fields.map((
      { name, example },
    ) => [name, example === undefined ? "" : [example].flat().join(" ")]),
  );

function Answer({ exchange }) {
  const { status, milliseconds, answer, key, facts } = exchange;
  return html`
    <div class="answer" role="status">
      <p><b>${status}</b> in ${milliseconds} ms ${key &&
        html`<span class="quiet">key <code class="used-key">${key}</code></span>`}</p>
      ${facts?.request_id && html`<p class="quiet">Request id <code>${facts.request_id}</code></p>`}
      <${Code} text=${JSON.stringify(answer, null, 2)} label="Answer" />
    </div>
  `;
}
