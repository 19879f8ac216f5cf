// Shows observations with their evidence, and companies with their observations.
import { useRef, useState } from "preact/hooks";
import { Fault, html } from "./parts.js";
import { companyCall } from "./requests.js";
import { session } from "./session.js";
import { Timeline } from "./timeline.js";
import { compare, hasStem, splitWords, stemsOf } from "./why.js";
import {
  count,
  COUNTRIES,
  dateOf,
  day,
  DEMAND_CLASSES,
  demandLabel,
  kindLabel,
  limitationText,
  sectorText,
} from "./words.js";

/** Shows a company: its match, its timeline, and its observations with their evidence. */
export function Company({ company, span, rank }) {
  const card = useRef();
  const [opened, setOpened] = useState(() => new Set());
  const [read, setRead] = useState();
  const matched = company.match?.observation_ids ?? [];
  const known = read?.answer?.company;
  const observations = merged(company.observations, known?.observations ?? []);
  const open = (id, isOpen) =>
    setOpened((ids) => new Set(isOpen ? [...ids, id] : [...ids].filter((one) => one !== id)));
  const pick = (id) => {
    open(id, true);
    const entry = card.current.querySelector(`[data-observation="${id}"]`);
    entry.scrollIntoView({ block: "nearest", behavior: "smooth" });
    entry.querySelector("summary").focus({ preventScroll: true });
  };
  const domains = known?.domains ?? company.domains;
  return html`
    <article class="company" ref=${card} aria-label=${company.name}>
      <header>
        <h2>${rank && html`<span class="rank">${rank}</span>`}<bdi>${company.name}</bdi></h2>
        <p class="tags">
          ${company.demand_class && html`
            <span class="tag" data-demand=${company.demand_class}
              title=${DEMAND_CLASSES[company.demand_class][1]}>${demandLabel(
                company.demand_class,
              )}</span>
          `}
          ${company.limitations?.map((name) =>
            html`<span class="tag plain">${limitationText(name)}</span>`
          )}
        </p>
        ${company.why_it_may_matter &&
          html`<p class="why"><span>Why it may matter</span>${" "}
            <bdi>${company.why_it_may_matter}</bdi></p>`}
      </header>
      <${Timeline} ...${{ observations, span, company: company.name, onPick: pick }} />
      <ul class="observations">
        ${observations.map((one) =>
          html`
            <${Observation} key=${one.id} observation=${one} query=${company.match?.query}
              match=${matched.indexOf(one.id)} isOpen=${opened.has(one.id)}
              lead=${company.why_it_may_matter} company=${company.name}
              onToggle=${(isOpen) => open(one.id, isOpen)} />
          `
        )}
      </ul>
      <footer>
        ${domains?.length > 0 &&
          html`<p class="domains">${
            domains.map(({ hostname }) =>
              html`
                <code>${hostname}</code>
              `
            )
          }</p>`}
        ${company.match && !known && html`
          <button type="button" class="small" disabled=${read?.state === "sending"}
            onClick=${async () => setRead({ ...await session.send(companyCall(company.id)) })}
          >Latest of this company <span class="quiet">free</span></button>
        `}
        ${read?.state === "failed" && html`<${Fault} answer=${read.answer} facts=${read.facts} />`}
      </footer>
    </article>
  `;
}

/** Adds further observations after those that matched. */
function merged(observations, more) {
  const ids = new Set(observations.map(({ id }) => id));
  return [...observations, ...more.filter(({ id }) => !ids.has(id))];
}

function Observation({ observation, query, company, match, isOpen, onToggle, lead }) {
  const { id, kind, country, evidence } = observation;
  const { observed_fact, why_it_may_matter, occurred_at } = observation;
  const date = day(dateOf(observation));
  return html`
    <li class="observation" data-observation=${id}>
      <p class="facts">
        <span class="kind"><span class="dot" data-kind=${kind}></span>${kindLabel(kind)}</span>
        <span>${occurred_at === null ? `seen ${date}` : date}</span>
        <span>${COUNTRIES[country]}</span>
        ${match === 0 && html`<span class="tag match">Best match</span>`}
        ${match > 0 && html`<span class="tag match">Also matched</span>`}
        ${match === -1 && query &&
          html`<span class="tag plain">Latest, not part of the match</span>`}
      </p>
      <p class="fact" dir="auto"><${Marked} text=${observed_fact} query=${query} /></p>
      ${query && match !== -1 && html`<${Why} ...${{ query, observation, company }} />`}
      ${why_it_may_matter !== lead && html`<p class="why" dir="auto">${why_it_may_matter}</p>`}
      <details open=${isOpen} onToggle=${({ currentTarget }) => onToggle(currentTarget.open)}>
        <summary>Evidence <span class="quiet">${count(evidence.length, "source")}</span></summary>
        ${evidence.map((one) => html`<${Evidence} evidence=${one} query=${query} />`)}
        <p class="quiet">${detailsOf(observation).join(" · ")}</p>
      </details>
    </li>
  `;
}

function detailsOf({ id, observed_at, confidence, demand_class, expires_at, categories = [] }) {
  return [
    `Observation ${id}`,
    `seen ${day(observed_at)}`,
    `confidence ${Math.round(confidence * 100)} %`,
    demandLabel(demand_class).toLowerCase(),
    ...expires_at ? [`shown until ${day(expires_at)}`] : [],
    ...categories.map(sectorText),
  ];
}

function Evidence({ evidence, query }) {
  const { source_uri, excerpt, observed_at, last_seen_at } = evidence;
  const isLink = /^https?:\/\//.test(source_uri);
  return html`
    <blockquote>
      <p dir="auto">
        <${Marked} text=${excerpt} query=${query} />
      </p>
      <footer>
        ${isLink
          ? html`
            <a href=${source_uri} target="_blank"
              rel="noreferrer noopener">${hostOf(
                source_uri,
              )}<span class="sr"> (source, opens a new tab)</span></a>
          `
          : html`<span>${source_uri}</span>`} · retrieved ${day(last_seen_at ?? observed_at)}
      </footer>
    </blockquote>
  `;
}

function hostOf(uri) {
  const { hostname, pathname } = new URL(uri);
  const path = pathname.length > 40 ? `${pathname.slice(0, 39)}…` : pathname;
  return hostname + (path === "/" ? "" : path);
}

/** Says which parts of a question a record meets, and which it leaves open. */
export function Why({ query, observation, company }) {
  const { meets, open, differs } = compare(query, observation, company);
  if (meets.length + open.length + differs.length === 0) return null;
  return html`
    <p class="match-words">
      ${meets.length > 0
        ? html`<span><b>Meets</b> ${phrases(meets)}</span>`
        : html`<span><b>Found in other words</b> than the question's</span>`}
      ${open.length > 0 && html`<span><b>Leaves open</b> ${phrases(open)}</span>`}
      ${differs.length > 0 && html`<span><b>Differs</b> ${phrases(differs)}</span>`}
    </p>
  `;
}

const phrases = (texts) => texts.map((text, at) => html`${at > 0 && ", "}<bdi>${text}</bdi>`);

/** Shows a text, and highlights the words of a question in any inflection. */
export function Marked({ text, query }) {
  const stems = stemsOf(query);
  if (stems.length === 0) return text;
  return splitWords(text).map((part, at) =>
    at % 2 === 1 && hasStem(part, stems) ? html`<mark>${part}</mark>` : part
  );
}
