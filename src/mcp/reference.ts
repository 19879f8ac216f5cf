/** Describes the tools for the reference, beside the equivalent HTTP calls. */
import type { MeteredActionName, ReadActionName } from "../operations/action.ts";
import { describeTool } from "./schemas.ts";
import { advertisedTools, type Tool } from "./tools.ts";

/** Entry of a tool in the reference. */
interface ToolReference {
  name: string;
  title?: string;
  description?: string;
  inputSchema: object;
  /** Actions that the tool performs. */
  actions: (MeteredActionName | ReadActionName)[];
}

/** Returns the advertised tools. Limits of a plan differ by caller and are left out. */
export function describeTools(which: "full" | "core"): ToolReference[] {
  return [...advertisedTools(which).values()].map((tool) => {
    const { name, title, description, inputSchema } = describeTool(tool, Infinity);
    const { limit } = (inputSchema.properties ?? {}) as { limit?: { maximum?: number } };
    delete limit?.maximum;
    return { name, title, description, inputSchema, actions: actionsOf(tool) };
  });
}

function actionsOf({ calls }: Tool): ToolReference["actions"] {
  if ("metered" in calls) return [calls.metered];
  return [calls.with_id, ...calls.without_id === undefined ? [] : [calls.without_id]];
}
