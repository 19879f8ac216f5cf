/** Which pages may call from a browser (Model Context Protocol 2025-11-25, transports, Security). */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { Failure } from "../failures.ts";

/** Lets pass what no browser sends, the service's own pages and the allowed origins. */
export function originGuard(allowed: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header("origin");
    if (origin !== undefined && !allowed.includes(origin) && !isOwn(origin, c.req.url)) {
      throw new Failure("forbidden_origin");
    }
    await next();
  };
}

/**
 * The service's own origin, as the request names it: an address or localhost. A name may have been
 * rebound to this machine by its owner, so a name has to be among the allowed origins.
 */
function isOwn(origin: string, url: string): boolean {
  const own = new URL(url);
  const isAddress = /^\[|^[0-9.]+$/.test(own.hostname) || own.hostname === "localhost";
  return isAddress && URL.parse(origin)?.host === own.host;
}

const withHeaders = cors({
  origin: (origin) => origin,
  allowMethods: ["POST"],
  allowHeaders: [
    "Accept",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "MCP-Protocol-Version",
    "MCP-Session-Id",
  ],
  exposeHeaders: ["Request-Id", "Retry-After", "WWW-Authenticate"],
  maxAge: 7200,
});

/** Behind the guard: every origin that comes this far may read the answer. */
export const crossOrigin: MiddlewareHandler = (c, next) =>
  // What no browser sends needs none of it; it would cost each call a copy of its answer.
  c.req.header("origin") === undefined ? next() : withHeaders(c, next);
