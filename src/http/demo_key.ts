/** Decides which requests may get the demo's key. */

/** Hosts of an address that name the machine on which the request was made. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Headers that a proxy adds. Behind a proxy, the caller may be anywhere. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Tells whether a request names this machine by a loopback host, without a sign of a proxy or of
 * another site's page. Other names are refused, because the owner of a name can point it at this
 * machine.
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
