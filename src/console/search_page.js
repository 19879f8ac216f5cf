// Page that searches: a question, filters, and companies with their evidence.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Companies } from "./companies.js";
import { useOperations } from "./operations.js";
import { Choices, Field, html } from "./parts.js";
import { Paid, Progress } from "./progress.js";
import { RequestPanel, ToRequest } from "./request_panel.js";
import { searchCall } from "./requests.js";
import { KindsChart } from "./timeline.js";
import {
  clock,
  count,
  COUNTRIES,
  DEMAND_CLASSES,
  kindLabel,
  limitationText,
  stopText,
} from "./words.js";

const EXAMPLES = [
  "tenders in Ontario",
  "new warehouse with cold storage",
  "clinics that introduce telehealth software",
  "agrandissement d'usine au Québec",
];

const NO_FILTERS = {
  countries: [],
  kinds: [],
  demand_classes: [],
  occurred_after: "",
  observed_after: "",
  domains: "",
  exclude_domains: "",
  company_ids: "",
  exclude_company_ids: "",
};

const words = (text) => text.split(/[\s,;]+/).filter((one) => one !== "");

/** Returns the filters for the service, without empty ones. */
function filtersOf(form) {
  const values = {
    ...form,
    occurred_after: form.occurred_after && `${form.occurred_after}T00:00:00Z`,
    observed_after: form.observed_after && `${form.observed_after}T00:00:00Z`,
    domains: words(form.domains),
    exclude_domains: words(form.exclude_domains),
    company_ids: words(form.company_ids).map(numberOf),
    exclude_company_ids: words(form.exclude_company_ids).map(numberOf),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0));
}

/** Returns the fields of the form for filters of the service. */
function formOf(filters) {
  const form = { ...NO_FILTERS, ...filters };
  for (const name of ["domains", "exclude_domains", "company_ids", "exclude_company_ids"]) {
    form[name] = (filters[name] ?? []).join(", ");
  }
  for (const name of ["occurred_after", "observed_after"]) form[name] = form[name].slice(0, 10);
  return form;
}

/** Converts an id to a number. Any other text is left to the service, which explains the fault. */
const numberOf = (text) => /^[0-9]+$/.test(text) ? Number(text) : text;

export function SearchPage({ ids }) {
  const [query, setQuery] = useState("");
  const [filters, setFilters] = useState(NO_FILTERS);
  const [limit, setLimit] = useState(10);
  const [background, setBackground] = useState(false);
  /** `key` is the key of the next request. The page shows it before the request is sent. */
  const { key, pages, opened, last, run, repeat } = useOperations("search", ids);
  const [isOpen, setIsOpen] = useState(false);
  const results = useRef();
  const call = { ...searchCall({ query, filters: filtersOf(filters), limit, background }), key };
  const isEdited = last?.body &&
    JSON.stringify(withoutCursor(last.body)) !== JSON.stringify(call.body);

  const restored = useRef("");
  useEffect(() => {
    const [first] = pages;
    if (opened === "") restored.current = "";
    if (opened === restored.current || !first?.answer) return;
    // The form shows what was asked, once, so that it never replaces what the user types later.
    restored.current = opened;
    const { query, filters = {}, limit = 10 } = first.body ?? {};
    setQuery(query ?? first.answer.companies?.[0]?.match.query ?? "");
    if (!first.body) return;
    setFilters(formOf(filters));
    setLimit(limit);
  }, [opened, pages[0]?.answer]);
  const toResults = () => results.current?.focus({ preventScroll: true });
  const search = (event) => {
    event?.preventDefault();
    if (query.trim() === "") return;
    setIsOpen(false);
    run(call).then(toResults);
  };
  const nextPage = () => run({ ...last, body: { ...last.body, cursor: cursorOf(last) } }, pages);
  const ask = (text) => {
    setQuery(text);
    run({ ...call, body: { ...call.body, query: text } }).then(toResults);
  };

  return html`
    <div class="columns">
      <div>
        <form class="search" role="search" onSubmit=${search}>
          <h1>Search companies</h1>
          <div class="query">
            <label class="sr" for="query">What are you looking for?</label>
            <input id="query" type="search" value=${query} maxlength="500" autocomplete="off"
              placeholder="What should companies need or have done?"
              onInput=${({ target }) => setQuery(target.value)} />
            <button class="primary">Search</button>
          </div>
          <${Filters} ...${{
            filters,
            setFilters,
            limit,
            setLimit,
            background,
            setBackground,
            isOpen,
            setIsOpen,
          }} />
          <${ToRequest} />
        </form>
        <section class="results" aria-label="Results" ref=${results} tabindex="-1">
          ${pages.length === 0
            ? html`<${Start} onPick=${ask} limit=${limit} />`
            : html`<${Results} ...${{ pages, onNext: nextPage, onRepeat: repeat }} />`}
        </section>
      </div>
      <${RequestPanel} call=${call} exchange=${isEdited ? undefined : last} />
    </div>
  `;
}

const cursorOf = (exchange) => exchange.answer?.next_cursor;
const withoutCursor = ({ cursor: _cursor, ...body }) => body;

function Start({ onPick, limit }) {
  return html`
    <div class="empty">
      <p>Ask in English or French. Each found company has dated observations with their
        evidence.</p>
      <ul class="examples">
        ${EXAMPLES.map((text) =>
          html`<li><button type="button" onClick=${() => onPick(text)}>${text}</button></li>`
        )}
      </ul>
      <p
        class="quiet">An example costs 1 request and a delivered unit for each company, ${limit} at most.</p>
    </div>
  `;
}

