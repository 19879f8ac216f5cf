/** Judges accepted requests: the OpenAPI document has to allow every request that succeeds. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { oas31 } from "zod-openapi";
import { operations, resolved } from "../support/contract.ts";
import type { FuzzRequest } from "./http_requests.ts";

/**
 * Returns a function that lists the faults of a request according to the document. Formats are not
 * checked, because they are annotations in JSON Schema 2020-12. The service accepts more timestamps
 * than RFC 3339.
 */
export function createRequestJudge(
  document: oas31.OpenAPIObject,
): (operation: string, request: FuzzRequest) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const compile = (schema: object) =>
    ajv.compile({ ...JSON.parse(JSON.stringify(schema)), components: document.components });
  const judges = new Map(
    operations(document).map((one) => {
      const content = one.operation.requestBody &&
        resolved<oas31.RequestBodyObject>(document, one.operation.requestBody).content;
      const schema = content?.["application/json"]?.schema;
      const parameters = (one.operation.parameters ?? [])
        .map((each) => resolved<oas31.ParameterObject>(document, each))
        .filter((each) => each.in === "query")
        .map((each) => [each, compile(each.schema!)] as const);
      return [`${one.method} ${one.path}`, { body: schema && compile(schema), parameters }];
    }),
  );
  return (operation, request) => {
    const judge = judges.get(operation);
    if (judge === undefined) return [`no operation ${operation}`];
    const faults = judgeQuery(request, judge.parameters);
    const { body } = judge;
    if (body === undefined) return faults;
    const text = new TextDecoder().decode(request.body?.bytes);
    return body(JSON.parse(text)) ? faults : [...faults, JSON.stringify(body.errors)];
  };
}

function judgeQuery(
  { target }: FuzzRequest,
  parameters: (readonly [oas31.ParameterObject, ValidateFunction])[],
): string[] {
  const { searchParams } = new URL(target, "http://127.0.0.1");
  const known = new Set(parameters.map(([{ name }]) => name));
  const faults = [...searchParams.keys()].filter((name) => !known.has(name))
    .map((name) => `parameter ${name}`);
  for (const [{ name, required, schema }, judge] of parameters) {
    const texts = searchParams.getAll(name);
    if (texts.length === 0) {
      if (required) faults.push(`no parameter ${name}`);
      continue;
    }
    const isList = name.endsWith("[]");
    if (!isList && texts.length > 1) faults.push(`parameter ${name} twice`);
    const { type, items } = schema as { type: string; items?: { type: string } };
    const isInteger = (isList ? items?.type : type) === "integer";
    const values = texts.map((text) => isInteger ? Number(text) : text);
    if (!judge(isList ? values : values[0])) {
      faults.push(`${name}: ${JSON.stringify(judge.errors)}`);
    }
  }
  return faults;
}
