// The key of a signed-in user, and all requests that were made with it.
import { useEffect, useReducer } from "preact/hooks";
import { addressOf, operationCall, usageCall } from "./requests.js";

const STORED = "company-evidence-key";

/** Name under which the metered requests are stored, without their answers. */
const STORED_REQUESTS = "company-evidence-requests";

/** Max number of stored requests. The number is chosen: a browser keeps 5 MB per origin. */
const MAX_STORED = 100;

/** Milliseconds between two polls of background work, unless the service asks for more. */
const POLL_MILLISECONDS = 1_000;

/**
 * Codes of failed polls that tell nothing about the operation. After them, the operation is polled
 * again.
 */
const TEMPORARY_CODES = ["no_answer", "unavailable", "too_many_requests"];

/** Codes after which a request may have been performed. It is repeated with its key. */
const UNCERTAIN_CODES = ["no_answer", "unavailable", "internal_error"];

/**
 * A request with its outcome.
 * @typedef {import("./requests.js").Call & {
 *   number: number, state: "sending" | "waiting" | "done" | "failed", started: number,
 *   milliseconds?: number, status?: number, answer?: object, facts?: object,
 *   polls: number, replays: object[], operation?: number, is_stored?: boolean,
 *   finished: Promise<void>,
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
  /** Number of the last reading of the allowance, and of the one that is shown. */
  #readings = { last: 0, shown: 0 };

  constructor() {
    if (this.key === undefined) return;
    this.exchanges = readRequests();
    this.#last = Math.max(0, ...this.exchanges.map(({ number }) => number));
    for (const one of this.exchanges) {
      if (one.state === "waiting") one.finished = this.#follow(one, this.key);
    }
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed() {
    if (this.kept && this.key !== undefined) storeRequests(this.exchanges);
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
    storeRequests([]);
    // Answers for the former key must not be shown any longer.
    this.exchanges = [];
    this.changed();
  }

  /** Updates the allowance, which costs nothing. */
  async refreshAllowance() {
    const { key } = this;
    if (key === undefined) return;
    const reading = ++this.#readings.last;
    const { status, answer, facts } = await ask(usageCall(), key);
    if (this.key !== key) return;
    // Answers may arrive in another order. An earlier one must not replace a later one.
    if (status === 200 && reading > this.#readings.shown) {
      this.#readings.shown = reading;
      this.allowance = allowanceOf(answer, facts);
    }
    if (status === 401) this.signOut(answer);
    this.changed();
  }

  /**
   * Sends a request, and polls its operation if it runs in the background.
   * @param {import("./requests.js").Call} call
   * @returns {Promise<Exchange>} the request as soon as it is done, failed or waiting
   */
  async send(call) {
    const exchange = this.start(call);
    await exchange.finished;
    return exchange;
  }

  /**
   * Sends a request like `send`, and returns it at once. A metered request whose equal is still
   * unanswered is not sent under a new key: the unanswered one is returned, or repeated with its
   * key. A second click, a reload and a lost answer therefore cannot charge twice.
   * @returns {Exchange}
   */
  start({ action, method, path, params, body, key, inputs }) {
    const unanswered = key &&
      this.exchanges.find((one) => isUnanswered(one, { path, params, body }));
    if (unanswered) {
      if (!isRunning(unanswered)) unanswered.finished = this.retry(unanswered);
      return unanswered;
    }
    const exchange = {
      ...{ action, method, path, params, body, key, inputs },
      number: ++this.#last,
      state: "sending",
      started: Date.now(),
      polls: 0,
      replays: [],
    };
    this.exchanges = [exchange, ...this.exchanges];
    // Stores the key first: a page that is left right after sending repeats the request with it.
    this.changed();
    exchange.finished = this.#perform(exchange);
    return exchange;
  }

  /**
   * Opens an operation by its id. That is free, and an answer that this page has already received
   * is not read again.
   * @returns {Exchange}
   */
  open(id) {
    const known = this.exchanges.find(({ operation, answer }) =>
      (operation ?? answer?.usage?.id) === id
    );
    if (known && !known.is_stored && known.state !== "failed") return known;
    if (!known) {
      const opened = this.start(operationCall(id));
      opened.operation = id;
      return opened;
    }
    known.state = "sending";
    known.finished = this.#load(known, id);
    this.changed();
    return known;
  }

  /** Reads the result of a request that was sent before the page was loaded. */
  async #load(exchange, id) {
    const { key } = this;
    const received = await ask(operationCall(id), key);
    if (this.key !== key) return;
    if (received.status === 401) return this.signOut(received.answer);
    exchange.operation = id;
    exchange.is_stored = false;
    Object.assign(exchange, received, { state: stateOf(received.status) });
    this.changed();
    if (exchange.state === "waiting") this.#follow(exchange, key);
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
    let { facts } = exchange;
    while (exchange.state === "waiting") {
      const seconds = Number(facts.retry_after) || 0;
      await pause(Math.max(POLL_MILLISECONDS, seconds * 1_000));
      if (this.key !== key) return;
      const received = await ask(operationCall(exchange.answer.usage.id), key);
      if (this.key !== key) return;
      if (received.status === 401) return this.signOut(received.answer);
      exchange.polls++;
      facts = received.facts;
      if (!TEMPORARY_CODES.includes(received.answer.error?.code)) {
        const { status, answer } = received;
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
  if (UNCERTAIN_CODES.includes(answer?.error?.code)) return "charged at most once";
  const usage = answer?.usage;
  if (!usage || answer.error) return "nothing charged";
  const { request_units, delivered_units } = usage;
  return `${request_units} request + ${delivered_units} delivered`;
}

const isRunning = ({ state }) => state === "sending" || state === "waiting";

/** Returns whether a request has the inputs of a call, and its outcome is not known yet. */
function isUnanswered({ key, answer, ...exchange }, call) {
  if (!key || inputsOf(exchange) !== inputsOf(call)) return false;
  if (isRunning(exchange)) return true;
  const { error, usage } = bodyOf(answer);
  return UNCERTAIN_CODES.includes(error?.code) || PENDING_STATUSES.includes(usage?.status);
}

/** Statuses of an operation whose result a tool of MCP gives when it is called again. */
const PENDING_STATUSES = ["pending", "processing"];

/** Returns the body of an answer, which a tool of MCP wraps. */
const bodyOf = (answer) => answer?.result?.structuredContent ?? answer ?? {};

/**
 * Returns the inputs that identify an operation. Neither the mode (at once or in the background) nor
 * the key belongs to them, which is an argument of a tool.
 */
function inputsOf({ path, params, body }) {
  const ignored = ["background", "request_key"];
  const kept = (name, value) => ignored.includes(name) ? undefined : value;
  return JSON.stringify([path, params, body], kept);
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

/** Returns the stored requests. Their results are read when they are opened. */
function readRequests() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_REQUESTS) ?? "[]").map((one) => {
      const rest = { facts: {}, replays: [], finished: Promise.resolve() };
      if (one.state !== "sending") return { ...rest, ...one, is_stored: one.state === "done" };
      // The page was left before the answer arrived.
      const error = { code: "no_answer", message: "The answer was not received." };
      return { ...rest, ...one, state: "failed", status: 0, answer: { error } };
    });
  } catch {
    return [];
  }
}

/** Stores the metered requests without the records of their answers. */
function storeRequests(exchanges) {
  const stored = exchanges.filter(({ key }) => key).slice(0, MAX_STORED).map((exchange) => {
    const { facts: _facts, replays: _replays, finished: _finished, answer, ...rest } = exchange;
    return { ...rest, answer: answer && { usage: answer.usage, error: answer.error } };
  });
  try {
    if (stored.length === 0) sessionStorage.removeItem(STORED_REQUESTS);
    else sessionStorage.setItem(STORED_REQUESTS, JSON.stringify(stored));
  } catch {
    // Storage is blocked or full: the requests stay in memory.
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

/**
 * Returns a random idempotency key. Browsers offer `crypto.randomUUID` only over HTTPS and on
 * loopback.
 */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
