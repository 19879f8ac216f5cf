/**
 * Follows redirects. At each hop it checks that the host may be requested, and waits until the host
 * is free.
 */
import { unlessAborted } from "./deadline.ts";
import { findAddresses, type OpenDestinations, parseAddress } from "./destination.ts";
import { type HttpReply, openExchange } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import type { HostPauses } from "./host_pauses.ts";

/** Settings and dependencies that all exchanges of a fetcher share. */
export interface Network {
  reach: OpenDestinations;
  pauses: HostPauses;
  stall_milliseconds: number;
  authorities?: string;
}

/** A request, or one hop of its redirects, with its headers. */
export interface HopRequest {
  url: URL;
  /** Headers for every host. */
  headers: Record<string, string>;
  /** Headers for the origin of the first address only. */
  secrets: Record<string, string>;
  /** Closes the connection, and frees its host for the next request, when it aborts. */
  signal: AbortSignal;
  /**
   * Returns the min milliseconds between two requests to the host. Throws if a request is not
   * allowed.
   */
  permit(url: URL): Promise<number>;
}

/** An answer that occupies its host. `discard` closes the connection and frees the host. */
export interface HeldReply extends HttpReply {
  /** Address after redirects. */
  url: URL;
}

/**
 * Max number of redirects of a request. RFC 9309, 2.3.1.2, requires five for a robots.txt, and
 * other requests have the same limit.
 */
const REDIRECTS_MAX = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows up to five redirects.
 * @throws FetchFailure, or the signal's reason
 */
export async function followRedirects(network: Network, hop: HopRequest): Promise<HeldReply> {
  let { url, secrets } = hop;
  for (let redirects = 0;; redirects++) {
    const reply = await exchangeOnce(network, { ...hop, url, secrets });
    const { status, headers: { location } } = reply;
    if (!REDIRECT_STATUSES.has(status)) return reply;
    reply.discard();
    if (redirects === REDIRECTS_MAX) throw badRedirect(url, `more than ${REDIRECTS_MAX} redirects`);
    if (location === undefined) throw badRedirect(url, "redirects without a location");
    const next = parseAddress(location, url);
    if (url.protocol === "https:" && next.protocol === "http:") {
      throw badRedirect(url, "redirects from https to http");
    }
    // Secrets stay dropped after a redirect back, because the other origin may have chosen the URL.
    if (next.origin !== url.origin) secrets = {};
    url = next;
  }
}

async function exchangeOnce(network: Network, hop: HopRequest): Promise<HeldReply> {
  const { url, signal } = hop;
  const release = await network.pauses.take(url.host, await hop.permit(url), signal);
  try {
    const addresses = await unlessAborted(findAddresses(url, network.reach), signal);
    const headers = { ...hop.headers, ...hop.secrets };
    const reply = await openExchange({ ...network, url, headers, addresses, signal });
    signal.throwIfAborted();
    // An answer that the caller never reads must not block further requests to the host.
    signal.addEventListener("abort", release);
    const discard = () => {
      reply.discard();
      release();
    };
    return { ...reply, url, discard };
  } catch (error) {
    release();
    throw error;
  }
}

function badRedirect({ hostname }: URL, reason: string): FetchFailure {
  return new FetchFailure("bad_redirect", `${hostname}: ${reason}`);
}
