/** Creates the machine-readable contract: OpenAPI 3.1 from the schemas and routes. */
import { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { Alive, NotReady, Ready } from "../contract/health.ts";
import { PendingResult } from "../contract/operation.ts";
import { FAILURE_CODES } from "../failures.ts";
import { INPUTS } from "../contract/inputs.ts";
import { IDEMPOTENCY_KEY, IdempotencyKey } from "../contract/request_key.ts";
import { adaptJsonSchema, SCHEMAS } from "../contract/schemas.ts";
import { API_VERSION } from "../contract/version.ts";
import { DESCRIPTIONS, ERROR_COMPONENTS, errorResponses, failureCodes } from "./openapi_actions.ts";
import { PENDING } from "./openapi_examples.ts";
import { HEADER_COMPONENTS, headers } from "./openapi_headers.ts";
import { parametersOf } from "./target.ts";
import { type Route, ROUTES } from "./routes.ts";

const ABOUT = `Dated observations about companies, with their evidence.

- **Authentication**: \`Authorization: Bearer <API key>\` on every request under /api.
- **Idempotency**: a metered request carries \`Idempotency-Key\`. The key names one operation for
  ever: use the same for every retry, a new one for anything else. A retry gets the answer of the
  operation and costs nothing. The same key with other inputs is an \`idempotency_conflict\`.
- **Cost**: the description of each call states its cost. \`request_allowance\`, the RateLimit
  headers and \`GET /api/usage\` tell what is left.
- **Waiting**: status 202 means that the operation is not finished. Poll \`GET /api/usages/{id}\`
  with a short wait in between.
- **Errors**: decide by \`error.code\`. Do not retry bad input unchanged. After a 429, wait until
  \`retry_at\`. Retry a 503 \`unavailable\` with the same key. Use a new key if the message of the
  error says so.
- **Coverage** is always partial: a company that is missing here may exist.`;

/** Creates the contract. Every call returns an equal document. */
export function createContract(base_path = ""): oas31.OpenAPIObject {
  return pruned(forGenerators(createDocument({
    openapi: "3.1.0",
    info: {
      title: "Company evidence service",
      version: API_VERSION,
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base_path || "/", description: "This service." }],
    security: [{ api_key: [] }],
    tags: [
      { name: "Companies", description: "Search, lookup and reads of companies." },
      { name: "Observations", description: "Listing and reads of observations." },
      { name: "Usage", description: "Operations and the subscription's allowance." },
      { name: "Operational", description: "For operators and tools; without a key." },
    ],
    paths: paths(),
    components: {
      schemas: { ...SCHEMAS, ErrorCode, Alive, Ready, NotReady },
      headers: HEADER_COMPONENTS,
      responses: ERROR_COMPONENTS,
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: "An API key of the account; it begins with ce_.",
        },
      },
    },
  }, { override: adaptJsonSchema }) as oas31.OpenAPIObject));
}

/** All codes of the table of failures, so that generated clients have a type for them. */
const ErrorCode = z.enum(FAILURE_CODES).describe(
  "Code by which programs decide. A later version may have more codes.",
);

/**
 * Rewrites parts that generators of clients misread. They treat a field with a `default` as
 * required, so the defaults of a body's fields become part of their descriptions. The code of an
 * error becomes a reference to the list of codes.
 */
function forGenerators(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const { CompanySearchRequest, ErrorEnvelope } = document.components!.schemas as Schemas;
  for (const field of Object.values(CompanySearchRequest!.properties as Schemas)) {
    if (!("default" in field)) continue;
    field.description = `${field.description ?? ""} Default: ${JSON.stringify(field.default)}.`
      .trim();
    delete field.default;
  }
  const { error } = ErrorEnvelope!.properties as Schemas;
  error!.properties!.code = { $ref: "#/components/schemas/ErrorCode" };
  return document;
}

type Schemas = Record<string, oas31.SchemaObject>;

/** Returns the contract as JSON with an indent of two. */
export function printContract(base_path = ""): string {
  return JSON.stringify(createContract(base_path), null, 2);
}

/** Converts `/api/companies/:id` to the notation of OpenAPI. */
export function contractPath(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function paths(): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  for (const route of ROUTES) {
    const path = all[contractPath(route.path)] ??= {};
    path[route.method === "GET" ? "get" : "post"] = describe(route);
  }
  return { ...all, ...OPERATIONAL };
}

