/** Sends requests, and repeats failed ones with the same key after a back-off. */
import { type Allowance, readAllowance } from "./allowance.ts";
import { ConnectionError, entryOf, type ErrorEnvelope, errorOf } from "./errors.ts";

/** Settings of a client. */
export interface ClientOptions {
  /** Address of the service, including the prefix of its paths if there is one. */
  url: string | URL;
  /** API key. It is sent only in a header. */
  key: string;
  /** Max number of attempts per request. Default: 5. */
  attempts?: number;
  /** Seconds after which an attempt without a complete answer is aborted. Default: 60. */
  timeout_seconds?: number;
  /** Max seconds of Retry-After. If an answer requires more, the call throws. Default: 60. */
  max_wait_seconds?: number;
  /** Function that replaces the platform's `fetch`. */
  fetch?: typeof fetch;
  /** Replacement of the platform's timers and random numbers, for tests. */
  timing?: Timing;
}

/** Pauses and random numbers of a client. */
export interface Timing {
  /** Resolves after the seconds; rejects with the signal's reason as soon as it is aborted. */
  pause(seconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
}

/** One request. */
export interface ClientRequest {
  method: "GET" | "POST";
  /** Path below the service's address. */
  path: string;
  body?: unknown;
  /** Idempotency key of a metered request. */
  request_key?: string;
  signal?: AbortSignal;
}

/** An answer that is no error. */
export interface ClientAnswer<Body> {
  status: number;
  body: Body;
  /** Seconds to wait before an unfinished operation is polled. */
  retry_after_seconds?: number;
}

/**
 * Upper bound of the first back-off, in seconds. The client waits a random part of the bound, which
 * doubles after each attempt.
 */
const BACKOFF_SECONDS = 0.25;

/** Max value of that upper bound, in seconds. */
const BACKOFF_SECONDS_MAX = 20;

const PLATFORM: Timing = { pause, random: Math.random };

/** Sends requests with an API key, and repeats those that may succeed in a later attempt. */
export class Transport {
  readonly timing: Timing;
  /** Allowance according to the latest answer that stated it. */
  allowance?: Allowance;
  readonly #base: string;
  readonly #options: Required<Pick<ClientOptions, "attempts" | "timeout_seconds">>;
  readonly #max_wait_seconds: number;
  readonly #key: string;
  readonly #fetch: typeof fetch;

  /** @throws TypeError if the key is missing or is no API key, or the address is not a URL */
  constructor(
    { url, key, attempts = 5, timeout_seconds = 60, max_wait_seconds = 60, ...rest }: ClientOptions,
  ) {
    if (typeof key !== "string" || key.trim() === "") {
      throw new TypeError("An API key is required: pass it as `key`, for example from CE_API_KEY.");
    }
    // No header can contain other characters, as the … of a key that is copied from a document. The
    // line end of a file with a key is allowed.
    if (!/^[!-~]+$/.test(key.trim())) {
      throw new TypeError("`key` is no API key: it has characters outside visible ASCII.");
    }
    this.#base = new URL(url).href.replace(/\/*$/, "/");
    this.#key = key.trim();
    this.#options = { attempts, timeout_seconds };
    this.#max_wait_seconds = max_wait_seconds;
    // Browsers refuse to call fetch as a method of another object.
    this.#fetch = rest.fetch ?? ((...args) => fetch(...args));
    this.timing = rest.timing ?? PLATFORM;
  }

  /**
   * Sends a request, and repeats it until it succeeds or no retry is allowed.
   * @throws ServiceError, ConnectionError; TypeError if a header cannot contain the idempotency
   * key, or if JSON cannot contain the body; the reason of the signal if it is aborted
   */
  async send<Body>(request: ClientRequest): Promise<ClientAnswer<Body>> {
    // Invalid keys and bodies throw here. In an attempt, they would count as a broken connection.
    const init = {
      method: request.method,
      headers: new Headers(this.#headersOf(request)),
      body: request.body === undefined ? null : JSON.stringify(request.body),
    };
    for (let attempt = 1;; attempt++) {
      const outcome = await this.#attempt<Body>(request, init);
      if ("answer" in outcome) return outcome.answer;
      const { error, wait_seconds = 0, retry } = outcome;
      const last = attempt >= this.#options.attempts || wait_seconds > this.#max_wait_seconds;
      if (!retry || last) throw error;
      const backoff = Math.min(BACKOFF_SECONDS * 2 ** (attempt - 1), BACKOFF_SECONDS_MAX);
      await this.timing.pause(wait_seconds + this.timing.random() * backoff, request.signal);
    }
  }

  async #attempt<Body>(
    { path, request_key, signal }: ClientRequest,
    init: RequestInit,
  ): Promise<Outcome<Body>> {
    signal?.throwIfAborted();
    const limit = limitTime(this.#options.timeout_seconds, signal);
    try {
      const response = await this.#fetch(`${this.#base}${path}`, {
        ...init,
        // A redirect would send the key to another address.
        redirect: "error",
        signal: limit.signal,
      });
      const text = await response.text();
      this.allowance = readAllowance(response.headers) ?? this.allowance;
      return readOutcome(response, { text, request_key });
    } catch (cause) {
      signal?.throwIfAborted();
      const message = `No answer from ${this.#base}: ${reasonOf(cause)}`;
      const error = new ConnectionError(message, { request_key, cause });
      return { error, retry: true };
    } finally {
      limit.clear();
    }
  }

  #headersOf({ body, request_key }: ClientRequest): Record<string, string> {
    return {
      accept: "application/json",
      authorization: `Bearer ${this.#key}`,
      ...body !== undefined && { "content-type": "application/json" },
      ...request_key !== undefined && { "idempotency-key": request_key },
    };
  }
}

type Outcome<Body> =
  | { answer: ClientAnswer<Body> }
  | { error: Error; retry: boolean; wait_seconds?: number };

/** Reads the outcome of an attempt. @throws SyntaxError if the body of a 2xx is incomplete */
function readOutcome<Body>(
  { status, ok, headers }: Response,
  { text, request_key }: { text: string; request_key?: string },
): Outcome<Body> {
  const retry_after_seconds = secondsOf(headers.get("retry-after"));
  if (ok) return { answer: { status, body: JSON.parse(text) as Body, retry_after_seconds } };
  const facts = { status, request_id: headers.get("request-id") ?? undefined, request_key };
  const envelope = envelopeOf(text);
  if (envelope === undefined) {
    const message = `The answer has status ${status} and is not the service's.`;
    const error = errorOf({ error: { code: "unexpected_answer", message } }, facts);
    return { error, retry: status >= 500, wait_seconds: retry_after_seconds };
  }
  return {
    error: errorOf(envelope, facts),
    retry: entryOf(envelope).retry,
    wait_seconds: envelope.error.retry_after_seconds ?? retry_after_seconds,
  };
}

function envelopeOf(text: string): ErrorEnvelope | undefined {
  try {
    const body = JSON.parse(text) as ErrorEnvelope | null;
    return typeof body?.error?.code === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Reads Retry-After, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns a signal that is aborted after `seconds`, or when the caller's signal is aborted. */
function limitTime(seconds: number, signal?: AbortSignal) {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new Error(`the attempt took longer than ${seconds} seconds`));
  }, seconds * 1000);
  const follow = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", follow);
    },
  };
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1000);
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
  });
}
