// Page that shows a search for observations, which an agent has paid for.
import { Companies } from "./companies.js";
import { useOperations } from "./operations.js";
import { html } from "./parts.js";
import { Paid, Progress } from "./progress.js";
import { RequestPanel } from "./request_panel.js";
import { count } from "./words.js";

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
            <div class="summary">
              <p role="status"><b>${count(observations.length, "observation")}</b> of ${count(
                companies.length,
                "company",
                "companies",
              )}</p>
              <${Paid} answer=${last.answer} pageCount=${1} unit=${["observation"]} />
            </div>
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
