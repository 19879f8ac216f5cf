/** Checks the destination of a request: its URL, and the addresses that the host resolves to. */
import { lookup as resolve } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
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
  const message = `${hostname}: ${reason} (FETCH_OPEN_ADDRESSES can permit it)`;
  return new FetchFailure("address_refused", message);
}

/**
 * IPv4 blocks that are not public: IANA's special-purpose registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast and class E.
 */
const NON_PUBLIC_IPV4 = blockList("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's service for its virtual machines has an address that looks public.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/** IPv6 block for public use. Mapped, compatible, local and multicast addresses are outside it. */
const GLOBAL_IPV6 = blockList("ipv6", [["2000::", 3]]);

/**
 * Special blocks within GLOBAL_IPV6 (https://www.iana.org/assignments/iana-ipv6-special-registry):
 * protocol assignments, which include Teredo, benchmarking and ORCHID; documentation; 6to4; 6bone,
 * which is closed.
 */
const NON_PUBLIC_IPV6 = blockList("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3ffe::", 16],
  ["3fff::", 20],
]);

/** Matches the IPv6 form of an IPv4 address in a network without IPv4 (RFC 6052). */
const TRANSLATED = /^64:ff9b::([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** Returns whether an address is known to be public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !NON_PUBLIC_IPV4.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  const translated = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1).match(TRANSLATED);
  if (translated) return isPublicAddress(dotted(translated[1]!, translated[2]!));
  return GLOBAL_IPV6.check(address, "ipv6") && !NON_PUBLIC_IPV6.check(address, "ipv6");
}

function dotted(high: string, low: string): string {
  return [high, low].map((part) => parseInt(part, 16)).flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");
}

function blockList(family: "ipv4" | "ipv6", subnets: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
