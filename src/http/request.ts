/** From bytes to raw input. */
import { parseJson } from "../doors/json.ts";
import { readJsonBytes } from "../doors/request.ts";
import { Failure } from "../failures.ts";
import type { QueryInput } from "./routes.ts";

/** @throws Failure unsupported_media_type, payload_too_large, or invalid_search naming the body */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readJsonBytes(request);
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure("invalid_search", { message: `body: ${error.message}.` });
  }
}

/**
 * Query parameters as inputs: `domains[]`, repeated, becomes the list `domains`.
 * @throws Failure with `code`, naming a parameter that is not taken here or given twice
 */
export function readParameters(
  url: URL,
  { lists, singles }: QueryInput,
  code: "invalid_lookup" | "invalid_search",
): Record<string, string | string[]> {
  const inputs: Record<string, string | string[]> = {};
  for (const [name, value] of url.searchParams) {
    const list = name.endsWith("[]") ? name.slice(0, -2) : undefined;
    const refuse = (what: string) =>
      new Failure(code, { message: `${name.slice(0, 100)}: ${what}.` });
    if (list !== undefined && lists.includes(list)) {
      ((inputs[list] ??= []) as string[]).push(value);
    } else if (!singles.includes(name)) {
      throw refuse("there is no such field here");
    } else if (Object.hasOwn(inputs, name)) {
      throw refuse("given more than once");
    } else inputs[name] = value;
  }
  return inputs;
}
