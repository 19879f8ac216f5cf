/**
 * Fetches from public addresses only, within bounds. Every hop of a redirect is checked before the
 * fetcher connects to it.
 */
import { ACCEPTED_ENCODINGS, readReply } from "./body.ts";
import { type Deadline, openDeadline, type Sleep, sleepFor } from "./deadline.ts";
import { type Lookup, lookUpSystem, parseAddress } from "./destination.ts";
import { FetchFailure, statusFailure } from "./failure.ts";
import { createHostPauses } from "./host_pauses.ts";
import { followRedirects, type HopRequest, type Network } from "./redirects.ts";
import { createRobotsGuard, type RobotsGuard } from "./robots.ts";
export { FetchFailure, type FetchFault } from "./failure.ts";

/** One GET request. */
export interface FetchRequest {
  /** Address with the scheme http or https. */
  url: string;
  /** Media type that is requested. */
  accept?: string;
  /** Secret headers. They are dropped when a redirect leaves the origin, and never logged. */
  headers?: Record<string, string>;
  /** Validators of the previous answer. The outcome has the status 304 if nothing has changed. */
  etag?: string;
  last_modified?: string;
}

/** Bounds of one fetch, redirects and retries included. */
export interface FetchBounds {
  /** Max bytes of the decoded body. */
  bytes: number;
  /** Max milliseconds of the whole exchange, until the body's last byte. */
  milliseconds: number;
  /** Max number of attempts until the headers of an answer, at least 1. */
  attempts: number;
  /** Milliseconds between the starts of two requests to one host. */
  pause_milliseconds: number;
  /** True if the host's robots.txt is obeyed. */
  robots?: boolean;
}

/** An answer whose body has not been read yet. */
export interface Fetched {
  status: 200;
  /** Address after redirects. */
  url: string;
  etag?: string;
  last_modified?: string;
  /** Value of the header Link (RFC 8288). */
  link?: string;
  retrieved_at: Date;
  /**
   * The decoded body. It must be read once, to its end or to a `break`. Reading may throw
   * FetchFailure.
   */
  body: AsyncIterable<Uint8Array>;
}

type FetchOutcome = Fetched | { status: 304 };

/** Fetches over HTTP. */
export interface Fetcher {
  /** @throws FetchFailure, or the signal's reason if it aborted */
  fetch(request: FetchRequest, bounds: FetchBounds, signal?: AbortSignal): Promise<FetchOutcome>;
}

/** Settings of a fetcher, and its replaceable dependencies. */
export interface FetcherOptions {
  user_agent: string;
  /**
   * Hosts with ports, as `host:port`, that may be requested although their address is private:
   * "127.0.0.1:8081", "mirror.internal:80".
   */
  open_addresses: readonly string[];
  now?: () => Date;
  sleep?: Sleep;
  /** Returns a number from 0 to 1, which spreads retries. */
  random?: () => number;
  /** Resolver of names. Absent: the system's resolver. */
  lookup?: Lookup;
  /** Certificate authorities (PEM) that are trusted instead of those of the runtime. */
  authorities?: string;
  /** Max milliseconds for which a host may send nothing. */
  stall_milliseconds?: number;
}

/** Default of `stall_milliseconds`. The number is chosen. */
const STALL_MILLISECONDS = 30_000;

/** State that one fetcher keeps between fetches. */
interface FetcherState extends Network {
  user_agent: string;
  now: () => Date;
  sleep: Sleep;
  random: () => number;
  robots: RobotsGuard;
}

