// Shows companies as cards or as rows of a table, as the reader chooses.
import { useEffect, useState } from "preact/hooks";
import { Company, Marked, Why } from "./observation.js";
import { html } from "./parts.js";
import { spanOf } from "./timeline.js";
import { COUNTRIES, dateOf, day, kindLabel } from "./words.js";

const STORED = "company-evidence-view";

const VIEWS = { cards: "Cards", rows: "Rows" };

/** Tells all lists of the page that the reader has chosen another view. */
const chosen = new EventTarget();

let view = readView();

function readView() {
  try {
    const stored = localStorage.getItem(STORED);
    return Object.hasOwn(VIEWS, stored) ? stored : "cards";
  } catch {
    // Storage is blocked, so each page begins with cards.
    return "cards";
  }
}

function choose(name) {
  view = name;
  try {
    localStorage.setItem(STORED, name);
  } catch {
    // Storage is blocked, so the choice ends with the page.
  }
  chosen.dispatchEvent(new Event("change"));
}

/**
 * Shows companies, and a choice between cards and rows. Ranks are numbers before the names.
 * @param {{companies: object[], isRanked?: boolean, label: string}} props
 */
export function Companies({ companies, isRanked = false, label }) {
  const [shown, setShown] = useState(view);
  useEffect(() => {
    const follow = () => setShown(view);
    chosen.addEventListener("change", follow);
    return () => chosen.removeEventListener("change", follow);
  }, []);
  if (companies.length === 0) return null;
  const span = spanOf(companies.flatMap(({ observations }) => observations));
  return html`
    <div class="views" role="group" aria-label="View">
      ${Object.entries(VIEWS).map(([name, text]) =>
        html`
          <button type="button" class="small" aria-pressed=${shown === name}
            onClick=${() => choose(name)}>${text}</button>
        `
      )}
    </div>
    ${shown === "rows"
      ? html`<${Rows} ...${{ companies, label }} />`
      : companies.map((company, at) =>
        html`
          <${Company} key=${company.id} company=${company} span=${span}
            rank=${isRanked ? at + 1 : undefined} />
        `
      )}
  `;
}

function Rows({ companies, label }) {
  const rows = companies.flatMap((company) =>
    company.observations.map((observation) => ({ company, observation }))
  );
  return html`
    <div class="scroll rows" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
          ${["Company", "What", "Kind", "Date", "Country", "Source"].map((name) =>
            html`<th scope="col">${name}</th>`
          )}
        </tr>
        </thead>
        <tbody>${rows.map(({ company, observation }) =>
          html`<${Row} key=${observation.id} ...${{ company, observation }} />`
        )}</tbody>
      </table>
    </div>
  `;
}

function Row({ company, observation }) {
  const { kind, country, observed_fact, evidence } = observation;
  const query = company.match?.query;
  return html`
    <tr>
      <th scope="row"><bdi>${company.name}</bdi></th>
      <td><span class="fact" dir="auto"><${Marked} text=${observed_fact} query=${query} /></span>
        ${query && html`<${Why} ...${{ query, observation, company: company.name }} />`}</td>
      <td><span class="dot" data-kind=${kind}></span> ${kindLabel(kind)}</td>
      <td class="date">${day(dateOf(observation))}</td>
      <td>${COUNTRIES[country]}</td>
      <td>${sourcesOf(evidence).map((uri) => html`<${Source} uri=${uri} />`)}</td>
    </tr>
  `;
}

/** Returns one address of each site. */
function sourcesOf(evidence) {
  const bySite = new Map(evidence.map(({ source_uri }) => [siteOf(source_uri), source_uri]));
  return [...bySite.values()];
}

const isLink = (uri) => /^https?:\/\//.test(uri);
const siteOf = (uri) => isLink(uri) ? new URL(uri).hostname : uri;

function Source({ uri }) {
  if (!isLink(uri)) return html`<span class="source">${uri}</span>`;
  return html`
    <a class="source" href=${uri} target="_blank"
      rel="noreferrer noopener">${new URL(uri)
        .hostname}<span class="sr"> (source, opens a new tab)</span></a>
  `;
}
