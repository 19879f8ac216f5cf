/** Targets of requests. They are checked before anything parses or routes them. */

/** A host name or address as a Host header writes it (RFC 9110, 7.2), with its port. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{0,5})?$/i;

/** The address that the server has put together of Host and target; it is not parsed yet. */
const ADDRESS = /^https?:\/\/([^/?#]*)\/[^#]*$/;

/** The last authority that was found valid: nearly all requests of a service name the same. */
let lastValid: string | undefined;

/**
 * Tells whether a request has a Host and a target that parse. Afterwards the path of its address is
 * the path that was requested. Before, a Host such as `x/docs#` decides what the address means.
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

/** Methods that a log names; any other one is the caller's own text. */
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

/** Returns a method as a log may name it: an unknown one is `OTHER`. */
export function loggedMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

/** Returns a request that the router can take: it looks up `constructor` in a plain object. */
export function routable(request: Request): Request {
  const method = loggedMethod(request.method);
  if (method === request.method) return request;
  // A copy of the request itself would take its signal along, of which Deno warns on stderr.
  const url = URL.canParse(request.url) ? request.url : "http://localhost/";
  return new Request(url, { method, headers: request.headers });
}