/**
 * Creates a fetcher. A process needs exactly one, because the fetcher knows when each host may be
 * requested next.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const { now = () => new Date(), sleep = sleepFor, random = Math.random } = options;
  const state: FetcherState = {
    user_agent: options.user_agent,
    now,
    sleep,
    random,
    reach: {
      open_addresses: new Set(options.open_addresses),
      lookup: options.lookup ?? lookUpSystem,
    },
    pauses: createHostPauses({ now, sleep }),
    robots: createRobotsGuard({ now }),
    stall_milliseconds: options.stall_milliseconds ?? STALL_MILLISECONDS,
    authorities: options.authorities,
  };
  return { fetch: (request, bounds, signal) => fetchWithin(state, request, { bounds, signal }) };
}

async function fetchWithin(
  state: FetcherState,
  request: FetchRequest,
  { bounds, signal }: { bounds: FetchBounds; signal?: AbortSignal },
): Promise<FetchOutcome> {
  const url = parseAddress(request.url);
  const deadline = openDeadline(bounds.milliseconds, { host: url.hostname, signal });
  try {
    for (let attempt = 1;; attempt++) {
      try {
        return await fetchOnce(state, request, { url, bounds, deadline });
      } catch (failure) {
        await waitAfter(failure, { attempt, attempts: bounds.attempts, deadline, state });
      }
    }
  } catch (error) {
    deadline.close();
    throw error;
  }
}

/** Milliseconds until the second attempt. Each further wait doubles. Both bounds are chosen. */
const FIRST_WAIT_MILLISECONDS = 500;
const WAIT_MAX_MILLISECONDS = 30_000;

/**
 * Waits after a failed attempt until the next one.
 * @throws the failure itself if it is permanent, no attempt is left, or the deadline comes before
 * the end of the wait
 * @throws the reason of the deadline's signal if the signal aborts
 */
async function waitAfter(
  failure: unknown,
  { attempt, attempts, deadline, state: { now, sleep, random } }: {
    attempt: number;
    attempts: number;
    deadline: Deadline;
    state: FetcherState;
  },
): Promise<void> {
  deadline.signal.throwIfAborted();
  const isRepeatable = failure instanceof FetchFailure && failure.temporary && attempt < attempts;
  if (!isRepeatable) throw failure;
  // The wait has jitter, so that clients that failed together do not retry together.
  const doubled = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1), WAIT_MAX_MILLISECONDS);
  const requested = (failure.retry_at?.getTime() ?? 0) - now().getTime();
  const wait = Math.max(doubled * (1 + random()) / 2, requested);
  if (wait >= deadline.left()) throw failure;
  await sleep(wait, deadline.signal);
}

function firstHop(
  state: FetcherState,
  { accept, headers = {}, etag, last_modified }: FetchRequest,
  { url, bounds, deadline: { signal } }: { url: URL; bounds: FetchBounds; deadline: Deadline },
): HopRequest {
  const common = { "user-agent": state.user_agent, "accept-encoding": ACCEPTED_ENCODINGS };
  const pause = bounds.pause_milliseconds;
  const askRobots = (robots: URL) =>
    followRedirects(state, {
      url: robots,
      headers: common,
      secrets: {},
      signal,
      permit: () => Promise.resolve(pause),
    });
  return {
    url,
    headers: {
      ...common,
      "accept": accept ?? "*/*",
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(last_modified !== undefined && { "if-modified-since": last_modified }),
    },
    secrets: headers,
    signal,
    permit: async (target) =>
      bounds.robots ? Math.max(pause, await state.robots.judge(target, askRobots)) : pause,
  };
}

/**
 * Makes one attempt. Closes the deadline at the end of the body, or for a 304. If the last attempt
 * fails, the caller closes the deadline.
 */
async function fetchOnce(
  state: FetcherState,
  request: FetchRequest,
  attempt: { url: URL; bounds: FetchBounds; deadline: Deadline },
): Promise<FetchOutcome> {
  const { bounds, deadline } = attempt;
  const reply = await followRedirects(state, firstHop(state, request, attempt));
  const { status, headers, url } = reply;
  const retrieved_at = state.now();
  const isConditional = request.etag !== undefined || request.last_modified !== undefined;
  if (status === 304 && isConditional) {
    deadline.close();
    return { status };
  }
  try {
    if (status !== 200) throw statusFailure(reply, url, retrieved_at);
    const body = readReply(reply, { bytes: bounds.bytes, host: url.hostname });
    return {
      status,
      url: url.href,
      etag: headers.etag,
      last_modified: headers["last-modified"],
      link: [headers.link ?? []].flat().join(", ") || undefined,
      retrieved_at,
      body: closing(body, deadline),
    };
  } catch (error) {
    reply.discard();
    throw error;
  }
}

/** Yields the body, then closes the deadline. That frees the host and closes the connection. */
async function* closing(
  body: AsyncIterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    deadline.close();
  }
}
