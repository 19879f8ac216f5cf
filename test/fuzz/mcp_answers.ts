/** Judges MCP answers by the transport and JSON-RPC, and by the schemas of MCP and of the tools. */
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  ListToolsResultSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { oas31 } from "zod-openapi";
import { Failure, isFailureCode } from "../../src/failures.ts";
import { createJudge, errorCode, type Judge } from "../support/contract.ts";
import { contentOf } from "../support/mcp.ts";

/** An answer of `/mcp` as it came from the wire. */
interface McpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface McpJudgement {
  faults: string[];
  /** Kind of the answer, such as `ping result`, `200 -32602` or `http 401 invalid_api_key`. */
  kind: string;
  /** The tool's result, if a tool answered. */
  // deno-lint-ignore no-explicit-any -- any body
  structured?: any;
  replayed?: boolean;
}

/** HTTP statuses of the JSON-RPC error codes that a client can cause. */
const STATUSES: Record<number, number[]> = {
  [-32700]: [400],
  [-32600]: [400],
  [-32601]: [200, 404],
  [-32602]: [200, 400],
  [-32020]: [400],
  [-32022]: [400],
};

const RESULTS = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  "tools/list": ListToolsResultSchema,
  "tools/call": CallToolResultSchema,
};

/** Judges answers by the listed tools and by the error envelope of the document. */
export class McpJudge {
  readonly #envelope: (body: unknown) => string[];
  readonly #inputs: Map<string, ValidateFunction>;
  readonly #outputs: Map<string, ValidateFunction>;
  readonly #properties: Map<string, object>;

  constructor(tools: Tool[], document: oas31.OpenAPIObject) {
    const judge: Judge = createJudge(document);
    this.#envelope = (body) => judge({ $ref: "#/components/schemas/ErrorEnvelope" }, body);
    const strict = new Ajv2020({ strict: false });
    formats.default(strict);
    // Formats of inputs are not checked: the service accepts more timestamps than RFC 3339.
    const lenient = new Ajv2020({ strict: false, validateFormats: false });
    this.#outputs = new Map(tools.map((one) => [one.name, strict.compile(one.outputSchema!)]));
    this.#inputs = new Map(tools.map((one) => [one.name, lenient.compile(one.inputSchema)]));
    this.#properties = new Map(tools.map((one) => [one.name, one.inputSchema.properties ?? {}]));
  }

  /** Returns true if the tool's input schema allows the arguments. */
  allows(name: string, args: unknown): boolean {
    return this.#inputs.get(name)!(args) as boolean;
  }

  /**
   * Judges the answer to a message.
   * @param message the parsed message; undefined if it is not valid JSON
   */
  judge(answer: McpAnswer, message: unknown): McpJudgement {
    const { status, headers, text } = answer;
    const faults: string[] = [];
    if (!/^[0-9a-f-]{36}$/.test(headers.get("request-id") ?? "")) faults.push("no Request-Id");
    if (text === "") {
      return { faults: [...faults, ...judgeEmpty(answer, message)], kind: `http ${status}` };
    }
    if (headers.get("content-type") !== "application/json") faults.push("content type");
    const body = JSON.parse(text);
    const more = "jsonrpc" in body
      ? this.#judgeRpc(answer, body, message)
      : this.#judgeEnvelope(answer, body);
    return { ...more, faults: [...faults, ...more.faults] };
  }

  /** Judges a refusal of the transport, which has the error envelope of HTTP. */
  #judgeEnvelope({ status, headers }: McpAnswer, body: unknown): McpJudgement {
    const faults = this.#envelope(body);
    const code = errorCode(body) ?? "";
    const expected = isFailureCode(code) ? new Failure(code).status : undefined;
    if (status !== expected || !TRANSPORT.has(code)) faults.push(`${status} with code ${code}`);
    if (status === 401 && headers.get("www-authenticate") !== "Bearer") faults.push("no challenge");
    if (status === 405 && headers.get("allow") !== "POST") faults.push("no Allow");
    return { faults, kind: `http ${status} ${code}` };
  }

  // deno-lint-ignore no-explicit-any -- any body
  #judgeRpc({ status }: McpAnswer, body: any, message: any): McpJudgement {
    const faults: string[] = [];
    const members = Object.keys(body).sort().join();
    if (body.jsonrpc !== "2.0") faults.push("jsonrpc");
    if (members === "error,id,jsonrpc") {
      const { code, message: words, data: _data, ...rest } = body.error;
      if (!STATUSES[code]?.includes(status)) faults.push(`status ${status} with code ${code}`);
      if (typeof words !== "string" || words === "") faults.push("no message");
      if (Object.keys(rest).length > 0) faults.push("members other than code, message and data");
      // A message that cannot be read has no id to repeat.
      const id = code === -32700 || code === -32600 ? null : message?.id ?? null;
      if (body.id !== id) faults.push("id");
      return { faults, kind: `${status} ${code}` };
    }
    if (members !== "id,jsonrpc,result" || status !== 200) faults.push(`${status} ${members}`);
    if (body.id !== message.id) faults.push("id");
    const method = message.method as keyof typeof RESULTS;
    const parsed = RESULTS[method]?.safeParse(body.result);
    if (parsed?.success !== true) faults.push(`no result of ${method}: ${parsed?.error}`);
    if (method !== "tools/call") return { faults, kind: `${method} result` };
    const judged = this.#judgeCall(body.result, message.params);
    return { ...judged, faults: [...faults, ...judged.faults] };
  }

  // deno-lint-ignore no-explicit-any -- any result
  #judgeCall(result: any, params: any): McpJudgement {
    const faults: string[] = [];
    const { structuredContent, content, isError = false, _meta } = result;
    if (JSON.stringify(content) !== JSON.stringify(contentOf(structuredContent))) {
      faults.push("content");
    }
    const output = this.#outputs.get(params.name)!;
    if (!output(structuredContent)) faults.push(JSON.stringify(output.errors));
    const code = errorCode(structuredContent);
    if (isError !== (code !== undefined)) faults.push(`isError ${isError} with ${code}`);
    if (code === "internal_error") faults.push(code);
    // The schema requires `request_key`, but the header Idempotency-Key can replace it.
    const withKey = { request_key: "k", ...params.arguments };
    const takesKey = "request_key" in (this.#properties.get(params.name) ?? {});
    if (!isError && !this.allows(params.name, takesKey ? withKey : params.arguments ?? {})) {
      faults.push(`accepted: ${JSON.stringify(this.#inputs.get(params.name)!.errors)}`);
    }
    return {
      faults,
      kind: `${params.name} ${code ?? "result"}`,
      structured: structuredContent,
      replayed: _meta["Idempotency-Replayed"] === "true",
    };
  }
}

/** Error codes of the transport, which refuses a request before it reads its message. */
const TRANSPORT: ReadonlySet<string> = new Set([
  "malformed_request",
  "request_timeout",
  "invalid_api_key",
  "forbidden_origin",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
]);

/** Judges an answer without a body. Only notifications, responses, preflights and HEAD get one. */
// deno-lint-ignore no-explicit-any -- any message
function judgeEmpty({ status, headers }: McpAnswer, message: any): string[] {
  if (status === 204) {
    return headers.get("access-control-allow-methods") === "POST"
      ? []
      : ["a preflight that does not allow POST"];
  }
  if (status === 405 || status === 403) return [];
  if (status !== 202) return [`status ${status} without a body`];
  const isRequest = message?.method !== undefined && message.id !== undefined;
  return isRequest ? ["a request without an answer"] : [];
}
