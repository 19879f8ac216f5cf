/** Follows redirects, and asks each host's leave and turn on the way. */
import { type Deadline, unlessAborted } from "./deadline.ts";
import { findAddresses, type OpenDestinations, parseAddress } from "./destination.ts";
import { type HttpReply, openExchange } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import type { HostPauses } from "./host_pauses.ts";

/** Dependencies of every exchange of a fetcher. */
export interface Road {
  reach: OpenDestinations;
  pauses: HostPauses;
  stall_milliseconds: number;
  authorities?: string;
}

/** A request with its headers and bounds. */
export interface Journey {
  url: URL;
  /** Sent to every host. */
  headers: Record<string, string>;
  /** Sent to the origin of the first address alone. */
  secrets: Record<string, string>;
  deadline: Deadline;
  /** @returns the least time between two requests to the host; @throws where it may not be asked */
  permit(url: URL): Promise<number>;
}

/** An answer that is no redirect, and the turn at its host, which lasts until it is read. */
export interface Arrival {
  url: URL;
  reply: HttpReply;
  /** Asks the same address again, with other headers besides, within the same turn. */
  repeat(headers: Record<string, string>): Promise<HttpReply>;
  /** Ends the turn. */
  release(): void;
}

const REDIRECTS_MOST = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @throws FetchFailure, or the reason of the deadline's signal */
export async function followRedirects(road: Road, journey: Journey): Promise<Arrival> {
  let { url, secrets } = journey;
  for (let redirects = 0;; redirects++) {
    const arrival = await arrive(road, { ...journey, url, secrets });
    const { status, headers: { location } } = arrival.reply;
    if (!REDIRECTS.has(status)) return arrival;
    arrival.reply.discard();
    arrival.release();
    if (redirects === REDIRECTS_MOST) throw badRedirect(url, "redirects without end");
    if (location === undefined) throw badRedirect(url, "redirects to nowhere");
    const next = parseAddress(location, url);
    if (url.protocol === "https:" && next.protocol === "http:") {
      throw badRedirect(url, "redirects from https to http");
    }
    // Once gone they stay away: whoever sends us back may have chosen the address.
    if (next.origin !== url.origin) secrets = {};
    url = next;
  }
}

async function arrive(road: Road, journey: Journey): Promise<Arrival> {
  const { url, deadline: { signal } } = journey;
  const pause_milliseconds = await journey.permit(url);
  const release = await road.pauses.take(url.host, pause_milliseconds, signal);
  const repeat = async (more: Record<string, string>) => {
    const addresses = await unlessAborted(findAddresses(url, road.reach), signal);
    const headers = { ...journey.headers, ...journey.secrets, ...more };
    const { stall_milliseconds, authorities } = road;
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
