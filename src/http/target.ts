/** Checks the targets of requests, and finds their paths below the base path, before routing. */
import { getPath } from "hono/utils/url";

/** Pattern of a host name or address in a Host header (RFC 9110, 7.2), with its port. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{0,5})?$/i;

/** Pattern of a request's URL, which the server builds from Host and target without a check. */
const ADDRESS = /^https?:\/\/([^/?#]*)\/[^#]*$/;

/** Last authority that was found valid. Nearly all requests of a service have the same one. */
let lastValid: string | undefined;

/**
 * Returns whether a request has a valid Host and target. The server builds the request's URL from
 * both, so an invalid Host such as `x/docs#` would change the path of the URL.
 *
 * A target that names a host itself (`GET http://x/docs`) is valid, and takes precedence over Host
 * (RFC 9112, 3.2.2).
 *
 * @param requires_host true if the request came by HTTP/1.1, which requires a Host header
 */
export function hasValidTarget(request: Request, requires_host: boolean): boolean {
  const host = request.headers.get("host");
  if (host === null ? requires_host : !isAuthority(host)) return false;
  const [, authority] = ADDRESS.exec(request.url) ?? [];
  return authority !== undefined && isAuthority(authority);
}

function isAuthority(text: string): boolean {
  if (text === lastValid) return true;
  if (!AUTHORITY.test(text) || !URL.canParse(`http://${text}/`)) return false;
  lastValid = text;
  return true;
}

/**
 * Methods that are logged by name. Any other method is arbitrary text of the caller, which must not
 * get into the log.
 */
const METHODS = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE",
]);

/** Returns a method for the log; `OTHER` for an unknown one. */
export function loggedMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

/**
 * Returns a request that the router can handle. The router looks up the method in a plain object,
 * which also has members such as `constructor`. An unknown method is therefore replaced.
 */
export function routable(request: Request): Request {
  const method = loggedMethod(request.method);
  if (method === request.method) return request;
  // A copy of the request would include its signal, about which Deno warns on stderr.
  const url = URL.canParse(request.url) ? request.url : "http://localhost/";
  return new Request(url, { method, headers: request.headers });
}

/**
 * Router path of the base path without a slash at its end. Such a request is redirected, because
 * relative links would fail there.
 */
export const BASE = "/..";

/** Router path of every path outside of the base path. No route matches it. */
const BESIDE = "/../..";

/**
 * Returns the path for the router: the part after the base path.
 *
 * @param base_path not empty, without a slash at its end
 */
export function pathBelow(base_path: string, request: Request): string {
  const path = getPath(request);
  if (path === base_path) return BASE;
  return path.startsWith(`${base_path}/`) ? path.slice(base_path.length) : BESIDE;
}
