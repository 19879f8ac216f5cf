/** Sends the calls of test cases over MCP. Checks each answer against the schema of its tool. */
import assert from "node:assert/strict";
import type { Tool } from "@modelcontextprotocol/sdk/types";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { App } from "../../src/app.ts";
import { Failure } from "../../src/failures.ts";
import type { ActionName, Call, Door, DoorAnswer } from "../support/calls.ts";
import { errorCode } from "../support/contract.ts";
import { contentOf, listTools, modernRpc, rpc, toolCall } from "../support/mcp.ts";

interface McpDoorOptions {
  fetch: App["fetch"];
  /** API key for requesting the list of tools. Each call has its own key. */
  key: string;
  /** `modern` for revision 2026-07-28 of the protocol; undefined for earlier revisions. */
  era?: "modern";
}

export async function createMcpDoor({ fetch, key, era }: McpDoorOptions): Promise<Door> {
  const send = era === "modern" ? modernRpc : rpc;
  const judges = judgesOf(await listTools({ fetch }, key));
  return Object.assign(async (call: Call): Promise<DoorAnswer> => {
    const { name, given, headers } = toolCallOf(call);
    const { key } = call;
    const response = await send({ fetch }, toolCall(name, given), { key, headers });
    const { status, body } = response;
    if (status !== 200) return { status, body, replayed: false };
    const { structuredContent, content, isError = false, _meta } = body.result;
    assert.deepEqual(content, contentOf(structuredContent));
    const judge = judges.get(name)!;
    const isRight: boolean = judge(structuredContent);
    assert.ok(isRight, `${name}: ${JSON.stringify(judge.errors)}`);
    assert.equal(_meta["Request-Id"], response.headers.get("request-id"));
    assert.equal(isError, errorCode(structuredContent) !== undefined);
    return {
      status: statusOf(structuredContent),
      body: structuredContent,
      replayed: _meta["Idempotency-Replayed"] === "true",
    };
  }, { supports: (action: ActionName) => action !== "list_observations" });
}

function judgesOf(tools: Tool[]): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  return new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema!)]));
}

/** Returns the status that the HTTP door sends with the same body. */
function statusOf(body: { usage?: { status?: string } }): number {
  const code = errorCode(body);
  if (code !== undefined) return new Failure(code as Failure["code"]).status;
  return body.usage?.status === "pending" || body.usage?.status === "processing" ? 202 : 200;
}

/** Converts a call to the name, arguments and headers of a tool call. */
export function toolCallOf({ action, inputs = {}, request_key, background }: Call) {
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
    headers: { ...byHeader && request_key !== undefined && { "idempotency-key": request_key } },
  };
}
