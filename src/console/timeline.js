// Shows observations over time: lines per company, and a chart of kinds by month.
import { html } from "./parts.js";
import { count, dateOf, day, kindLabel, month, shortKind } from "./words.js";

const MONTH_MILLISECONDS = 30.44 * 86_400_000;

/** Returns the span of time of observations, with a margin at both ends. */
export function spanOf(observations) {
  const times = observations.map((one) => Date.parse(dateOf(one)));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const margin = Math.max((last - first) * 0.03, MONTH_MILLISECONDS / 3);
  return { start: first - margin, end: last + margin };
}

/** Returns the starts of up to four months within a span, at equal distances. */
function ticksOf({ start, end }) {
  const months = monthsBetween(start, end).filter((time) => time >= start);
  const step = Math.max(1, Math.ceil(months.length / 4));
  return months.filter((_, at) => at % step === 0);
}

function monthsBetween(start, end) {
  const date = new Date(start);
  const months = [];
  for (let at = 0;; at++) {
    const time = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + at, 1);
    if (time > end) return months;
    months.push(time);
  }
}

/**
 * Shows a line for each kind of observation of a company, with a mark for each observation.
 * @param {{observations: object[], span: {start: number, end: number}, company: string,
 *   onPick: (id: number) => void}} props
 */
export function Timeline({ observations, span, company, onPick }) {
  const rows = Map.groupBy(observations, ({ kind }) => kind);
  const at = (time) => `${(100 * (time - span.start)) / (span.end - span.start)}%`;
  const ticks = ticksOf(span);
  return html`
    <div class="timeline" role="group" aria-label="Timeline of ${company}">
      ${[...rows].map(([kind, marked]) =>
        html`
          <div class="timeline-row">
            <span class="timeline-kind">${shortKind(kind)}</span>
            <div class="timeline-track">
              ${ticks.map((time) => html`<i style=${{ left: at(time) }}></i>`)}
              ${marked.map((one) =>
                html`
                  <button
                    type="button" class="mark-button" style=${{ left: at(Date.parse(dateOf(one))) }}
                    data-kind=${kind} onClick=${() => onPick(one.id)}
                    aria-label="${kindLabel(kind)}, ${day(dateOf(one))}: ${one.observed_fact}"
                    title="${day(dateOf(one))} · ${one.observed_fact}"
                  ><span></span></button>
                `
              )}
            </div>
          </div>
        `
      )}
      <div class="timeline-row axis" aria-hidden="true">
        <span class="timeline-kind"></span>
        <div class="timeline-track">
          ${ticks.map((time) => html`<span style=${{ left: at(time) }}>${month(time)}</span>`)}
        </div>
      </div>
    </div>
  `;
}

const [WIDTH, HEIGHT, FOOT] = [640, 132, 20];

/**
 * Shows a stacked bar for each of the last 36 months, by kind of observation, and the same numbers
 * as a table.
 */
export function KindsChart({ observations }) {
  const dated = observations.filter(({ occurred_at }) => occurred_at !== null);
  const undated = observations.length - dated.length;
  // A single bar says nothing that the record does not say.
  if (dated.length < 2) return null;
  const kinds = [...Map.groupBy(dated, ({ kind }) => kind)]
    .sort(([, a], [, b]) => b.length - a.length).map(([kind]) => kind);
  const times = dated.map(({ occurred_at }) => Date.parse(occurred_at));
  const months = monthsBetween(Math.min(...times), Math.max(...times)).slice(-36);
  const counts = countsBy(dated, { months, kinds });
  const largest = Math.max(...counts.map((row) => row.reduce((sum, one) => sum + one, 0)), 1);
  return html`
    <figure class="chart">
      <figcaption>
        <span>Observations by month and kind</span>
        <ul class="legend">
          ${kinds.map((kind) =>
            html`
              <li><span class="dot" data-kind=${kind}></span>${kindLabel(kind)}
                <b>${dated.filter((one) => one.kind === kind).length}</b></li>
            `
          )}
          ${undated > 0 && html`<li class="quiet">${undated} without a date</li>`}
        </ul>
      </figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" preserveAspectRatio="none">
        ${[0, 0.5, 1].map((share) =>
          html`<line x1="0" x2=${WIDTH} y1=${yOf(share)} y2=${yOf(share)} />`
        )}
        ${counts.map((row, at) => html`<${Bar} ...${{ row, at, kinds, largest, months }} />`)}
      </svg>
      <div class="chart-axis" aria-hidden="true">
        <span>${month(months[0])}</span>
        ${months.length > 2 && html`<span>at most ${largest} a month</span>`}
        ${months.length > 1 && html`<span>${month(months.at(-1))}</span>`}
      </div>
      <details>
        <summary>The same as a table</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Observations by month and kind">
          <table>
            <thead>
              <tr><th scope="col">Month</th>
              ${kinds.map((kind) => html`<th scope="col">${kindLabel(kind)}</th>`)}</tr>
            </thead>
            <tbody>${counts.map((row, at) =>
              html`<tr><th scope="row">${month(months[at])}</th>${
                row.map((one) => html`<td>${one}</td>`)
              }</tr>`
            )}</tbody>
          </table>
        </div>
      </details>
      <p class="sr">${count(dated.length, "dated observation")} over ${count(
        months.length,
        "month",
      )}.</p>
    </figure>
  `;
}

const yOf = (share) => 4 + (1 - share) * (HEIGHT - FOOT);

function Bar({ row, at, kinds, largest, months }) {
  const step = WIDTH / months.length;
  const width = Math.min(step * 0.72, 44);
  let sum = 0;
  return row.map((number, index) => {
    if (number === 0) return null;
    const y = yOf((sum += number) / largest);
    const height = yOf((sum - number) / largest) - y;
    const x = at * step + (step - width) / 2;
    return html`
      <rect data-kind=${kinds[index]} x=${x} y=${y} width=${width}
        height=${Math.max(height - 1, 1)} />
    `;
  });
}

/** Counts observations: a row for each month, a column for each kind. */
function countsBy(observations, { months, kinds }) {
  const rows = months.map(() => kinds.map(() => 0));
  for (const { occurred_at, kind } of observations) {
    const time = Date.parse(occurred_at);
    const at = months.findLastIndex((start) => start <= time);
    if (at >= 0) rows[at][kinds.indexOf(kind)]++;
  }
  return rows;
}
