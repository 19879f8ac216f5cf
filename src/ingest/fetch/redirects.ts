/**
 * Follows redirects. At each hop it checks that the host may be requested, and waits until the host
 * is free.
 */
import { type Deadline, unlessAborted } from "./deadline.ts";
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

/** A request, or one hop of its redirects, with its headers and deadline. */
export interface HopRequest {
  url: URL;
  /** Headers for every host. */
  headers: Record<string, string>;
  /** Headers for the origin of the first address only. */
  secrets: Record<string, string>;
  deadline: Deadline;
  /**
   * Returns the min milliseconds between two requests to the host. Throws if a request is not
   * allowed.
   */
  permit(url: URL): Promise<number>;
}

/** An answer that occupies its host until it is released. */
export interface HeldReply {
  url: URL;
  reply: HttpReply;
  /** Sends the request again with further headers, while the host is still occupied. */
  repeat(headers: Record<string, string>): Promise<HttpReply>;
  /** Frees the host for the next request. */
  release(): void;
}

/**
 * Max number of redirects of a request. RFC 9309, 2.3.1.2, requires five for a robots.txt, and
 * other requests have the same limit.
 */
const REDIRECTS_MAX = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows up to five redirects.
 * @throws FetchFailure, or the reason of the deadline's signal
 */
export async function followRedirects(network: Network, hop: HopRequest): Promise<HeldReply> {
  let { url, secrets } = hop;
  for (let redirects = 0;; redirects++) {
    const answer = await exchangeOnce(network, { ...hop, url, secrets });
    const { status, headers: { location } } = answer.reply;
    if (!REDIRECT_STATUSES.has(status)) return answer;
    answer.reply.discard();
    answer.release();
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
  const { url, deadline: { signal } } = hop;
  const pause_milliseconds = await hop.permit(url);
  const release = await network.pauses.take(url.host, pause_milliseconds, signal);
  const repeat = async (more: Record<string, string>) => {
    const addresses = await unlessAborted(findAddresses(url, network.reach), signal);
    const headers = { ...hop.headers, ...hop.secrets, ...more };
    const { stall_milliseconds, authorities } = network;
    return openExchange({ url, headers, addresses, stall_milliseconds, authorities, signal });
  };
  try {
    return { url, reply: await repeat({}), repeat, release };
  } catch (error) {
    release();
    throw error;
  }
}

function badRedirect({ hostname }: URL, reason: string): FetchFailure {
  return new FetchFailure("bad_redirect", `${hostname}: ${reason}`);
}
