/** Normalizes hostnames (specification 4, Filter semantics 4). */

/** Max number of characters of a hostname (RFC 1035). */
const HOSTNAME_CHARACTERS_MAX = 253;

/**
 * Pattern of a label (RFC 1123), but also with underscores and with letters of any script, because
 * internationalized names are not converted to Punycode.
 */
const LABEL = "[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]{0,61}[\\p{L}\\p{M}\\p{N}_])?";
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "u");

/**
 * Normalizes case, surrounding white space and a trailing dot. `www` stays, and subdomains are not
 * merged.
 *
 * @returns undefined for any other text, such as a URL, an e-mail address, an address with a port,
 * or an empty or overlong label
 */
export function normalizeHostname(text: string): string | undefined {
  const hostname = text.trim().toLowerCase().replace(/\.$/, "");
  if (hostname.length > HOSTNAME_CHARACTERS_MAX) return undefined;
  return HOSTNAME.test(hostname) ? hostname : undefined;
}

/** Returns the reason why a text is not a hostname. */
export function whyNoHostname(text: string): string {
  if (text.includes("@")) return "a hostname, not an e-mail address";
  if (/[/?#]/.test(text)) return "a hostname, not a URL";
  if (text.includes(":")) return "a hostname, without a port";
  return "a hostname such as northwind.example";
}
