/**
 * Serves pages that need no key and never change while a process lives: contract, console,
 * guides, reference, texts for agents.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { CONSOLE_FILES } from "../console/files.ts";
import { GUIDE_FILES } from "../console/guides.ts";
import llms from "./llms.txt" with { type: "text" };
import { printContract } from "./openapi.ts";
import skill from "./skill.md" with { type: "text" };

/** A page, a file that a page loads, or a document. */
export interface Page {
  type: string;
  text: () => string;
}

/** Pages by path. They are self-contained and request nothing from another origin. */
export const PAGES: ReadonlyMap<string, Page> = new Map<string, Page>([
  ["/openapi.json", { type: "application/json", text: () => printContract() }],
  // The texts by which agents find the service. Their links are relative.
  ["/llms.txt", { type: "text/plain; charset=utf-8", text: () => llms }],
  ["/skill.md", { type: "text/markdown; charset=utf-8", text: () => skill }],
  ...[...CONSOLE_FILES].map(([path, { type, text }]): [string, Page] => [
    path,
    { type, text: () => text },
  ]),
  ...GUIDE_FILES,
]);

interface Encoded {
  plain: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  tag: string;
  policy: string;
}

/**
 * Encoded pages. A page is encoded when it is first requested, because compressing takes a moment.
 */
const encodings = new WeakMap<Page, Encoded>();

/**
 * Returns the pages of a service with this base path. The contract names the base path.
 * @param tools descriptions of the MCP tools, for the reference page
 */
export function pagesBelow(base_path: string, tools: readonly object[]): Map<string, Page> {
  const type = "application/json";
  const pages = new Map([...PAGES, ["/docs/tools.json", {
    type,
    text: () => JSON.stringify(tools),
  }]]);
  if (base_path !== "") pages.set("/openapi.json", { type, text: () => printContract(base_path) });
  return pages;
}

/** Returns a page, or status 304 if the client already has it. */
export function pageResponse(request: Request, page: Page): Response {
  const { plain, gzip, tag, policy } = encodings.getOrInsertComputed(page, encode);
  const headers = new Headers({
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "content-type": page.type,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "etag": tag,
    "referrer-policy": "no-referrer",
    "vary": "accept-encoding",
    "x-content-type-options": "nosniff",
  });
  if (matches(request.headers.get("if-none-match"), tag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  const packed = acceptsGzip(request.headers.get("accept-encoding"));
  if (packed) headers.set("content-encoding", "gzip");
  const bytes = packed ? gzip : plain;
  // An answer to HEAD has no body, but states its length.
  headers.set("content-length", String(bytes.length));
  return new Response(bytes, { headers });
}

function encode({ text }: Page): Encoded {
  const written = text();
  const plain = new TextEncoder().encode(written);
  // The tag is weak, because it is the same for both encodings.
  const tag = `W/"${digest(plain, "base64url").slice(0, 22)}"`;
  return { plain, gzip: new Uint8Array(gzipSync(plain)), tag, policy: policyOf(written) };
}

/** Returns the Content-Security-Policy of a page. It allows the inline import map by its hash. */
function policyOf(text: string): string {
  const [, map] = /<script type="importmap">(.*?)<\/script>/s.exec(text) ?? [];
  const hash = map === undefined ? "" : ` 'sha256-${digest(new TextEncoder().encode(map))}'`;
  return [
    "default-src 'none'",
    `script-src 'self'${hash}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

function digest(bytes: Uint8Array, encoding: "base64" | "base64url" = "base64"): string {
  return createHash("sha256").update(bytes).digest(encoding);
}

function matches(header: string | null, tag: string): boolean {
  return header?.split(",").some((one) => [tag, "*"].includes(one.trim())) ?? false;
}

function acceptsGzip(header: string | null): boolean {
  return header?.split(",").some((one) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one)) ??
    false;
}
