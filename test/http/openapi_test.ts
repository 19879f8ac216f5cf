import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { oas31 } from "zod-openapi";
import { createActions } from "../../src/actions.ts";
import { Failure, FAILURE_CODES } from "../../src/failures.ts";
import { contractPath, createContract, printContract } from "../../src/http/openapi.ts";
import { failureCodes } from "../../src/http/openapi_actions.ts";
import { pageResponse, PAGES } from "../../src/http/pages.ts";
import { ROUTES } from "../../src/http/routes.ts";
import type { Retriever } from "../../src/search/retriever.ts";
import { runCommand } from "../support/command.ts";
import { createJudge, operations, resolved } from "../support/contract.ts";

const contract = createContract();

/** Returns a copy of the contract, which a test may break. */
// deno-lint-ignore no-explicit-any -- tests break it in ways that its type does not allow
const copy = (): any => structuredClone(contract);

async function faults(document: Record<string, unknown>): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? undefined : errors;
}

Deno.test("the contract is valid OpenAPI 3.1.0 of API version 1.0.0", async () => {
  assert.equal(contract.openapi, "3.1.0");
  assert.equal(contract.info.version, "1.0.0");
  assert.equal(await faults(copy()), undefined);
});

Deno.test("the validator refuses a broken contract", async () => {
  const broken = {
    "no title": (d = copy()) => (delete d.info.title, d),
    "a response without description": (d = copy()) => {
      delete d.paths["/api/usage"].get.responses["200"].description;
      return d;
    },
    "a parameter in an unknown place": (d = copy()) => {
      d.paths["/api/companies/{id}"].get.parameters[0].in = "body";
      return d;
    },
    "a status of four digits": (d = copy()) => {
      d.paths["/api/usage"].get.responses["2000"] = { description: "No such status." };
      return d;
    },
  };
  for (const [what, spoil] of Object.entries(broken)) {
    assert.notEqual(await faults(spoil()), undefined, what);
  }
});

Deno.test("every schema of the contract is JSON Schema 2020-12", () => {
  const ajv = new Ajv2020({ logger: false });
  const schemas = Object.entries(contract.components!.schemas!);
  for (const [name, schema] of schemas) assert.equal(ajv.validateSchema(schema), true, name);
  assert.equal(
    ajv.validateSchema({ ...contract.components!.schemas!.Operation, type: "x" }),
    false,
  );
});

Deno.test("every reference of the contract can be resolved, and every component is used", () => {
  const text = JSON.stringify(contract);
  const references = new Set(text.match(/(?<="\$ref":")[^"]+/g));
  for (const $ref of references) assert.ok(resolved(contract, { $ref }), $ref);
  for (const kind of ["schemas", "headers", "responses"] as const) {
    for (const name of Object.keys(contract.components![kind]!)) {
      assert.ok(references.has(`#/components/${kind}/${name}`), `${kind} ${name}`);
    }
  }
});

Deno.test("the contract describes exactly the routes and the operational paths", () => {
  const described = operations(contract).map(({ method, path }) => `${method} ${path}`);
  const served = ROUTES.map(({ method, path }) => `${method} ${contractPath(path)}`);
  const operational = ["GET /healthz", "GET /readyz", "GET /openapi.json"];
  assert.deepEqual(described.sort(), [...served, ...operational].sort());
});

/** Sorted names of the query parameters of each action. */
const QUERIES: Partial<Record<string, string[]>> = {
  get_companies: ["domains[]", "ids[]"],
  list_observations: ["cursor", "domains[]", "kinds[]", "limit", "since"],
};

Deno.test("the contract describes exactly the parameters of the routes", () => {
  for (const route of ROUTES) {
    const { operation } = operationOf(route.method, contractPath(route.path));
    const parameters = (operation.parameters ?? []) as oas31.ParameterObject[];
    const namesIn = (place: string) =>
      parameters.filter((one) => one.in === place).map(({ name }) => name).sort();
    const { input } = route;
    assert.deepEqual(namesIn("query"), QUERIES[route.action] ?? [], route.path);
    assert.deepEqual(namesIn("path"), input === "id" ? ["id"] : [], route.path);
    const header = route.kind === "metered" ? ["Idempotency-Key"] : [];
    assert.deepEqual(namesIn("header"), header, route.path);
    assert.equal(operation.requestBody !== undefined, input === "json", route.path);
  }
});

Deno.test("every route describes its error codes under their statuses", () => {
  for (const route of ROUTES) {
    const { operation } = operationOf(route.method, contractPath(route.path));
    const described = Object.entries(operation.responses!).flatMap(([status, response]) =>
      Number(status) < 400 ? [] : codesOf(response).map((code) => `${status} ${code}`)
    );
    const possible = failureCodes(route).map((code) => `${new Failure(code).status} ${code}`);
    assert.deepEqual(described.sort(), possible.sort(), route.path);
  }
});

Deno.test("every error code except that of the MCP door is possible on some route", () => {
  const possible = new Set(ROUTES.flatMap(failureCodes));
  assert.deepEqual(FAILURE_CODES.filter((code) => !possible.has(code)), ["forbidden_origin"]);
});

Deno.test("failureCodes() contains the error code for bad inputs of each action", () => {
  const { metered } = createActions({} as Retriever);
  for (const route of ROUTES) {
    if (route.kind !== "metered") continue;
    assert.ok(failureCodes(route).includes(metered.get(route.action)!.invalid_input), route.path);
  }
});

Deno.test("every example of the contract conforms to its schema", () => {
  const judge = createJudge(contract);
  let judged = 0;
  for (const { path, operation } of operations(contract)) {
    const bodies = [
      ...operation.requestBody ? [resolved(contract, operation.requestBody)] : [],
      ...Object.values(operation.responses!).map((one) =>
        resolved<oas31.ResponseObject>(contract, one)
      ),
    ];
    for (const { content } of bodies) {
      for (const { schema, examples = {} } of Object.values(content ?? {})) {
        for (const [name, example] of Object.entries(examples)) {
          const { value } = example as oas31.ExampleObject;
          assert.deepEqual(judge(schema!, value), [], `${path} ${name}`);
          // A superfluous field is refused. This proves that the check above can fail.
          if (schema !== undefined) {
            assert.notDeepEqual(judge(schema, { ...value, surplus: 1 }), [], `${path} ${name}`);
          }
          judged++;
        }
      }
    }
    for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[]) {
      const { example, schema, name } = parameter;
      if (example !== undefined) assert.deepEqual(judge(schema!, example), [], `${path} ${name}`);
    }
  }
  assert.ok(judged > 80, `${judged} examples`);
});

Deno.test("the contract forbids additional fields in every object", () => {
  const open: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, properties, additionalProperties } = value as oas31.SchemaObject;
    if (type === "object" && properties && additionalProperties !== false) open.push(at);
    for (const [name, part] of Object.entries(value)) visit(part, `${at}/${name}`);
  };
  visit(contract.components!.schemas, "");
  assert.deepEqual(open, []);
});

Deno.test("printContract() returns the contract that /openapi.json serves", async () => {
  const request = new Request("http://host/openapi.json");
  const served = await pageResponse(request, PAGES.get("/openapi.json")!).text();
  assert.equal(printContract(), served);
  assert.deepEqual(JSON.parse(served), JSON.parse(JSON.stringify(contract)));
});

Deno.test("main.ts openapi prints the whole contract without a database", async () => {
  const { code, stdout } = await runCommand(["openapi"], { DATABASE_URL: "" });
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(contract)));
});

Deno.test("pageResponse() answers 304 to a matching ETag, and compresses on request", async () => {
  for (const [path, page] of PAGES) {
    const ask = (headers: HeadersInit) =>
      pageResponse(new Request(`http://host${path}`, { headers }), page);
    const plain = ask({});
    const etag = plain.headers.get("etag")!;
    const text = await plain.text();
    const matched = ask({ "if-none-match": `"other", ${etag}` });
    assert.deepEqual(
      [matched.status, matched.headers.get("etag"), matched.body],
      [304, etag, null],
      path,
    );
    assert.equal(ask({ "if-none-match": '"other"' }).status, 200, path);
    const small = ask({ "accept-encoding": "br, gzip" });
    assert.equal(small.headers.get("content-encoding"), "gzip", path);
    // A shared cache must not give this form to clients that cannot read it.
    for (const { headers } of [small, plain]) assert.equal(headers.get("vary"), "accept-encoding");
    const unpacked = small.body!.pipeThrough(new DecompressionStream("gzip"));
    assert.equal(await new Response(unpacked).text(), text, path);
    const unzipped = ask({ "accept-encoding": "gzip;q=0, gzip;q=0.0" });
    assert.equal(unzipped.headers.get("content-encoding"), null);
  }
});

function operationOf(method: string, path: string) {
  return operations(contract).find((one) => one.method === method && one.path === path)!;
}

function codesOf(response: oas31.ResponseObject | oas31.ReferenceObject): string[] {
  const { content } = resolved(contract, response);
  return Object.keys(content!["application/json"]!.examples!);
}