function describe(route: Route): ZodOpenApiOperationObject {
  const about = DESCRIPTIONS[route.action];
  if (about === undefined) throw new Error(`the action ${route.action} has no description`);
  const { tag, summary, description, body, parameters } = about;
  const metered = route.kind === "metered";
  const input = INPUTS[route.action];
  return {
    operationId: route.action,
    tags: [tag],
    summary,
    description,
    requestParams: {
      ...route.input === "id" && { path: input },
      ...route.input === "query" && { query: queryOf(input, parameters ?? {}) },
      ...metered && { header: z.object({ [IDEMPOTENCY_KEY]: IdempotencyKey }) },
    },
    ...body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: body.schema, examples: named(body.examples) } },
      },
    },
    responses: {
      "200": success(route),
      ...(metered || route.action === "get_operation") && { "202": pending(route) },
      ...errorResponses(failureCodes(route)),
    },
  };
}

/**
 * Returns the parameters of an input. A list is written as `name[]=a&name[]=b` and is never empty.
 */
function queryOf(input: z.ZodObject, examples: Record<string, unknown>): z.ZodObject {
  return z.object(Object.fromEntries(
    parametersOf(input).map(({ field, name, list }) => {
      const param = {
        ...list && { style: "form" as const, explode: true },
        ...Object.hasOwn(examples, field) && { example: examples[field] },
      };
      return [name, input.shape[field].meta({ param, ...list && { minItems: 1 } })];
    }),
  ));
}

/** Returns the headers of a success. A poll has the headers of the request that it replays. */
function successHeaders({ kind, action }: Route) {
  if (kind === "metered" || action === "get_operation") {
    return headers(["RateLimit", "RateLimit-Policy"], ["Idempotency-Replayed"]);
  }
  return action === "get_usage" ? headers(["RateLimit", "RateLimit-Policy"]) : headers([]);
}

function success(route: Route): ZodOpenApiResponseObject {
  const { result, examples } = DESCRIPTIONS[route.action]!;
  return {
    description: route.kind === "metered" ? "Delivered by this or an earlier request." : "Found.",
    headers: successHeaders(route),
    content: { "application/json": { schema: result, examples: named(examples) } },
  };
}

function pending(route: Route): ZodOpenApiResponseObject {
  return {
    description:
      "The operation is pending or processing. Poll `Location` after `Retry-After` seconds.",
    headers: { ...successHeaders(route), ...headers(["Location", "Retry-After"]) },
    content: {
      "application/json": { schema: PendingResult, examples: named({ pending: PENDING }) },
    },
    links: {
      poll: { operationId: "get_operation", parameters: { id: "$response.body#/usage/id" } },
    },
  };
}

const NOT_FOR_CALLERS = { tags: ["Operational"], security: [] };

const OPERATIONAL: ZodOpenApiPathsObject = {
  "/healthz": {
    get: {
      ...NOT_FOR_CALLERS,
      operationId: "get_health",
      summary: "Tell whether the process is alive",
      responses: {
        "200": json("The process is alive.", Alive, { alive: { status: "alive" } }),
        ...errorResponses(["malformed_request", "method_not_allowed"]),
      },
    },
  },
  "/readyz": {
    get: {
      ...NOT_FOR_CALLERS,
      operationId: "get_readiness",
      summary: "Tell whether requests can be served",
      responses: {
        "200": json("Requests can be served.", Ready, { ready: { status: "ready" } }),
        "503": json("Requests cannot be served at present.", NotReady, {
          loading: { status: "not ready", reason: "the index is loading" },
        }),
        ...errorResponses(["malformed_request", "method_not_allowed", "internal_error"]),
      },
    },
  },
  "/openapi.json": {
    get: {
      ...NOT_FOR_CALLERS,
      operationId: "get_contract",
      summary: "This document",
      responses: {
        "200": {
          description: "OpenAPI 3.1.",
          headers: headers(["ETag"]),
          content: { "application/json": { schema: { type: "object" } } },
        },
        "304": {
          description: "The document is the one that If-None-Match names.",
          headers: headers(["ETag"]),
        },
        ...errorResponses(["malformed_request", "method_not_allowed"]),
      },
    },
  },
};

function json(
  description: string,
  schema: z.ZodType,
  examples: Record<string, unknown>,
): ZodOpenApiResponseObject {
  return {
    description,
    headers: headers([]),
    content: { "application/json": { schema, examples: named(examples) } },
  };
}

function named(values: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

/** Removes headers and responses to which the document does not refer. */
function pruned(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const text = JSON.stringify(document);
  for (const kind of ["headers", "responses"] as const) {
    const all = document.components?.[kind] ?? {};
    for (const name of Object.keys(all)) {
      if (!text.includes(`"#/components/${kind}/${name}"`)) delete all[name];
    }
  }
  return document;
}
