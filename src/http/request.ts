/** Turns bytes and parameters into raw inputs. */
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
  // Each name has at most one fault, however often it is repeated.
  const faults = new Map<string, FieldFault>();
  const refuse = (name: string, sentence: string) => faults.set(name, { path: [name], sentence });
  for (const [name, text] of query) {
    const parameter = parameters.find((one) => one.name === name) ?? misspelt(name, parameters);
    if (parameter === undefined) {
      refuse(name, NO_SUCH_FIELD);
      continue;
    }
    // The parameter is read as intended, so that its value is checked as well.
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

/** Returns the parameter that a name with a missing or superfluous `[]` was meant for. */
function misspelt(name: string, parameters: readonly Parameter[]): Parameter | undefined {
  const field = name.endsWith("[]") ? name.slice(0, -2) : name;
  return parameters.find((one) => one.field === field);
}

function correctionOf({ name, list }: Parameter): string {
  return list ? `write ${name}, once for each value` : `write ${name}`;
}

/** Returns the integer in a text of a path or query; any other text unchanged, to be refused. */
export function integerOf(text: string | undefined): number | string | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]*)$/.test(text)) return text;
  return Math.min(Number(text), Number.MAX_VALUE);
}
