/** HTTP requests derived from the OpenAPI document: valid, nearly valid and hostile. */
import fc from "fast-check";
import type { oas31 } from "zod-openapi";
import { type ContractOperation, operations, resolved } from "../support/contract.ts";
import { hintsOf, type Known, type Page } from "./known.ts";
import { type JsonNode, nodeOf, printText } from "./json_text.ts";
import { bodies, type Body, bodyOf, headersOf, hostileQuery, METHODS, oddTargets } from "./wire.ts";
import { type Schema, SchemaValues } from "./schema_values.ts";
import { hostileNode } from "./values.ts";

export interface FuzzRequest {
  method: string;
  /** Path and query of the request. */
  target: string;
  /** Headers, whose names may repeat. */
  headers: [string, string][];
  body?: Body;
  /** True if the document allows the request and the service has no other reason to refuse it. */
  clean: boolean;
}

type Draft = Omit<FuzzRequest, "headers" | "clean">;

/** Draws requests for all operations of the document. */
export function httpRequests(
  document: oas31.OpenAPIObject,
  known: Known,
): fc.Arbitrary<FuzzRequest> {
  const drafts = new Drafts(document, known);
  const clean = headersOf(known).clean;
  const any = headersOf(known).hostile;
  // Only six request keys are drawn, so most of these requests repeat the key of an earlier one.
  const used = fc.nat(5).map((n): [string, string][] => [
    ["authorization", `Bearer ${known.key}`],
    ["idempotency-key", `used ${n}`],
  ]);
  return fc.oneof(
    { weight: 12, arbitrary: together(drafts.plain("clean"), clean, true) },
    { weight: 15, arbitrary: together(drafts.plain("nearly"), clean, false) },
    { weight: 3, arbitrary: together(nextPages(known.pages), clean, false) },
    { weight: 3, arbitrary: together(drafts.plain("clean"), used, false) },
    { weight: 6, arbitrary: together(drafts.plain("clean"), any, false) },
    { weight: 9, arbitrary: together(drafts.hostile(), fc.oneof(clean, any), false) },
    { weight: 1, arbitrary: together(oversized, clean, false) },
  );
}

/** Bodies near the max size that is read. */
const oversized: fc.Arbitrary<Draft> = fc.record({
  method: fc.constant("POST"),
  target: fc.constant("/api/companies/search"),
  body: fc.record({
    bytes: fc.constantFrom(-1, 0, 1, 20_000)
      .map((more) =>
        new TextEncoder().encode(`{"query":"x"${" ".repeat(256 * 1024 - 13 + more)}}`)
      ),
    chunks: fc.constantFrom(undefined, [], [1, 100_000]),
  }),
});

function together(
  drafts: fc.Arbitrary<Draft>,
  headers: fc.Arbitrary<[string, string][]>,
  clean: boolean,
): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(drafts, headers).map(([draft, all]) => ({
    ...draft,
    headers: draft.body === undefined || all.some(([name]) => name === "content-type")
      ? all
      : [["content-type", "application/json"], ...all],
    clean,
  }));
}

/** The parts of one operation, as arbitraries. */
interface Parts {
  method: string;
  path: fc.Arbitrary<string>;
  query: fc.Arbitrary<[string, string][]>;
  body?: fc.Arbitrary<JsonNode>;
}

type Mode = "clean" | "nearly";

class Drafts {
  readonly #document: oas31.OpenAPIObject;
  readonly #values: SchemaValues;
  readonly #operations: ContractOperation[];

