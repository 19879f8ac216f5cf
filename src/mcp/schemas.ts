/** Tools as `tools/list` shows them: JSON Schema 2020-12 from the schemas of the contract. */
import type { Tool as ToolDescription } from "@modelcontextprotocol/sdk/types";
import { z } from "zod";
import { DEFAULT_LIMIT } from "../contract/search.ts";
import { render, SCHEMAS } from "../contract/schemas.ts";
import type { Tool } from "./tools.ts";

type JsonSchema = Record<string, unknown>;

/** Each by the name that references use. */
const DEFINITIONS = definitions();

/** @param page_limit the most entries a page that the caller's plan allows */
export function describeTool(tool: Tool, page_limit: number): ToolDescription {
  const { name, title, description, read_only } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool, page_limit),
    outputSchema: outputSchema(tool),
    annotations: {
      title,
      readOnlyHint: read_only,
      destructiveHint: false,
      // By the same request_key, or because it only reads.
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

function inputSchema({ input }: Tool, page_limit: number): ToolDescription["inputSchema"] {
  const schema = withoutDialect(z.toJSONSchema(input, { io: "input", override: render }));
  const { limit } = schema.properties as { limit?: JsonSchema };
  if (limit !== undefined) {
    limit.maximum = page_limit;
    // A default that the plan refuses is none.
    if (page_limit < DEFAULT_LIMIT) {
      delete limit.default;
      (schema.required as string[]).push("limit");
    }
  }
  return schema as ToolDescription["inputSchema"];
}

/**
 * One of the results, or the error envelope: clients check the structured content of failures, too.
 */
function outputSchema({ results }: Tool): ToolDescription["outputSchema"] {
  const names = [...results, "ErrorEnvelope"];
  return {
    type: "object",
    anyOf: names.map((name) => ({ $ref: reference(name) })),
    $defs: Object.fromEntries(
      [...reachable(names)].map((name) => [name, DEFINITIONS[name]!]),
    ),
  };
}

function definitions(): Record<string, JsonSchema> {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) names.add(schema, { id });
  const { schemas } = z.toJSONSchema(names, { uri: reference, override: render });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)]),
  );
}

function reference(name: string): string {
  return `#/$defs/${name}`;
}

/** 2020-12 is what a schema without a dialect is in; some clients know no other name for it. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

/** The names, and all that their definitions refer to. */
function reachable(names: readonly string[]): Set<string> {
  const found = new Set(names);
  // A set that grows while it is walked is walked to its end.
  for (const name of found) {
    const text = JSON.stringify(DEFINITIONS[name]);
    for (const [, next] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) found.add(next!);
  }
  return found;
}
