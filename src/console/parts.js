// Parts that several pages share.
import { h, render } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import htm from "htm";
import { explain } from "./faults.js";

export const html = htm.bind(h);

/** Draws the page in place of its loading screen. */
export function draw(page) {
  const app = document.getElementById("app");
  app.replaceChildren();
  render(page, app);
}

/** Shows a code block, and a button that copies it or a version of it with a secret. */
export function Code({ text, label, copied = text }) {
  return html`
    <div class="code">
      <pre tabindex="0" aria-label=${label}><code>${text}</code></pre>
      <${Copy} text=${copied} what=${label} />
    </div>
  `;
}

/** Shows a button that copies a text and reports that it did. */
export function Copy({ text, what }) {
  const [state, setState] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("Copied");
    } catch {
      setState("Select the text and copy it");
    }
    setTimeout(() => setState(""), 2_000);
  };
  return html`
    <button type="button" class="small copy" onClick=${copy} aria-label="Copy: ${what}">
      <span aria-live="polite">${state || "Copy"}</span>
    </button>
  `;
}

/**
 * Shows tabs, which the user can also change with the arrow keys.
 * @param {{label: string, tabs: [string, () => unknown][]}} props
 */
export function Tabs({ label, tabs }) {
  const [chosen, choose] = useState(0);
  const id = useId();
  const list = useRef();
  const shown = Math.min(chosen, tabs.length - 1);
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (shown + step + tabs.length) % tabs.length;
    choose(next);
    list.current.children[next].focus();
    event.preventDefault();
  };
  return html`
    <div class="tabs">
      <div role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
        ${tabs.map(([name], at) =>
          html`
            <button
              type="button" role="tab" id="${id}-${at}" aria-selected=${at === shown}
              aria-controls="${id}-panel" tabindex=${at === shown ? 0 : -1}
              onClick=${() => choose(at)}
            >${name}</button>
          `
        )}
      </div>
      <div role="tabpanel" id="${id}-panel" aria-labelledby="${id}-${shown}">
        ${tabs[shown][1]()}
      </div>
    </div>
  `;
}

/** Shows an error, with actions that can help. */
export function Fault({ answer, facts, onRetry, onRepeat }) {
  const { title, advice, retry } = explain(answer);
  return html`
    <div class="fault" role="alert">
      <h2>${title}</h2>
      <p>${advice}</p>
      ${retry === "same" && onRetry &&
        html`<button type="button" onClick=${onRetry}>Send it again, same key</button>`}
      ${retry === "new" && onRepeat &&
        html`<button type="button" onClick=${onRepeat}>Try again with a new key</button>`}
      <p class="quiet">
        Code <code>${answer.error.code}</code>
        ${facts?.request_id && html`<br />Request id <code>${facts.request_id}</code>`}
      </p>
    </div>
  `;
}

/** Shows a field with its label. Screen readers read the hint together with the field. */
export function Field({ label, hint, children, class: name = "" }) {
  const id = useId();
  return html`
    <div class="field ${name}">
      <label for=${id}>${label}</label>
      ${children({ id, "aria-describedby": hint ? `${id}-hint` : undefined })}
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    </div>
  `;
}

/** Shows check boxes. Any number of them may be chosen. */
export function Choices({ legend, options, chosen, onChange }) {
  const toggle = (value) => () =>
    onChange(
      chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
    );
  return html`
    <fieldset class="choices">
      <legend>${legend}</legend>
      ${options.map(([value, label]) =>
        html`
          <label class="chip">
            <input type="checkbox" checked=${chosen.includes(value)} onChange=${toggle(value)} />
            <span>${label}</span>
          </label>
        `
      )}
    </fieldset>
  `;
}

/**
 * Shows the header of all pages.
 * @param {{page: string, root?: string, children?: unknown}} props root is the path from the page to
 *   the console; empty for the same folder
 */
export function Top({ page, root = "", children }) {
  return html`
    <header class="top">
      <a class="brand"
        href=${root ||
          "./"}><span class="mark" aria-hidden="true"></span><span>Company evidence</span></a>
      <nav aria-label="Pages" class="pages">
        <a href=${root || "./"} aria-current=${page === "console" ? "page" : undefined}>Console</a>
        <a href="${root}docs/first_minutes"
          aria-current=${page === "guides" ? "page" : undefined}>Guides</a>
        <a href="${root}docs" aria-current=${page === "reference" ? "page" : undefined}
        >Reference</a>
      </nav>
      <div class="top-end">
        ${children}
        <button
          type="button" class="icon" onClick=${() => globalThis.toggleTheme()}
          aria-label="Change between dark and light"
        ><span class="theme-icon" aria-hidden="true"></span></button>
      </div>
    </header>
  `;
}
