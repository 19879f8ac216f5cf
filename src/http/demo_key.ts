/** Requests that may be told the demo's key. */

/** Hosts that name the machine on which a request was made, as an address has them. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Headers that a proxy adds. Behind one, whoever asks may be anywhere. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Tells whether a request names this machine by a loopback host and shows no sign of a proxy or of
 * another site's page. A name that leads to this machine is refused: whoever owns a name can point it here.
 */
export function isAskedAtLoopback({ url, headers }: Request): boolean {
  const hosts = [new URL(url).hostname, hostnameOf(headers.get("host"))];
  const site = headers.get("sec-fetch-site");
  return hosts.every((host) => host === undefined || LOOPBACK_HOSTS.includes(host)) &&
    !PROXY_HEADERS.some((name) => headers.has(name)) &&
    (site === null || site === "same-origin" || site === "none");
}

function hostnameOf(host: string | null): string | undefined {
  return host?.toLowerCase().replace(/:[0-9]*$/, "");
}