function Filters(
  { filters, setFilters, limit, setLimit, background, setBackground, isOpen, setIsOpen },
) {
  const set = (name) => (value) => setFilters({ ...filters, [name]: value });
  const typed = (name) => ({ target }) => set(name)(target.value);
  const active = Object.keys(filtersOf(filters)).length;
  const text = (name, label, hint) =>
    html`<${Field} label=${label} hint=${hint}>${(ids) =>
      html`<input ...${ids} value=${filters[name]} onInput=${
        typed(name)
      } autocomplete="off" />`}<//>`;
  const date = (name, label) =>
    html`<${Field} label=${label}>${(ids) =>
      html`<input ...${ids} type="date" value=${filters[name]} onInput=${typed(name)} />`}<//>`;
  return html`
    <details class="filters" open=${isOpen} onToggle=${({ currentTarget }) =>
      setIsOpen(currentTarget.open)}>
      <summary>Filters and options ${active > 0 && html`<span class="tag">${active} active</span>`}
        ${background && html`<span class="tag">background</span>`}</summary>
      <div class="filter-grid">
        <div class="choice-row">
          <${Choices} legend="Country" options=${Object.entries(COUNTRIES)}
            chosen=${filters.countries} onChange=${set("countries")} />
          <${Choices} legend="Kind" chosen=${filters.kinds} onChange=${set("kinds")}
            options=${["procurement_request", "facility_expansion"].map((
              kind,
            ) => [kind, kindLabel(kind)])} />
          <${Choices} legend="Demand" chosen=${filters.demand_classes} onChange=${set(
            "demand_classes",
          )} options=${Object.entries(DEMAND_CLASSES).map(([name, [label]]) => [name, label])} />
        </div>
        <div class="pair">${date("occurred_after", "Happened after")}${date(
          "observed_after",
          "Seen after",
        )}</div>
        <div class="pair">${text(
          "domains",
          "Only these domains",
          "Hostnames, such as north.example",
        )}${text("exclude_domains", "Not these domains")}</div>
        <div class="pair">${text("company_ids", "Only these company ids")}${text(
          "exclude_company_ids",
          "Not these company ids",
        )}</div>
        <div class="pair">
          <${Field} label="Companies per page">${(ids) =>
            html`<select ...${ids} value=${limit} onChange=${({ target }) =>
              setLimit(Number(target.value))}>
              ${
              [3, 5, 10, 25, 50].map((n) =>
                html`<option value=${n} selected=${n === limit}>${n}</option>`
              )
            }
            </select>`}<//>
          <label class="check"><input type="checkbox" checked=${background}
            onChange=${({ target }) =>
              setBackground(target.checked)} /> Search in the background</label>
        </div>
        <button type="button" class="small" onClick=${() => setFilters(NO_FILTERS)}
          disabled=${active === 0}>Clear filters</button>
      </div>
    </details>
  `;
}

function Results({ pages, onNext, onRepeat }) {
  const done = pages.filter(({ state, answer }) => state === "done" && answer.companies);
  const last = pages.at(-1);
  const companies = done.flatMap(({ answer }) => answer.companies);
  const observations = useMemo(() => companies.flatMap((one) => one.observations), [
    companies.length,
    last.answer,
  ]);
  return html`
    ${done.length > 0 &&
      html`<${Summary} ...${{
        companies,
        observations,
        answer: done.at(-1).answer,
        pageCount: done.length,
      }} />`}
    ${observations.length > 0 && html`<${KindsChart} observations=${observations} />`}
    <${Companies} companies=${companies} isRanked label="Companies that were found" />
    <${Progress} exchange=${last} onRepeat=${onRepeat} />
    ${last.state === "done" && last.answer.next_cursor && last.body &&
      html`<p class="next"><button type="button" onClick=${onNext}>Next page</button>
      <span class="quiet">A new request with its own key</span></p>`}
    ${done.length > 0 && !last.answer?.next_cursor && last.state === "done" &&
      companies.length > 0 &&
      html`<p class="quiet">${
        stopText(last.answer.coverage.stop_reason)
      } There is no further page.</p>`}
  `;
}

function Summary({ companies, observations, answer, pageCount }) {
  const { withheld_units, as_of, limitations, retrieval } = answer;
  if (companies.length === 0) {
    return html`
      <div class="empty" role="status">
        <h2>No company was found</h2>
        <p>Such companies may still exist, because coverage is partial. Try other words or fewer
          filters. Only the request was charged.</p>
        <${Paid} ...${{ answer, pageCount }} />
      </div>
    `;
  }
  return html`
    <div class="summary">
      <p class="paper">Question: <bdi>${companies[0].match.query}</bdi></p>
      <p role="status"><b>${count(companies.length, "company", "companies")}</b> with ${count(
        observations.length,
        "matching observation",
      )}</p>
      <${Paid} ...${{ answer, pageCount }} />
      <details>
        <summary class="quiet">as of ${clock(as_of)}, what to keep in mind</summary>
        <ul>
          ${limitations.map((name) => html`<li>${limitationText(name)}</li>`)}
          <li>${retrieval === "hybrid" ? "Found by words and by meaning." : "Found by words."}</li>
          ${withheld_units > 0 &&
            html`<li>${
              count(withheld_units, "company", "companies")
            } may not be shown any more.</li>`}
        </ul>
      </details>
    </div>
  `;
}
