/** Which pages may call from a browser (Model Context Protocol 2025-11-25, transports, Security). */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { Failure } from "../failures.ts";

/** Lets pass what no browser sends, the service's own pages and the allowed origins. */
export function originGuard(allowed: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header("origin");
    if (origin !== undefined && !allowed.includes(origin) && !isSameOrigin(origin, c.req.url)) {
      throw new Failure("forbidden_origin");
    }
    await next();
  };
}

/**
 * Tells whether scheme, host and port are the service's, as the request names it. The host must be
 * an address or localhost. Whoever owns a name can point it at this machine, so a name counts only
 * if it is among the allowed origins.
 */
function isSameOrigin(origin: string, url: string): boolean {
  const service = new URL(url);
  const isAddress = /^\[|^[0-9.]+$/.test(service.hostname) || service.hostname === "localhost";
  // Browsers write an origin in the one form that URL gives it.
  return isAddress && origin === service.origin;
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
    "Mcp-Method",
    "Mcp-Name",
    "MCP-Session-Id",
  ],
  exposeHeaders: ["Request-Id", "Retry-After", "WWW-Authenticate"],
  maxAge: 7200,
});

/** Behind the guard: every origin that comes this far may read the answer. */
export const crossOrigin: MiddlewareHandler = (c, next) =>
  // What no browser sends needs none of it; it would cost each call a copy of its answer.
  c.req.header("origin") === undefined ? next() : withHeaders(c, next);
