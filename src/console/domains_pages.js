// Pages that list observations of pasted domains, that look up companies, and that show an agent's search.
import { useState } from "preact/hooks";
import { Companies } from "./companies.js";
import { useOperations } from "./operations.js";
import { Choices, Field, html } from "./parts.js";
import { Paid, Progress } from "./progress.js";
import { RequestPanel, ToRequest } from "./request_panel.js";
import { listingCall, lookupCall } from "./requests.js";
import { KindsChart } from "./timeline.js";
import { count, KINDS, moment } from "./words.js";

/** Returns the hostnames in a pasted text, including those in URLs and e-mail addresses. */
export function hostnamesOf(text) {
  const names = text.split(/[\s,;|"'<>()]+/).map((one) =>
    one.toLowerCase().replace(/^[a-z]+:\/\//, "").replace(/^.*@/, "").replace(/[/?#:].*$/, "")
      .replace(/\.$/, "")
  ).filter((one) => one !== "");
  return [...new Set(names)];
}

const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const isId = (target) => /^[0-9]+$/.test(target);

export function ListingPage({ ids }) {
  const [text, setText] = useState("");
  const [since, setSince] = useState(daysAgo(365));
  const [exact, setExact] = useState();
  const [kinds, setKinds] = useState([]);
  const [limit, setLimit] = useState(100);
  const { key, pages, last, run, repeat } = useOperations("follow", ids);
  const domains = hostnamesOf(text);
  const inputs = { domains, since: exact ?? `${since}T00:00:00Z`, kinds, limit };
  const call = { ...listingCall(inputs), key };
  const isEdited = last?.inputs && JSON.stringify(last.inputs) !== JSON.stringify(inputs);
  const list = (event) => {
    event.preventDefault();
    if (domains.length > 0) run({ ...call, inputs });
  };
  const next = () => {
    const { inputs: same, answer } = last;
    run({ ...listingCall({ ...same, cursor: answer.next_cursor }), inputs: same }, pages);
  };
  return html`
    <div class="columns">
      <div>
        <form onSubmit=${list}>
          <h1>Follow domains</h1>
          <p class="lead">Observations recorded about companies since a day, oldest first.</p>
          <${Domains} ...${{ text, setText, domains, most: 100 }} />
          <div class="pair">
            <${Field} label="Recorded since" hint=${exact && `Exactly ${exact}`}>${(ids) =>
              html`
                <input ...${ids} type="date" required value=${since}
                  onInput=${({ target }) => (setSince(target.value), setExact(undefined))} />
              `}<//>
            <${Field} label="Observations per page">${(ids) =>
              html`<select ...${ids} onChange=${({ target }) => setLimit(Number(target.value))}>
                ${[10, 25, 100].map((n) => html`<option selected=${n === limit}>${n}</option>`)}
              </select>`}<//>
          </div>
          <details class="filters"><summary>Kinds ${kinds.length > 0 &&
            html`<span class="tag">${kinds.length} chosen</span>`}</summary>
            <${Choices} legend="Only these kinds" chosen=${kinds} onChange=${setKinds}
              options=${Object.entries(KINDS).map(([kind, [label]]) => [kind, label])} />
          </details>
          <p class="actions"><button class="primary" disabled=${domains.length ===
            0}>List observations</button><${ToRequest} /></p>
        </form>
        <section class="results" aria-label="Observations">
          ${last &&
            html`<${Listing} ...${{
              pages,
              onNext: next,
              onRepeat: repeat,
              onFollow: setExact,
            }} />`}
          ${!last &&
            html`<p class="empty">Observations of these domains appear here, by company, with their
            evidence.</p>`}
        </section>
      </div>
      <${RequestPanel} call=${call} exchange=${isEdited ? undefined : last} />
    </div>
  `;
}

function Domains({ text, setText, domains, most, ids = false, isMixed = false }) {
  const hint = domains.length === 0
    ? `Paste up to ${most}; addresses of pages are cut to their hostnames.`
    : isMixed
    ? "Either domains or ids: look them up one after the other."
    : `${count(domains.length, ids ? "target" : "domain")} recognized${
      domains.length > most ? `, which is more than ${most}` : ""
    }.`;
  return html`
    <${Field} label=${ids ? "Domains, or company ids" : "Domains"} hint=${hint}>${(attributes) =>
      html`
        <textarea ...${attributes} rows="4" spellcheck="false" value=${text}
          placeholder="northwind.example" onInput=${({ target }) =>
            setText(target.value)}></textarea>
      `}<//>
  `;
}

/** Shows how many observations of how many companies were found, and what was paid for them. */
function Summary({ observations, companies, ...paid }) {
  return html`
    <div class="summary">
      <p role="status"><b>${count(observations.length, "observation")}</b> of ${count(
        companies.length,
        "company",
        "companies",
      )}</p>
      <${Paid} ...${paid} />
    </div>
  `;
}

function Listing({ pages, onNext, onRepeat, onFollow }) {
  const done = pages.filter(({ state, answer }) => state === "done" && answer.observations);
  const last = pages.at(-1);
  const observations = done.flatMap(({ answer }) => answer.observations);
  const domains = done.at(-1)?.answer.domains ?? [];
  const missing = domains.filter(({ status }) => status !== "found");
  const companies = [...Map.groupBy(observations, ({ company }) => company.id).values()];
  return html`
    ${done.length > 0 && html`
      <${Summary}
        observations=${observations}
        companies=${companies}
        answer=${done.at(-1).answer}
        pageCount=${done.length}
      />
      ${missing.length > 0 && html`
        <p
          class="notice">No coverage yet: ${missing.map(({ hostname }) =>
            html`
              <code>${hostname}</code>
            `
          )}<span class="quiet">This says nothing about their companies.</span></p>
      `}
      ${observations.length === 0 && html`
        <div class="empty">
          <p>Nothing was recorded since then.</p>
        </div>
      `}
      <${KindsChart} observations=${observations} />
    `}
    <${Companies} label="Observations" companies=${companies.map((listed) => ({
      ...listed[0].company,
      observations: listed,
    }))} />
    <${Progress} exchange=${last} onRepeat=${onRepeat} />
    ${last.state === "done" &&
      (last.answer.next_cursor
        ? last.inputs &&
          html`<p class="next"><button type="button" onClick=${onNext}>Next page</button>
        <span class="quiet">A new request with its own key</span></p>`
        : html`<p class="next"><button type="button" onClick=${() => onFollow(last.answer.as_of)}>
          Follow from here</button>
        <span class="quiet">Sets “since” to ${
          moment(last.answer.as_of)
        }: the next listing has only new observations.</span></p>`)}
  `;
}

const OUTCOMES = {
  found: "found",
  not_found: "no coverage yet",
  ambiguous: "several companies have it",
  unavailable: "may not be shown now",
};

export function LookupPage({ ids }) {
  const [text, setText] = useState("");
  const { key, last, run, repeat } = useOperations("lookup", ids);
  const targets = hostnamesOf(text);
  // A lookup has either ids or domains. With a mixture, the service would look the ids up as
  // domains, and charge for it.
  const isMixed = targets.some(isId) && !targets.every(isId);
  const call = { ...lookupCall(targets), key };
  const isEdited = last?.params && JSON.stringify(last.params) !== JSON.stringify(call.params);
  const look = (event) => {
    event.preventDefault();
    if (targets.length > 0 && !isMixed) run(call);
  };
  const companies = last?.answer?.companies ?? [];
  return html`
    <div class="columns">
      <div>
        <form onSubmit=${look}>
          <h1>Look up companies</h1>
          <p class="lead">Known companies by domain or by id, with their latest observations.</p>
          <${Domains} ...${{ text, setText, domains: targets, most: 20, ids: true, isMixed }} />
          <p
            class="actions"><button class="primary" disabled=${targets.length ===
                0 || isMixed}>Look up</button><${ToRequest} /></p>
        </form>
        <section class="results" aria-label="Companies">
          ${last?.state === "done" && last.answer.lookups && html`
            <ul class="outcomes">${last.answer.lookups.map((
              { id, hostname, status },
            ) =>
              html`<li data-status=${status}><code dir="ltr">${hostname ?? id}</code> ${
                OUTCOMES[status]
              }</li>`
            )}</ul>
            <${Paid} answer=${last.answer} pageCount=${1} />
          `}
          <${Companies} companies=${companies} label="Companies" />
          ${last
            ? html`<${Progress} exchange=${last} onRepeat=${repeat} />`
            : html`<p class="empty">Companies appear here. One that is not covered costs nothing
              but the request.</p>`}
        </section>
      </div>
      <${RequestPanel} call=${call} exchange=${isEdited ? undefined : last} />
    </div>
  `;
}

/** Page that shows a search for observations, which an agent has paid for. */
export function ObservationsPage({ ids }) {
  const { last, repeat } = useOperations("observations", ids);
  const { observations } = last?.answer ?? {};
  const companies = [...Map.groupBy(observations ?? [], ({ company }) => company.id).values()];
  return html`
    <div class="columns">
      <div>
        <h1>Observations</h1>
        <p class="lead">What a search for observations has found. Agents make such searches.</p>
        <section class="results" aria-label="Observations that were found">
          ${observations && html`
            <${Summary}
              observations=${observations}
              companies=${companies}
              answer=${last.answer}
              pageCount=${1}
              unit=${["observation"]}
            />
          `}
          <${Companies} label="Observations that were found" companies=${companies.map((
            listed,
          ) => ({ ...listed[0].company, observations: listed }))} />
          ${last
            ? html`<${Progress} exchange=${last} onRepeat=${repeat} />`
            : html`<p class="empty">Open an operation by its number in Activity.</p>`}
        </section>
      </div>
      ${last && html`<${RequestPanel} call=${last} exchange=${last} />`}
    </div>
  `;
}
