/** Checks the destination of a request: its URL, and the addresses that the host resolves to. */
import { lookup as resolve } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./address.ts";
import { FetchFailure } from "./failure.ts";

/** Resolves a name to every address it has. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Hosts and ports that may be reached although they are not public, and the resolver of names. */
export interface OpenDestinations {
  /**
   * Entries are `host:port` as in a URL. An entry with an IP address does not open the host names
   * that resolve to it.
   */
  open_addresses: ReadonlySet<string>;
  lookup: Lookup;
}

/** Ports of websites. A service on another port may not be meant for the public. */
const PORTS: ReadonlySet<string> = new Set(["80", "443", "8080", "8443"]);

/**
 * Parses an address as browsers do, so that all spellings of a host become one.
 * @throws FetchFailure bad_address
 */
export function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new FetchFailure("bad_address", "not an address");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchFailure("bad_address", "not an address of http or https");
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchFailure(
      "bad_address",
      `${url.hostname}: an address with a user name or a password`,
    );
  }
  url.hostname = url.hostname.replace(/\.$/, "");
  url.hash = "";
  return url;
}

/**
 * Returns the addresses of a host, if all are public and the port is one of PORTS, or if
 * `open_addresses` names the host and port. The caller must connect to one of these: resolving the
 * name again could give another address (DNS rebinding).
 * @throws FetchFailure address_refused, network
 */
export async function findAddresses(url: URL, reach: OpenDestinations): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const open = reach.open_addresses.has(`${url.hostname}:${port}`);
  if (!open && !PORTS.has(port)) throw refusal(url, `port ${port} is not allowed`);
  const addresses = isIP(host) ? [host] : await lookUp(host, reach.lookup);
  if (!open && !addresses.every(isPublicAddress)) throw refusal(url, "not a public address");
  return addresses;
}

/** Resolves a name with the system's resolver. */
export const lookUpSystem: Lookup = async (hostname) =>
  (await resolve(hostname, { all: true })).map(({ address }) => address);

async function lookUp(host: string, lookup: Lookup): Promise<readonly string[]> {
  const addresses = await lookup(host).catch(() => []);
  if (addresses.length === 0) {
    throw new FetchFailure("network", `${host}: the name does not resolve`, { temporary: true });
  }
  return addresses;
}

function refusal({ hostname }: URL, reason: string): FetchFailure {
  return new FetchFailure("address_refused", `${hostname}: ${reason}`);
}
