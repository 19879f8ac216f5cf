/** What is served without a key and never changes while a process lives: contract and reference. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import bundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "text" };
import page from "./docs/page.html" with { type: "text" };
import script from "./docs/page.js" with { type: "text" };
import { printContract } from "./openapi.ts";

interface Page {
  type: string;
  text: () => string;
}

/** By path. The reference brings all it needs with it and asks nothing of another origin. */
export const PAGES: ReadonlyMap<string, Page> = new Map([
  ["/openapi.json", { type: "application/json", text: printContract }],
  ["/docs", { type: "text/html; charset=utf-8", text: () => page }],
  ["/docs/page.js", { type: "text/javascript; charset=utf-8", text: () => script }],
  ["/docs/swagger-ui-bundle.js", { type: "text/javascript; charset=utf-8", text: () => bundle }],
  ["/docs/swagger-ui.css", { type: "text/css; charset=utf-8", text: () => style }],
]);

/** The renderer draws its icons from data: addresses. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface Encoded {
  plain: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  tag: string;
}

/** Encoded once, when first asked for: compressing the renderer takes a moment. */
const encodings = new Map<string, Encoded>();

/** @returns a page of PAGES, or status 304 where the client has it already */
export function pageResponse(request: Request, path: string): Response {
  const { type, text } = PAGES.get(path)!;
  const { plain, gzip, tag } = encodings.getOrInsertComputed(path, () => encode(text()));
  const headers = new Headers({
    "cache-control": "no-cache",
    "content-security-policy": POLICY,
    "content-type": type,
    "etag": tag,
    "referrer-policy": "no-referrer",
    "vary": "accept-encoding",
    "x-content-type-options": "nosniff",
  });
  if (matches(request.headers.get("if-none-match"), tag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  if (!acceptsGzip(request.headers.get("accept-encoding"))) return new Response(plain, { headers });
  headers.set("content-encoding", "gzip");
  return new Response(gzip, { headers });
}

function encode(text: string): Encoded {
  const plain = new TextEncoder().encode(text);
  // Weak: the same for both encodings.
  const tag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { plain, gzip: new Uint8Array(gzipSync(plain)), tag };
}

function matches(given: string | null, tag: string): boolean {
  return given?.split(",").some((one) => [tag, "*"].includes(one.trim())) ?? false;
}

function acceptsGzip(given: string | null): boolean {
  return given?.split(",").some((one) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one)) ??
    false;
}
