// The key of a signed-in user, and all requests that were made with it.
import { useEffect, useReducer } from "preact/hooks";
import { addressOf, operationCall, usageCall } from "./requests.js";

const STORED = "company-evidence-key";

/** Milliseconds between two polls of background work, unless the service asks for more. */
const POLL_MILLISECONDS = 1_000;

/**
 * Codes of failed polls that tell nothing about the operation. After them, the operation is polled
 * again.
 */
const TEMPORARY_CODES = ["no_answer", "unavailable"];

/**
 * A request with its outcome.
 * @typedef {import("./requests.js").Call & {
 *   number: number, state: "sending" | "waiting" | "done" | "failed", started: number,
 *   milliseconds?: number, status?: number, answer?: object, facts?: object,
 *   polls: number, replays: object[],
 * }} Exchange
 */

class Session {
  /** @type {string | undefined} The API key. It is never part of an address. */
  key = readStored();
  /** True if the key is kept until the tab is closed. */
  kept = this.key !== undefined;
  /** Reason why the user was signed out. */
  notice;
  /** The usage report, and the times at which window and week are renewed. */
  allowance;
  /** @type {Exchange[]} Metered requests and reads of the user, latest first. */
  exchanges = [];
  #listeners = new Set();
  #last = 0;

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed() {
    for (const listener of this.#listeners) listener();
  }

  /** Signs in if the service accepts the key. @returns the error envelope if it does not */
  async signIn(key, keep) {
    const { status, answer, facts } = await ask(usageCall(), key);
    // A key without a subscription is valid, but cannot sign in yet.
    if (status !== 200) return answer;
    this.key = key;
    this.kept = keep;
    this.notice = undefined;
    this.allowance = allowanceOf(answer, facts);
    if (keep) store(key);
    this.changed();
  }

  signOut(notice) {
    this.key = undefined;
    this.notice = notice;
    this.allowance = undefined;
    store(undefined);
    // Answers for the former key must not be shown any longer.
    this.exchanges = [];
    this.changed();
  }

  /** Updates the allowance, which costs nothing. */
  async refreshAllowance() {
    const { key } = this;
    if (key === undefined) return;
    const { status, answer, facts } = await ask(usageCall(), key);
    if (this.key !== key) return;
    if (status === 200) this.allowance = allowanceOf(answer, facts);
    if (status === 401) this.signOut(answer);
    this.changed();
  }

  /**
   * Sends a request, and polls its operation if it runs in the background.
   * @param {import("./requests.js").Call} call
   * @returns {Promise<Exchange>} the request as soon as it is done, failed or waiting
   */
  async send({ action, method, path, params, body, key, inputs }) {
    const exchange = {
      ...{ action, method, path, params, body, key, inputs },
      number: ++this.#last,
      state: "sending",
      started: Date.now(),
      polls: 0,
      replays: [],
    };
    this.exchanges = [exchange, ...this.exchanges];
    this.changed();
    await this.#perform(exchange);
    return exchange;
  }

  /** Repeats an unanswered request with its key, so that it is charged once. */
  async retry(exchange) {
    exchange.state = "sending";
    this.changed();
    await this.#perform(exchange);
  }

  /** Repeats a request with its key, and stores the new answer in `replays`. */
  async replay(exchange) {
    const { status, answer, facts, milliseconds } = await ask(exchange, this.key);
    if (status === 401) return this.signOut(answer);
    exchange.replays = [...exchange.replays, { status, answer, facts, milliseconds }];
    if (status === 200 && exchange.state !== "waiting") Object.assign(exchange, { answer });
    this.changed();
    await this.refreshAllowance();
  }

  async #perform(exchange) {
    const { key } = this;
    const received = await ask(exchange, key);
    if (this.key !== key) return;
    if (received.status === 401) return this.signOut(received.answer);
    Object.assign(exchange, received, { state: stateOf(received.status) });
    this.changed();
    if (exchange.state === "waiting") this.#follow(exchange, key);
    else if (exchange.key !== undefined) await this.refreshAllowance();
  }

  /** Polls an operation until it ends. Polls are free. */
  async #follow(exchange, key) {
    while (exchange.state === "waiting") {
      const seconds = Number(exchange.facts.retry_after) || 0;
      await pause(Math.max(POLL_MILLISECONDS, seconds * 1_000));
      if (this.key !== key) return;
      const received = await ask(operationCall(exchange.answer.usage.id), key);
      if (this.key !== key) return;
      if (received.status === 401) return this.signOut(received.answer);
      exchange.polls++;
      if (!TEMPORARY_CODES.includes(received.answer.error?.code)) {
        const { status, answer, facts } = received;
        Object.assign(exchange, { status, answer, facts, state: stateOf(status) });
        exchange.milliseconds = Date.now() - exchange.started;
      }
      this.changed();
    }
    await this.refreshAllowance();
  }
}

/** The session of this page. */
export const session = new Session();

/** Redraws a component after each change of the session. */
export function useSession() {
  const [, redraw] = useReducer((times) => times + 1, 0);
  useEffect(() => session.subscribe(redraw), []);
  return session;
}

/** Describes the cost of a request, or tells when it will be charged. */
export function costOf({ answer, key, state }) {
  if (key === undefined) return "free";
  if (state === "waiting" || state === "sending") return "charged when it is delivered";
  const usage = answer?.usage;
  if (!usage || answer.error) return "nothing charged";
  const { request_units, delivered_units } = usage;
  return `${request_units} request + ${delivered_units} delivered`;
}

const stateOf = (status) => status === 202 ? "waiting" : status === 200 ? "done" : "failed";

async function ask(call, apiKey) {
  const { method, body, key } = call;
  const headers = { authorization: `Bearer ${apiKey}` };
  if (key) headers["idempotency-key"] = key;
  if (body) headers["content-type"] = "application/json";
  if (call.path === "mcp") headers.accept = "application/json, text/event-stream";
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  try {
    const response = await fetch(addressOf(call), {
      method,
      headers,
      body: body && JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
    });
    const answer = await response.json();
    return {
      status: response.status,
      answer,
      facts: factsOf(response.headers),
      milliseconds: since(),
    };
  } catch {
    const error = { code: "no_answer", message: "The service did not answer." };
    return { status: 0, answer: { error }, facts: {}, milliseconds: since() };
  }
}

/** Returns the values of an answer's headers that the console uses. */
function factsOf(headers) {
  return {
    request_id: headers.get("request-id"),
    replayed: headers.get("idempotency-replayed") === "true",
    retry_after: headers.get("retry-after"),
    rate_limit: headers.get("ratelimit"),
  };
}

function allowanceOf(report, { rate_limit }) {
  const resets = {};
  for (const [, name, seconds] of rate_limit?.matchAll(/"(\w+)";r=\d+;t=(\d+)/g) ?? []) {
    resets[name] = Date.now() + Number(seconds) * 1_000;
  }
  return { ...report, resets };
}

function readStored() {
  try {
    return sessionStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(key) {
  try {
    if (key === undefined) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, key);
  } catch {
    // Storage is blocked: the key stays in memory.
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
