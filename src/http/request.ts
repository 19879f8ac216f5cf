/** Turns bytes and parameters into raw input. */
import type { FieldFault } from "../contract/faults.ts";
import { NO_SUCH_FIELD } from "../contract/fields.ts";
import { parseJson } from "../doors/json.ts";
import { readJsonBytes } from "../doors/request.ts";
import type { RawInputs } from "../operations/inputs.ts";
import type { Parameter } from "./parameters.ts";

/**
 * Reads a JSON body.
 * @throws Failure unsupported_media_type, payload_too_large or request_timeout
 */
export async function readJsonBody(request: Request): Promise<RawInputs> {
  const bytes = await readJsonBytes(request);
  try {
    return { inputs: parseJson(bytes) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { faults: [{ path: ["body"], sentence: error.message }] };
  }
}

/** Reads query parameters: `domains[]`, repeated, becomes the list `domains`. */
export function readParameters(
  query: URLSearchParams,
  parameters: readonly Parameter[],
): { inputs: Record<string, unknown>; faults: FieldFault[] } {
  const inputs: Record<string, unknown> = {};
  // One fault for each name, however often it is repeated.
  const faults = new Map<string, FieldFault>();
  const refuse = (name: string, sentence: string) => faults.set(name, { path: [name], sentence });
  for (const [name, text] of query) {
    const parameter = parameters.find((one) => one.name === name) ?? misspelt(name, parameters);
    if (parameter === undefined) {
      refuse(name, NO_SUCH_FIELD);
      continue;
    }
    // It is read as it was meant, so that its value is checked, too.
    if (parameter.name !== name) {
      refuse(name, `${NO_SUCH_FIELD}, ${correctionOf(parameter)}`);
    }
    const { field, list, integer } = parameter;
    const value = integer ? integerOf(text) : text;
    if (list) ((inputs[field] ??= []) as unknown[]).push(value);
    else if (Object.hasOwn(inputs, field)) refuse(name, "given more than once");
    else inputs[field] = value;
  }
  return { inputs, faults: [...faults.values()] };
}

/** Returns the parameter that was meant by a name with or without `[]`. */
function misspelt(name: string, parameters: readonly Parameter[]): Parameter | undefined {
  const field = name.endsWith("[]") ? name.slice(0, -2) : name;
  return parameters.find((one) => one.field === field);
}

function correctionOf({ name, list }: Parameter): string {
  return list ? `write ${name}, once for each value` : `write ${name}`;
}

/** The integer that a text in a path or a query writes; any other text as it is, to be refused. */
export function integerOf(text: string | undefined): number | string | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]*)$/.test(text)) return text;
  return Math.min(Number(text), Number.MAX_VALUE);
}
