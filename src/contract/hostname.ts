/**
 * Normalizes hostnames (specification 4, Filter semantics 4) to one form: the ASCII form of UTS 46, by
 * which names in Unicode, in Punycode and in other case are equal.
 */
import { domainToASCII } from "node:url";

/** Max number of characters of a hostname (RFC 1035). */
const HOSTNAME_CHARACTERS_MAX = 253;

/** Pattern of a label (RFC 1123), but also with underscores. */
const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** Pattern of characters that UTS 46 maps to others. */
const BEYOND_ASCII = /[^\x20-\x7e]/;

/**
 * Normalizes case, script, surrounding white space and a trailing dot. `www` stays, and subdomains
 * are not merged.
 *
 * @returns undefined for any other text, such as a URL, an e-mail address, an address with a port,
 * or an empty or overlong label
 */
export function normalizeHostname(text: string): string | undefined {
  const trimmed = text.trim();
  // A longer text takes long to convert. The final dot does not count.
  if (trimmed.length > HOSTNAME_CHARACTERS_MAX + 1) return undefined;
  const ascii = BEYOND_ASCII.test(trimmed) ? domainToASCII(trimmed) : trimmed.toLowerCase();
  const hostname = ascii.replace(/\.$/, "");
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
