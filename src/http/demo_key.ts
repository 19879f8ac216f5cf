/** Decides which requests may get the demo's key. */

/** Hosts that always name the machine itself. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Headers that a proxy adds. The caller of a proxy may be on any machine. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Returns whether a request names a loopback host, and shows no sign of a proxy or of a page of
 * another site. Other host names are refused, because their owners can point them at this machine.
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
