// Shows a request as curl, MCP call, TypeScript and Python, with its key, its cost and its replay.
import { useState } from "preact/hooks";
import { Code, Copy, html, Tabs } from "./parts.js";
import { asCurl, asMcp, asPython, asTypeScript } from "./requests.js";
import { costOf, session } from "./session.js";
import { count, numeral } from "./words.js";

/** Shows a button that scrolls to the request, which is below the results in a narrow window. */
export function ToRequest() {
  const show = ({ target }) =>
    target.closest(".columns").querySelector(".request").scrollIntoView();
  return html`
    <button type="button" class="small to-request" onClick=${show}
    >Cost, curl, MCP and programs</button>
  `;
}

/**
 * Shows a request that was sent, or the one that a form will send.
 * @param {{call: import("./requests.js").Call, exchange?: import("./session.js").Exchange}} props
 */
export function RequestPanel({ call, exchange }) {
  const shown = exchange ?? call;
  const { key } = shown;
  return html`
    <aside class="request" aria-label="The request">
      <h2>${exchange ? "This request" : "The request that will be sent"}</h2>
      <dl>
        <div><dt>Cost</dt><dd class="cost">${exchange ? costOf(exchange) : priceOf(call)}</dd></div>
        ${exchange?.milliseconds !== undefined &&
          html`
            <div>
              <dt>Answered</dt>
              <dd>${statusOf(exchange)}</dd>
            </div>
          `}
        ${key && html`
          <div>
            <dt>Idempotency key</dt>
            <dd class="key"><code>${key}</code>
            <${Copy} text=${key} what="idempotency key" /></dd>
          </div>
        `}
        ${exchange?.facts?.request_id &&
          html`
            <div>
              <dt>Request id</dt>
              <dd><code>${exchange.facts.request_id}</code></dd>
            </div>
          `}
      </dl>
      <${Tabs} label="The request in another language" tabs=${[
        ["curl", () => html`<${Code} text=${asCurl(shown)} label="curl command" />`],
        ["MCP", () => html`<${Code} text=${asMcp(shown)} label="MCP tool call" />`],
        [
          "TypeScript",
          () => html`<${Code} text=${asTypeScript(shown)} label="TypeScript program" />`,
        ],
        ["Python", () => html`<${Code} text=${asPython(shown)} label="Python program" />`],
      ]} />
      ${key && !exchange?.answer?.error &&
        html`<p class="quiet">${
          exchange
            ? "All four forms have the key of this request, so they get the same answer, free."
            : "Every request has a new key. A request that is repeated with its key is not " +
              "charged again."
        }</p>`}
      ${exchange && key && exchange.state !== "sending" && html`<${Replay} exchange=${exchange} />`}
      ${exchange?.answer && html`
        <details class="raw">
          <summary>Answer as JSON</summary>
          <${Code} text=${JSON.stringify(exchange.answer, null, 2)} label="Answer as JSON" />
        </details>
      `}
    </aside>
  `;
}

function Replay({ exchange }) {
  const [busy, setBusy] = useState(false);
  const replay = async () => {
    setBusy(true);
    await session.replay(exchange);
    setBusy(false);
  };
  const last = exchange.replays.at(-1);
  return html`
    <div class="replay">
      <button type="button" onClick=${replay} disabled=${busy}>Send it again, same key</button>
      <div aria-live="polite">${last && html`<p>${replayText(last)}</p>`}</div>
    </div>
  `;
}

/**
 * Describes a repeated request and its cost. A replay is free. The cost is not computed from the
 * allowance, because other programs may use the account at the same time.
 */
function replayText({ status, answer, facts, milliseconds }) {
  if (status === 0) return "The service did not answer. Trying again is safe.";
  const source = facts.replayed ? "Answered from the same operation" : "Answered again";
  const { request_units, delivered_units } = facts.replayed ? FREE : answer.usage ?? FREE;
  const charged = `${count(request_units, "request")}, ${delivered_units} delivered`;
  return `${source} in ${milliseconds} ms. Charged this time: ${charged}.`;
}

const FREE = { request_units: 0, delivered_units: 0 };

function statusOf({ status, milliseconds, state }) {
  if (state === "sending") return "…";
  return status === 0 ? "no answer" : `${status} in ${numeral(milliseconds)} ms`;
}

function priceOf({ action, body, params = [] }) {
  const limit = body?.limit ?? params.find(([name]) => name === "limit")?.[1];
  if (action === "search_companies") return `1 request + up to ${limit} delivered`;
  return "1 request + 1 delivered per company";
}
