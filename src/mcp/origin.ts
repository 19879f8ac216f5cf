/**
 * Checks the pages that may call from a browser (Model Context Protocol 2025-11-25, transports,
 * Security).
 */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { Failure } from "../failures.ts";

/**
 * Accepts requests without an origin, and those of pages of the service and of the allowed origins.
 * These pages may read the answer.
 */
export function originGuard(allowed: readonly string[]): MiddlewareHandler {
  return (c, next) => {
    const origin = c.req.header("origin");
    // Without a browser, no header is needed; adding one would cost each call a copy of its answer.
    if (origin === undefined) return next();
    if (!allowed.includes(origin) && !isSameOrigin(origin, c.req.url)) {
      throw new Failure("forbidden_origin");
    }
    return withHeaders(c, next);
  };
}

/**
 * Tells whether scheme, host and port are those of the service in the request's address. The host
 * must be an address or localhost. The owner of a name can point it at this machine, so a name
 * counts only among the allowed origins.
 */
function isSameOrigin(origin: string, url: string): boolean {
  const service = new URL(url);
  const isAddress = /^\[|^[0-9.]+$/.test(service.hostname) || service.hostname === "localhost";
  // Browsers write an origin in the same form as URL.
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
