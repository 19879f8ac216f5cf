/** From bytes to raw input. */
import { noSuchField } from "../contract/invalid.ts";
import { parseJson } from "../doors/json.ts";
import { readJsonBytes } from "../doors/request.ts";
import { Failure } from "../failures.ts";
import type { QueryInput } from "./routes.ts";

/**
 * Reads a JSON body.
 * @throws Failure unsupported_media_type, payload_too_large, request_timeout, or invalid_search
 * naming the body
 */
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
  { lists, singles, integers = [] }: QueryInput,
  code: "invalid_lookup" | "invalid_search",
): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const [name, value] of url.searchParams) {
    const list = name.endsWith("[]") ? name.slice(0, -2) : undefined;
    if (list !== undefined && lists.includes(list)) {
      ((inputs[list] ??= []) as unknown[]).push(
        integers.includes(list) ? integerOf(value) : value,
      );
    } else if (!singles.includes(name)) {
      throw noSuchField(code, [name]);
    } else if (Object.hasOwn(inputs, name)) {
      throw new Failure(code, { message: `${name}: given more than once.` });
    } else inputs[name] = value;
  }
  return inputs;
}

/** The integer that a text in a path or a query writes; any other text as it is, to be refused. */
export function integerOf(text: string | undefined): number | string | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]*)$/.test(text)) return text;
  return Math.min(Number(text), Number.MAX_VALUE);
}
