/** Checks values and whole answers against the OpenAPI document. */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { oas31 } from "zod-openapi";

/** Returns the faults of a value by a schema of the document; an empty list if it is valid. */
export type Judge = (schema: object, value: unknown) => string[];

/** Returns a function that checks values by schemas. References point into the document. */
export function createJudge(document: oas31.OpenAPIObject): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const id = "contract:/";
  ajv.addSchema({ $id: id, components: document.components });
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const validate = compiled.getOrInsertComputed(
      schema,
      () => ajv.compile(absolute(schema, id) as object),
    );
    return validate(value) ? [] : validate.errors!.map((e) => `${e.instancePath} ${e.message}`);
  };
}

/** Returns the schema with the id of the document in front of each reference. */
function absolute(schema: unknown, id: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => absolute(one, id));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) =>
      name === "$ref" ? [name, `${id}${value}`] : [name, absolute(value, id)]
    ),
  );
}

/** Returns the target of a reference in the document. Any other value is returned unchanged. */
export function resolved<T extends object>(
  document: oas31.OpenAPIObject,
  value: T | oas31.ReferenceObject,
): T {
  if (!("$ref" in value)) return value;
  // deno-lint-ignore no-explicit-any -- any part of the document
  return (value.$ref as string).slice(2).split("/").reduce<any>((at, name) => at[name], document);
}

/** A method of a path in the document. */
export interface ContractOperation {
  method: string;
  path: string;
  operation: oas31.OperationObject;
}

/** Lists all operations of the document. */
export function operations(document: oas31.OpenAPIObject): ContractOperation[] {
  return Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as oas31.OperationObject,
    }))
  );
}

/** An answer of the service, with its request. */
interface WireAnswer {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  /** Body of the answer; undefined if it has none. */
  body: unknown;
}

/** Result of checking an answer against the document. */
export interface Judgement {
  /**
   * Operation of the answer, such as `GET /api/companies/{id}`. If an undocumented method gets 405,
   * it is the first operation of the path. Absent: the document lacks the path or the method.
   */
  operation?: string;
  /** Faults of the answer. */
  faults: string[];
}

/** Returns a function that checks the status, body and headers of answers. */
export function createAnswerJudge(
  document: oas31.OpenAPIObject,
): (answer: WireAnswer) => Judgement {
  const judge = createJudge(document);
  const all = operations(document);
  const known = new Set(Object.keys(document.components!.headers!).map(headerName));
  return (answer) => {
    const here = all.filter(({ path }) => path === templateOf(all, answer.path));
    // Each path that has GET also answers HEAD.
    const method = answer.method === "HEAD" ? "GET" : answer.method;
    const documented = here.find((one) => one.method === method);
    // A path without a valid id does not exist. An undocumented method gets 404 there, not 405.
    const matched = documented ?? (answer.status === 405 ? here[0] : undefined);
    if (matched === undefined) return { faults: judgeUnknownPath(answer, { judge, known: here }) };
    const operation = `${matched.method} ${matched.path}`;
    const expected = matched.operation.responses![String(answer.status)];
    if (expected === undefined) return { operation, faults: [`status ${answer.status}`] };
    const response = resolved<oas31.ResponseObject>(document, expected);
    const content = response.content?.["application/json"];
    const hasBody = answer.body !== undefined;
    const faults = judgeHeaders(answer, { document, response, known, judge });
    if (answer.method === "HEAD" || content === undefined) {
      if (hasBody) faults.push("a body that should not be there");
    } else faults.push(...hasBody ? judge(content.schema!, answer.body) : ["no body"]);
    return { operation, faults };
  };
}

/**
 * Returns the template of a path; undefined if there is none. Prefers a template that equals the
 * path, then one whose id is one segment of the path, then one whose id may be any text.
 */
function templateOf(all: ContractOperation[], path: string): string | undefined {
  const templates = all.map((one) => one.path);
  return templates.find((template) => template === path) ??
    templates.find((template) => isOf(template, path)) ??
    templates.find((template) => template.includes("{") && isOf(template, path, ".*"));
}

function isOf(template: string, path: string, id = "[^/]+"): boolean {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/, id)}$`, "s").test(path);
}

function headerName(component: string): string {
  return component.replace(/-if-any$/, "").toLowerCase();
}

function judgeHeaders(
  { headers, status, method }: WireAnswer,
  { document, response, known, judge }: {
    document: oas31.OpenAPIObject;
    response: oas31.ResponseObject;
    known: Set<string>;
    judge: Judge;
  },
): string[] {
  const faults: string[] = [];
  const documented = new Set<string>();
  for (const [name, value_or_reference] of Object.entries(response.headers ?? {})) {
    documented.add(name.toLowerCase());
    const header = resolved<oas31.HeaderObject>(document, value_or_reference);
    const text = headers.get(name);
    if (text === null) {
      if (header.required) faults.push(`no header ${name}`);
      continue;
    }
    const { type } = header.schema as oas31.SchemaObject;
    const value = type === "integer" ? Number(text) : text;
    faults.push(...judge(header.schema!, value).map((fault) => `header ${name}:${fault}`));
  }
  for (const name of headers.keys()) {
    if (known.has(name) && !documented.has(name)) faults.push(`an undocumented header ${name}`);
  }
  const type = headers.get("content-type");
  if (method !== "HEAD" && status !== 304 && type !== "application/json") {
    faults.push(`content type ${type}`);
  }
  return faults;
}

/** Returns the faults of an answer at an unknown path. Its body has to be an error envelope. */
function judgeUnknownPath(
  { method, path, status, body }: WireAnswer,
  { judge, known }: { judge: Judge; known: ContractOperation[] },
): string[] {
  if (known.some((one) => isOf(one.path, path))) return ["an undocumented method"];
  if (status !== 404) return [`status ${status} at a path that the document does not know`];
  if (method === "HEAD") return body === undefined ? [] : ["a body that should not be there"];
  const faults = judge({ $ref: "#/components/schemas/ErrorEnvelope" }, body);
  const code = errorCode(body);
  return code === "not_found" ? faults : [...faults, `code ${code}`];
}

/** Lists all answers of the document, such as `GET /api/usage 401 invalid_api_key`. */
export function documentedAnswers(document: oas31.OpenAPIObject): string[] {
  return operations(document).flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses!).flatMap(([status, response]) => {
      const { content } = resolved<oas31.ResponseObject>(document, response);
      const at = `${method} ${path} ${status}`;
      const examples = content?.["application/json"]?.examples;
      const codes = Object.entries(examples ?? {})
        .filter(([code, example]) => errorCode((example as oas31.ExampleObject).value) === code);
      return codes.length > 0 ? codes.map(([code]) => `${at} ${code}`) : [at];
    })
  );
}

/** Returns the code of an error envelope; undefined for any other body. */
export function errorCode(body: unknown): string | undefined {
  return (body as { error?: { code?: string } } | null | undefined)?.error?.code;
}
