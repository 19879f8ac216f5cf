// Describes errors in plain words, with advice.
import { moment } from "./words.js";

/**
 * Describes an error. `retry` tells with which idempotency key another attempt can succeed.
 * @returns {{title: string, advice: string, retry?: "same" | "new"}}
 */
export function explain({ error }) {
  const { code, message, retry_at } = error;
  const known = FAULTS[code];
  if (!known) return { title: "The service refused this request.", advice: message };
  const { title, advice = message, retry } = known;
  return {
    title,
    advice: typeof advice === "function" ? advice(message, retry_at) : advice,
    retry,
  };
}

const later = (_message, retry_at) =>
  retry_at
    ? `More is available at ${moment(retry_at)}. ` +
      "Results that you have received can be opened again at any time, free."
    : "Try again later. Results that you have received can be opened again, free.";

/** Labels in the forms by the names of the service's fields. */
const LABELS = {
  query: "Question",
  since: "Recorded since",
  domains: "Domains",
  ids: "Company ids",
  "filters.domains": "Only these domains",
  "filters.exclude_domains": "Not these domains",
  "filters.company_ids": "Only these company ids",
  "filters.exclude_company_ids": "Not these company ids",
  "filters.occurred_after": "Happened after",
  "filters.observed_after": "Seen after",
};

/** Replaces field names in a message by their labels: "Only these domains, entry 2: a hostname". */
function byLabels(message) {
  return message.split("; ").map((part) => {
    const [, name, at, wanted] = /^([\w.]+?)(?:\[(\d+)\])?: (.*)$/s.exec(part) ?? [];
    if (!Object.hasOwn(LABELS, name ?? "")) return part;
    return `${LABELS[name]}${at ? `, entry ${Number(at) + 1}` : ""}: ${wanted}`;
  }).join("; ");
}

const FAULTS = {
  no_answer: {
    title: "The service did not answer.",
    advice: "It may be restarting, or the connection was lost. Sending the same request again is " +
      "safe: with the same key it is charged at most once.",
    retry: "same",
  },
  invalid_api_key: {
    title: "This key does not work.",
    advice: "It may have been revoked, or was not copied as a whole. Sign in with another key.",
  },
  subscription_required: {
    title: "The subscription of this key is not active.",
    advice:
      "The key is valid. The operator of the service can activate the subscription. Another " +
      "key of the account does not help.",
  },
  invalid_search: { title: "Something in the form cannot be used.", advice: byLabels },
  invalid_lookup: { title: "These companies cannot be looked up like this.", advice: byLabels },
  unsupported_request: { title: "This service does not answer such questions." },
  invalid_cursor: {
    title: "This list cannot be continued.",
    advice: "The next page belongs to an earlier search. Search again from the first page.",
    retry: "new",
  },
  idempotency_conflict: {
    title: "This key was already used for another request.",
    advice: "A key names one request for ever. Send this one with a new key.",
    retry: "new",
  },
  result_limit_reached: {
    title: "The page is larger than your plan allows.",
    advice: "Choose a smaller page. Further companies are on the next pages.",
  },
  request_limit_reached: { title: "You have used all requests of this period.", advice: later },
  delivery_limit_reached: {
    title: "Too few companies are left in your allowance for this request.",
    advice: (message, retry_at) => `Ask for fewer, or wait. ${later(message, retry_at)}`,
  },
  too_many_requests: {
    title: "Too many reads in this minute, or too many searches in the background.",
    advice: later,
  },
  company_not_found: {
    title: "This company can no longer be shown.",
    advice: "Its evidence may have expired or been withdrawn. Search again for current companies.",
  },
  observation_not_found: {
    title: "This observation can no longer be shown.",
    advice: "Its evidence may have expired or been withdrawn.",
  },
  usage_not_found: {
    title: "Your account has no such operation.",
    advice: "Check the number. Operations of other accounts cannot be opened.",
  },
  planning_unavailable: {
    title: "The question cannot be prepared at present.",
    advice: "Nothing was charged. Try again; it will be a new attempt with a new key.",
    retry: "new",
  },
  retrieval_unavailable: {
    title: "The search cannot be performed at present.",
    advice: "Nothing was charged. Try again; it will be a new attempt with a new key.",
    retry: "new",
  },
  invalid_plan: {
    title: "The question was not understood.",
    advice: "Nothing was charged. Try again, perhaps in other words.",
    retry: "new",
  },
  usage_expired: {
    title: "This request has expired.",
    advice: "Its result is no longer stored. Send it as a new request.",
    retry: "new",
  },
  usage_failed: {
    title: "This request could not be finished.",
    advice: "Nothing was charged. Send it as a new request.",
    retry: "new",
  },
  internal_error: {
    title: "Something went wrong in the service.",
    advice: "It is not your fault. Try again with the same key: you cannot be charged twice.",
    retry: "same",
  },
  unavailable: {
    title: "The service cannot answer at present.",
    advice: "It is starting, stopping or busy. Try again in a moment with the same key.",
    retry: "same",
  },
};

/** Codes with descriptions. A test compares them with the service's table of failures. */
export const EXPLAINED = Object.keys(FAULTS);
