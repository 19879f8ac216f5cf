/** Describes response headers for the machine-readable contract. */
import type { oas31 } from "zod-openapi";

const RATE_LIMIT = "The IETF draft RateLimit header fields for HTTP";

const HEADERS = {
  "Request-Id": {
    description: "Id of the answer. Every answer has one; state it when you report a problem.",
    schema: { type: "string", format: "uuid" },
  },
  "Idempotency-Replayed": {
    description: "true if an earlier request started the operation; otherwise absent.",
    schema: { type: "string", enum: ["true"] },
  },
  "RateLimit-Policy": {
    description: `${RATE_LIMIT}: request units (q) of a window and of a week, in seconds (w).`,
    schema: { type: "string" },
    example: '"window";q=120;w=3600, "week";q=2000;w=604800',
  },
  RateLimit: {
    description:
      `${RATE_LIMIT}: request units left (r), and the seconds until they are renewed (t).`,
    schema: { type: "string" },
    example: '"window";r=119;t=2400, "week";r=1999;t=345600',
  },
  "Retry-After": {
    description: "Seconds to wait before the same request is made again.",
    schema: { type: "integer", minimum: 0 },
  },
  Location: {
    description: "Address for polling the operation, relative to the address of the request.",
    schema: { type: "string", format: "uri-reference" },
    example: "../usages/5021",
  },
  Allow: { description: "The methods that the path accepts.", schema: { type: "string" } },
  "WWW-Authenticate": {
    description: "The scheme of authentication.",
    schema: { type: "string", enum: ["Bearer"] },
  },
  ETag: { description: "Version of the document, for If-None-Match.", schema: { type: "string" } },
} satisfies oas31.HeadersObject;

export type HeaderName = keyof typeof HEADERS;

/**
 * Headers as components of the document. In OpenAPI, a component states whether a header is
 * required, so each header has a second component that is optional.
 */
export const HEADER_COMPONENTS: oas31.HeadersObject = Object.fromEntries(
  Object.entries(HEADERS).flatMap(([name, header]) => [
    [name, { ...header, required: true }],
    [`${name}-if-any`, header],
  ]),
);

/**
 * Returns references to the headers that an answer always has, including Request-Id, and to
 * optional ones.
 */
export function headers(
  always: readonly HeaderName[],
  perhaps: readonly HeaderName[] = [],
): oas31.HeadersObject {
  return Object.fromEntries([
    ...["Request-Id" as const, ...always].map((name) => [name, reference(name)]),
    ...perhaps.filter((name) => !always.includes(name))
      .map((name) => [name, reference(`${name}-if-any`)]),
  ]);
}

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });
