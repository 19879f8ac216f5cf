/** The MCP door for the cases: each answer is judged by the schema that its tool advertises. */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { Failure } from "../../src/failures.ts";
import type { ActionName, Answered, Call, Door } from "../support/calls.ts";
import { errorCode } from "../support/contract.ts";

/** @param key of an account whose calls nothing hinders: the tools are listed for it */
export async function createMcpDoor(
  { fetch, key }: {
    fetch: (request: Request) => Promise<Response> | Response;
    key: string;
  },
): Promise<Door> {
  const send = async (method: string, params: object, headers: HeadersInit) => {
    const response = await fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "accept": "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      }),
    );
    return { response, body: await response.json() };
  };
  const listed = await send("tools/list", {}, { authorization: `Bearer ${key}` });
  const judges = judgesOf(listed.body.result.tools);
  return Object.assign(async (call: Call): Promise<Answered> => {
    const { name, given, headers } = toolCallOf(call);
    const { response, body } = await send("tools/call", { name, arguments: given }, headers);
    if (response.status !== 200) return { status: response.status, body, replayed: false };
    const { structuredContent, content, isError = false, _meta } = body.result;
    assert.deepEqual(content, [{ type: "text", text: JSON.stringify(structuredContent) }]);
    const judge = judges.get(name)!;
    const isRight: boolean = judge(structuredContent);
    assert.ok(isRight, `${name}: ${JSON.stringify(judge.errors)}`);
    assert.equal(_meta["Request-Id"], response.headers.get("request-id"));
    const code = errorCode(structuredContent);
    assert.equal(isError, code !== undefined);
    return {
      status: statusOf(structuredContent),
      body: structuredContent,
      replayed: _meta["Idempotency-Replayed"] === "true",
    };
  }, { speaks: (action: ActionName) => action !== "list_observations" });
}

function judgesOf(
  tools: { name: string; outputSchema: object }[],
): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  return new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
}

/** As over HTTP. */
function statusOf(body: { usage?: { status?: string } }): number {
  const code = errorCode(body);
  if (code !== undefined) return new Failure(code as Failure["code"]).status;
  return body.usage?.status === "pending" || body.usage?.status === "processing" ? 202 : 200;
}

/** The tool call that says the call. */
function toolCallOf({ action, inputs = {}, key, request_key, background }: Call) {
  const byHeader = action === "diagnostic";
  return {
    name: action === "get_operation"
      ? "get_usage"
      : action === "search_observations" && background
      ? "create_usage"
      : action,
    given: {
      ...inputs,
      ...action === "search_companies" && { background },
      ...!byHeader && { request_key },
    },
    headers: {
      ...key !== undefined && { authorization: `Bearer ${key}` },
      ...byHeader && request_key !== undefined && { "idempotency-key": request_key },
    },
  };
}
