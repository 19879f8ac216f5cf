/**
 * Checks the origin of calls from browsers (Model Context Protocol 2025-11-25, transports,
 * Security).
 */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { Failure } from "../failures.ts";

/**
 * Creates a middleware that accepts requests without an origin, from pages of the service, and from
 * allowed origins. It lets these pages read the answer. For all other origins, it throws Failure
 * forbidden_origin.
 */
export function originGuard(allowed: readonly string[]): MiddlewareHandler {
  return (c, next) => {
    const origin = c.req.header("origin");
    // Only browsers need CORS headers, and adding them would copy each answer.
    if (origin === undefined) return next();
    if (!allowed.includes(origin) && !isSameOrigin(origin, c.req.url)) {
      throw new Failure("forbidden_origin");
    }
    return withHeaders(c, next);
  };
}

/**
 * Returns whether an origin has the scheme, host and port of the request's own address. The host
 * must be an IP address or localhost. Anyone can point a domain name at this machine, so the origin
 * of a name must be among the allowed origins.
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
