/** Hostnames in one form (specification 4, Filter semantics 4). */

/** Longest hostname that the domain name system has (RFC 1035), in characters. */
const HOSTNAME_CHARACTERS_MAX = 253;

/** Labels of RFC 1123 with letters of any script: internationalized names stay as they are written. */
const LABEL = "[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]{0,61}[\\p{L}\\p{M}\\p{N}_])?";
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "u");

/**
 * Normalizes case, surrounding white space and a trailing dot. `www` stays, and subdomains are not
 * merged.
 *
 * @returns the hostname, or undefined for a text that is none: a URL, an e-mail address, an address
 * with a port, an empty or overlong label
 */
export function normalizeHostname(text: string): string | undefined {
  const hostname = text.trim().toLowerCase().replace(/\.$/, "");
  if (hostname.length > HOSTNAME_CHARACTERS_MAX) return undefined;
  return HOSTNAME.test(hostname) ? hostname : undefined;
}

/** Names what a text has that no hostname has. */
export function whyNoHostname(text: string): string {
  if (text.includes("@")) return "a hostname, not an e-mail address";
  if (/[/?#]/.test(text)) return "a hostname, not a URL";
  if (text.includes(":")) return "a hostname, without a port";
  return "a hostname such as northwind.example";
}
