/**
 * Describes tools for `tools/list` and for the reference: JSON Schema 2020-12 from the schemas of
 * the contract.
 */
import type { Tool as ToolDescription } from "@modelcontextprotocol/server";
import { z } from "zod";
import { LOOKUP_TARGETS_MAX } from "../contract/lookup.ts";
import { DEFAULT_LIMIT } from "../contract/search.ts";
import { adaptJsonSchema } from "../contract/schemas.ts";
import { type JsonSchema, outputSchema } from "./output_schema.ts";
import { advertisedTools, type Tool } from "./tools.ts";

type Properties = Record<string, JsonSchema>;

/**
 * Number of JSON characters to allow per company with three observations. It was measured on the
 * longest 10 % of pages, so it is generous.
 */
const COMPANY_CHARACTERS = 6_000;

/** Number of characters of a tool's result above which Claude Code always moves it to a file. */
const RESULT_CHARACTERS_MAX = 500_000;

/** Describes a tool. @param page_limit max number of entries per page in the caller's plan */
export function describeTool(tool: Tool, page_limit: number): ToolDescription {
  const { name, title, description, read_only } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool, page_limit),
    outputSchema: outputSchema(tool.results),
    annotations: read_only
      ? { readOnlyHint: true, openWorldHint: false }
      // The request_key makes the call idempotent.
      : { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ...tool.is_large && {
      _meta: { "anthropic/maxResultSizeChars": resultCharacters(page_limit) },
    },
  };
}

function resultCharacters(page_limit: number): number {
  // Plans limit pages, but not lookups.
  const companies = Math.max(page_limit, LOOKUP_TARGETS_MAX);
  return Math.min(companies * COMPANY_CHARACTERS, RESULT_CHARACTERS_MAX);
}

function inputSchema({ input }: Tool, page_limit: number): ToolDescription["inputSchema"] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, {
    io: "input",
    override(context) {
      adaptJsonSchema(context);
      shorten(context.jsonSchema);
    },
  });
  const { limit, filters } = schema.properties as Properties;
  // The description of `filters` applies to all of its fields.
  for (const filter of Object.values((filters?.properties ?? {}) as Properties)) {
    delete filter.description;
  }
  if (limit !== undefined) {
    limit.maximum = page_limit;
    // The default is larger than the plan allows, so the argument is required.
    if (page_limit < DEFAULT_LIMIT) {
      delete limit.default;
      schema.required!.push("limit");
    }
  }
  return schema as ToolDescription["inputSchema"];
}

/**
 * Removes examples, empty descriptions, descriptions of list items, and the max length of lists of
 * enumerated values. Names and values tell models enough.
 */
function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.examples;
  if (schema.description === "") delete schema.description;
  const items = schema.items as z.core.JSONSchema.BaseSchema | undefined;
  delete items?.description;
  if (items?.enum !== undefined) delete schema.maxItems;
}

/**
 * Describes the advertised tools for the reference, each with the actions that it performs. The
 * limits of a plan are left out, because they differ by caller.
 */
export function describeTools(which: "full" | "core"): object[] {
  return [...advertisedTools(which).values()].map((tool) => {
    const { name, title, description, inputSchema } = describeTool(tool, Infinity);
    const { limit } = (inputSchema.properties ?? {}) as { limit?: { maximum?: number } };
    delete limit?.maximum;
    return { name, title, description, inputSchema, actions: actionsOf(tool) };
  });
}

function actionsOf({ calls }: Tool): string[] {
  if ("metered" in calls) return [calls.metered];
  return [calls.with_id, ...calls.without_id === undefined ? [] : [calls.without_id]];
}