  constructor(document: oas31.OpenAPIObject, known: Known) {
    this.#document = document;
    this.#operations = operations(document);
    this.#values = new SchemaValues({
      resolve: ($ref) => resolved<object>(document, { $ref }) as Schema,
      hints: hintsOf(known),
    });
  }

  /** Generates requests in the form of the document, with clean or nearly valid values. */
  plain(mode: Mode): fc.Arbitrary<Draft> {
    return this.#oneOf((operation) => {
      const { method, path, query, body } = this.#parts(operation, mode);
      return fc.record({
        method: fc.constant(method),
        target: fc.tuple(path, query).map(([at, pairs]) => at + encoded(pairs)),
        body: body === undefined ? fc.constant(undefined) : body.map((node) => bodyOf(node)),
      });
    });
  }

  /** Generates odd methods, paths, queries and bodies around the operations. */
  hostile(): fc.Arbitrary<Draft> {
    return this.#oneOf((operation) => {
      const { method, path, query, body } = this.#parts(operation, "nearly");
      const pairs = fc.oneof(query.map(encoded), query.chain(hostileQuery));
      const targets = fc.oneof(
        fc.tuple(path, pairs).map((texts) => texts.join("")),
        path.chain(oddTargets),
      );
      return fc.record({
        method: fc.oneof({ weight: 3, arbitrary: fc.constant(method) }, METHODS),
        target: targets,
        body: fc.oneof(fc.constant(undefined), bodies(body ?? hostileNode)),
      }).map(withoutBodyOfGet);
    });
  }

  #oneOf(draftOf: (operation: ContractOperation) => fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
    return fc.oneof(...this.#operations.map((operation) => ({
      // Operations without parameters need few requests.
      weight: operation.operation.requestBody ? 8 : operation.operation.parameters?.length ? 4 : 1,
      arbitrary: draftOf(operation),
    })));
  }

  #parts({ method, path, operation }: ContractOperation, mode: Mode): Parts {
    const values = (schema: unknown, name: string) => this.#values[mode](schema as Schema, name);
    const parameters = (operation.parameters ?? [])
      .map((one) => resolved<oas31.ParameterObject>(this.#document, one));
    const content = operation.requestBody &&
      resolved<oas31.RequestBodyObject>(this.#document, operation.requestBody).content;
    const schema = content?.["application/json"]?.schema;
    const id = parameters.find((one) => one.in === "path");
    return {
      method,
      path: id === undefined
        ? fc.constant(path)
        : values(id.schema, id.name).map((node) => path.replace(`{${id.name}}`, segment(node))),
      query: this.#query(parameters.filter((one) => one.in === "query"), values),
      body: schema && values(schema, ""),
    };
  }

  #query(
    parameters: oas31.ParameterObject[],
    values: (schema: unknown, name: string) => fc.Arbitrary<JsonNode>,
  ): fc.Arbitrary<[string, string][]> {
    const fields = parameters.map(({ name, schema }) => [name, values(schema, name)] as const);
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    const all = fc.record(Object.fromEntries(fields), { requiredKeys: required });
    // The document cannot say that exactly one of several lists is required.
    const lists = required.length === 0 && fields.length > 1;
    const drawn = lists
      ? fc.oneof(...fields.map(([name, one]) => fc.record({ [name]: one })))
      : all;
    return drawn.map((query) =>
      Object.entries(query).flatMap(([name, node]) => pairsOf(name, node))
    );
  }
}

function pairsOf(name: string, node: JsonNode): [string, string][] {
  // An absent parameter corresponds to null in a body.
  if (node === null) return [];
  return Array.isArray(node)
    ? node.map((one) => [name, printText(one)])
    : [[name, printText(node)]];
}

function segment(node: JsonNode): string {
  return encodeURIComponent(printText(node).toWellFormed());
}

function encoded(pairs: [string, string][]): string {
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/**
 * Generates requests that continue first pages, with the right inputs or with one changed field.
 */
function nextPages({ search_companies, list_observations }: Known["pages"]): fc.Arbitrary<Draft> {
  const changed = ({ inputs, cursor }: Page) =>
    fc.oneof(
      fc.constant({ ...inputs, cursor }),
      fc.tuple(fc.constantFrom(...Object.keys(inputs), "cursor"), hostileNode)
        .map(([name, value]): Record<string, unknown> => ({ ...inputs, cursor, [name]: value })),
      fc.constant({ ...inputs, limit: 2, cursor }),
      fc.constant({ ...inputs, cursor: list_observations.cursor }),
    );
  const search = changed(search_companies).map((inputs): Draft => ({
    method: "POST",
    target: "/api/companies/search",
    body: bodyOf(nodeOf(inputs)),
  }));
  const listing = changed(list_observations).map((inputs): Draft => ({
    method: "GET",
    target: `/api/observations${
      encoded(
        Object.entries(inputs).flatMap(([name, value]) =>
          Array.isArray(value)
            ? value.map((one): [string, string] => [`${name}[]`, String(one)])
            : [[name, String(value)] as [string, string]]
        ),
      )
    }`,
  }));
  return fc.oneof(search, listing);
}

function withoutBodyOfGet(draft: Draft): Draft {
  return ["GET", "HEAD"].includes(draft.method) ? { ...draft, body: undefined } : draft;
}

/** Prints a request for the message of a failed assertion. */
export function show({ method, target, headers, body }: FuzzRequest): string {
  const text = body === undefined ? "" : new TextDecoder().decode(body.bytes).slice(0, 600);
  return `${method} ${target.slice(0, 600)} ${JSON.stringify(headers).slice(0, 600)} ${text}`;
}
