// Shows requests that are being sent, that run in the background, or that failed.
import { useEffect, useState } from "preact/hooks";
import { Fault, html } from "./parts.js";
import { session, useSession } from "./session.js";
import { count } from "./words.js";

/** Shows the state of a request that has no result. `onRepeat` repeats it with a new key. */
export function Progress({ exchange, onRepeat }) {
  if (exchange.state === "sending") return html`<${Skeleton} />`;
  if (exchange.state === "waiting") return html`<${Waiting} exchange=${exchange} />`;
  if (exchange.state === "done") return null;
  const { answer, facts } = exchange;
  const retry = () => session.retry(exchange);
  return html`<${Fault} ...${{ answer, facts, onRetry: retry, onRepeat }} />`;
}

/** Shows placeholders of results that are loading. */
function Skeleton() {
  return html`
    <div class="skeleton" role="status">
      <span class="sr">Waiting for the answer</span>
      ${[0, 1, 2].map(() =>
        html`<div class="company" aria-hidden="true"><i></i><i></i><i></i></div>`
      )}
    </div>
  `;
}

const STEPS = ["pending", "processing", "delivered"];

/** Shows the state and the duration of background work. */
export function Waiting({ exchange }) {
  const seconds = useSeconds(exchange.started);
  const { id, status } = exchange.answer.usage;
  const step = STEPS.indexOf(status);
  return html`
    <section class="waiting" aria-label="Background work">
      <h2>Working in the background</h2>
      <ol class="steps">
        ${STEPS.map((name, at) =>
          html`
            <li class=${at < step ? "past" : at === step ? "now" : ""}
              aria-current=${at === step ? "step" : undefined}>${name}</li>
          `
        )}
      </ol>
      <div class="bar busy" aria-hidden="true"><span></span></div>
      <p><span role="status">Operation ${id} is ${status}.</span> <span class="quiet">
        ${seconds} s, polled ${exchange
          .polls} times, free. You can leave this page: Activity keeps the request.
      </span></p>
    </section>
  `;
}

function useSeconds(since) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.round((now - since) / 1_000));
}

/**
 * Says what an answer cost, and what is left in the present window.
 * @param {{answer: object, pageCount: number, unit?: [string, string]}} props
 */
export function Paid({ answer, pageCount, unit = ["company", "companies"] }) {
  const { allowance } = useSession();
  const { usage, request_allowance } = answer;
  const delivered = allowance && allowance.limits.delivered_units -
      allowance.usage.delivered_units - allowance.reservations.delivered_units;
  return html`
    <p
      class="quiet paid">Paid: ${count(usage.request_units, "request")} and ${count(
        usage.delivered_units,
        ...unit,
      )}${pageCount > 1 ? " for the last page" : ""}. Left in this window: ${count(
        request_allowance.window_remaining,
        "request",
      )}${delivered !== undefined && ` and ${count(Math.max(0, delivered), ...unit)}`}.</p>
  `;
}
