// Pages that show the requests with their costs, and the remaining units.
import { useState } from "preact/hooks";
import { resultAddress } from "./operations.js";
import { Fault, Field, html } from "./parts.js";
import { Waiting } from "./progress.js";
import { RequestPanel } from "./request_panel.js";
import { costOf, session, useSession } from "./session.js";
import { clock, count, day, moment, numeral, until } from "./words.js";

const ACTIONS = {
  search_companies: "Search",
  list_observations: "Listing",
  get_companies: "Lookup",
  get_company: "Company",
  get_operation: "Operation",
};

/** Describes a request in a few words. */
function about({ action, body, params, path }) {
  if (action === "search_companies") return `“${body.query}”${body.cursor ? ", next page" : ""}`;
  if (params) {
    return params.filter(([name]) => /^(domains|ids)/.test(name)).map(([, v]) => v).join(", ");
  }
  return path.split("/").at(-1);
}

export function ActivityPage() {
  const { exchanges } = useSession();
  const [number, choose] = useState();
  const [id, setId] = useState("");
  const chosen = exchanges.find((one) => one.number === number) ?? exchanges[0];
  const open = async (event) => {
    event.preventDefault();
    const exchange = session.open(Number(id));
    await exchange.finished;
    choose(exchange.number);
    const address = resultAddress(exchange);
    if (address) location.hash = address;
  };
  return html`
    <div class="columns">
      <div>
        <h1>Activity</h1>
        <p
          class="lead">Every request of this visit, with what it cost. Each opens the page that was
          paid for, free.</p>
        <form class="inline" onSubmit=${open}>
          <${Field} label="Open an operation by its number">${(ids) =>
            html`
              <input ...${ids} inputmode="numeric" pattern="[0-9]+" required value=${id}
                onInput=${({ target }) => setId(target.value)} />
            `}<//>
          <button>Open</button><span class="quiet">free</span>
        </form>
        ${exchanges.length === 0
          ? html`
            <div class="empty">
              <p>There are no requests yet. Start with a search.</p>
            </div>
          `
          : html`<ul class="activity">${
            exchanges.map((one) =>
              html`
                <${Entry} key=${one.number} exchange=${one} isChosen=${one === chosen}
                  onChoose=${() => choose(one.number)} />
              `
            )
          }</ul>`}
        ${chosen?.state === "waiting" && html`<${Waiting} exchange=${chosen} />`}
        ${chosen?.state === "failed" && html`
          <${Fault} answer=${chosen.answer} facts=${chosen.facts}
            onRetry=${chosen.key && (() => session.retry(chosen))} />
        `}
      </div>
      ${chosen && html`<${RequestPanel} call=${chosen} exchange=${chosen} />`}
    </div>
  `;
}

/** Shows a request. Its name opens the page with its result, if there is one. */
function Entry({ exchange, isChosen, onChoose }) {
  const { action, state, started, replays } = exchange;
  const address = resultAddress(exchange);
  const name = html`<b>${ACTIONS[action] ?? action}</b> <bdi>${about(exchange)}</bdi>`;
  return html`
    <li data-chosen=${isChosen}>
      <span class="state" data-state=${state}></span>
      <div>
        ${address ? html`<a href=${address}>${name}</a>` : html`<span>${name}</span>`}
        <span class="quiet">${clock(started)} · ${nameOfState(exchange)} · ${costOf(
          exchange,
        )}${replays.length > 0 ? ` · replayed ${replays.length}×, free` : ""}</span>
      </div>
      <button type="button" class="small" aria-pressed=${isChosen}
        onClick=${onChoose}>Request${" "}
        <span class="sr">of ${ACTIONS[action] ?? action} ${about(exchange)}</span></button>
    </li>
  `;
}

const nameOfState = ({ state, status }) =>
  state === "failed" && status === 0 ? "not answered" : STATES[state];

const STATES = {
  sending: "sending",
  waiting: "in the background",
  done: "answered",
  failed: "refused",
};

const BARS = [
  ["request_units", "Requests", "window"],
  ["delivered_units", "Delivered companies", "window"],
  ["weekly_request_units", "Requests", "week"],
  ["weekly_delivered_units", "Delivered companies", "week"],
];

export function AllowancePage() {
  const { allowance } = useSession();
  if (!allowance) {
    return html`
      <div>
        <h1>Allowance</h1>
        <p class="lead">No subscription is active.</p>
      </div>
    `;
  }
  const { subscription, usage, limits, reservations, resets } = allowance;
  const period = (name, title) =>
    html`
      <section class="panel" aria-label=${title}>
        <h2>${title}</h2>
        <p class="quiet">${resets[name]
          ? `Renewed ${until(resets[name])}, on ${moment(resets[name])}`
          : ""}</p>
        ${BARS.filter(([, , of]) => of === name).map(([field, label]) =>
          html`<${Bar} ...${{ label, used: usage[field], limit: limits[field] }} />`
        )}
      </section>
    `;
  const held = reservations.request_units + reservations.delivered_units;
  return html`
    <div class="narrow">
      <h1>Allowance</h1>
      <p class="lead actions">All keys of the subscription share it.
        <button type="button" class="small" onClick=${() => session.refreshAllowance()}>
          Read again <span class="quiet">free</span></button></p>
      <div class="panels">${period("window", "This window")}${period("week", "This week")}</div>
      ${held > 0 && html`
        <p
          class="notice">Unfinished work holds ${count(
            reservations.request_units,
            "request",
          )} and ${count(
            reservations.delivered_units,
            "delivered unit",
          )}. Unused units are returned.</p>
      `}
      <dl class="panel facts-list">
        <div><dt>Plan</dt><dd>${subscription.plan}</dd></div>
        <div><dt>Status</dt><dd>${subscription.status}</dd></div>
        <div><dt>Period</dt><dd>${day(subscription.current_period_start)} to ${day(
          subscription.current_period_end,
        )}</dd></div>
        <div><dt>Fresh evidence this window</dt><dd>${usage.fresh_evidence_units}</dd></div>
      </dl>
    </div>
  `;
}

function Bar({ label, used, limit }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const left = Math.max(0, limit - used);
  return html`
    <div class="meter">
      <div class="meter-text"><span>${label}</span>
        <span><b>${numeral(left)}</b> of ${numeral(limit)} left</span></div>
      <div class="bar ${share > 0.9 ? "low" : ""}" role="meter" aria-label="${label} used"
        aria-valuemin="0" aria-valuemax=${limit} aria-valuenow=${Math.min(used, limit)}
        aria-valuetext="${used} of ${limit} used">
        <span style=${{ width: `${share * 100}%` }}></span></div>
    </div>
  `;
}
