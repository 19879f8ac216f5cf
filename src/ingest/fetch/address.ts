/** Distinguishes public IP addresses from private and special ones. */
import { BlockList, isIP } from "node:net";

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
