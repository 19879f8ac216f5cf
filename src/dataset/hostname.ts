/**
 * Specification 4, Filter semantics 4: case, surrounding white space and a trailing dot are
 * normalized; www stays and subdomains are not merged.
 *
 * @returns the hostname, or nothing where the text is no hostname (a URL, an e-mail address, an
 * address with a port, an empty or overlong label).
 */
export function normalizeHostname(text: string): string | undefined {
  const hostname = text.trim().toLowerCase().replace(/\.$/, "");
  return HOSTNAME.test(hostname) && hostname.length <= 253 ? hostname : undefined;
}

/** RFC 1123 labels, letters of any script (internationalized names are kept as they are written). */
const LABEL = "[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]{0,61}[\\p{L}\\p{M}\\p{N}_])?";
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "u");
