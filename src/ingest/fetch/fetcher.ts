/**
 * Fetches from public addresses only, within bounds. Every hop of a redirect is checked before the
 * fetcher connects to it. An interrupted body is continued by a range request (RFC 9110, 14.2 and
 * 13.1.5).
 */
import { type Attempts, countAttempts } from "./attempts.ts";
import { ACCEPTED_ENCODINGS, encodingOf, readReply } from "./body.ts";
import { type Deadline, openDeadline, type Sleep, sleepFor } from "./deadline.ts";
import { type Lookup, lookUpSystem, parseAddress } from "./destination.ts";
import type { HttpReply } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import { createHostPauses } from "./host_pauses.ts";
import { followRedirects, type HeldReply, type HopRequest, type Network } from "./redirects.ts";
import { createRobotsGuard, type RobotsGuard } from "./robots.ts";
import { statusFailure } from "./status.ts";
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
  /**
   * Max number of attempts, at least 1. Each continuation of an interrupted body counts as an
   * attempt.
   */
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
  const attempts = countAttempts(bounds.attempts, { deadline, ...state });
  try {
    for (;;) {
      try {
        const hop = firstHop(state, request, { url, bounds, deadline });
        return await fetchOnce(state, request, { hop, bounds, attempts });
      } catch (failure) {
        await attempts.waitAfter(failure);
      }
    }
  } catch (error) {
    deadline.close();
    throw error;
  }
}

function firstHop(
  state: FetcherState,
  { accept, headers = {}, etag, last_modified }: FetchRequest,
  { url, bounds, deadline }: { url: URL; bounds: FetchBounds; deadline: Deadline },
): HopRequest {
  const common = { "user-agent": state.user_agent, "accept-encoding": ACCEPTED_ENCODINGS };
  const pause = bounds.pause_milliseconds;
  const askRobots = (robots: URL) =>
    followRedirects(state, {
      url: robots,
      headers: common,
      secrets: {},
      deadline,
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
    deadline,
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
  { etag, last_modified }: FetchRequest,
  { hop, bounds, attempts }: { hop: HopRequest; bounds: FetchBounds; attempts: Attempts },
): Promise<FetchOutcome> {
  const { deadline } = hop;
  const answer = await followRedirects(state, hop);
  const { url, reply, release } = answer;
  const retrieved_at = state.now();
  try {
    if (reply.status === 304 && (etag !== undefined || last_modified !== undefined)) {
      hangUp(answer);
      deadline.close();
      return { status: 304 };
    }
    if (reply.status !== 200) throw statusFailure(reply, url, retrieved_at);
    const resume = createResume(answer, attempts, state.now);
    const body = readReply(reply, { bytes: bounds.bytes, host: url.hostname, resume });
    deadline.signal.throwIfAborted();
    // A body that the caller never reads must not block further requests to the host after the
    // deadline.
    deadline.signal.addEventListener("abort", release);
    return {
      status: 200,
      url: url.href,
      etag: reply.headers.etag,
      last_modified: reply.headers["last-modified"],
      link: [reply.headers.link ?? []].flat().join(", ") || undefined,
      retrieved_at,
      body: closing(body, deadline),
    };
  } catch (error) {
    hangUp(answer);
    throw error;
  }
}

function hangUp({ reply, release }: HeldReply): void {
  reply.discard();
  release();
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

/**
 * Returns the function that requests the rest of a body. A strong validator must prove that the
 * rest belongs to the same body. An encoded body cannot be continued, because the host may encode
 * it differently the second time.
 *
 * The returned function throws the last failure if the body cannot be continued or no attempt is
 * left.
 */
function createResume(
  { reply: first, repeat, url }: HeldReply,
  attempts: Attempts,
  now: () => Date,
): (failure: unknown, received: number) => Promise<HttpReply> {
  const { etag, "accept-ranges": ranges } = first.headers;
  return async (failure, received) => {
    if (!etag?.startsWith('"') || ranges !== "bytes" || encodingOf(first) !== "identity") {
      throw failure;
    }
    for (;;) {
      await attempts.waitAfter(failure);
      try {
        const reply = await repeat({
          "accept-encoding": "identity",
          "range": `bytes=${received}-`,
          "if-range": etag,
        });
        if (isContinuation(reply, first, received)) return reply;
        reply.discard();
        failure = reply.status === 206 || reply.status === 200
          ? new FetchFailure("network", `${url.hostname}: changed while it was read`, {
            temporary: true,
          })
          : statusFailure(reply, url, now());
      } catch (error) {
        failure = error;
      }
    }
  };
}

function isContinuation(
  { status, headers }: HttpReply,
  first: HttpReply,
  received: number,
): boolean {
  const [, from, whole] = headers["content-range"]?.match(/^bytes (\d+)-\d+\/(\d+|\*)$/) ?? [];
  const length = first.headers["content-length"];
  return status === 206 && headers.etag === first.headers.etag && Number(from) === received &&
    encodingOf({ headers }) === "identity" &&
    (length === undefined || whole === "*" || whole === length);
}
