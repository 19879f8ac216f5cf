/** Derives query parameters from an action's input, and reads them. */
import { z } from "zod";
import type { FieldFault } from "../contract/faults.ts";
import { NO_SUCH_FIELD } from "../contract/fields.ts";

/** A field of an input as a parameter of a query. */
interface Parameter {
  /** Name of the input's field. */
  field: string;
  /** Name in the query. The name of a list ends in `[]`, and the parameter is repeated. */
  name: string;
  list: boolean;
  /** True if the values are integers. */
  integer: boolean;
}

/** Returns the parameters of an input, in the order of its fields. */
export function parametersOf(input: z.ZodObject): Parameter[] {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  return Object.entries(properties).map(([field, schema]) => {
    const { type, items } = schema as z.core.JSONSchema.BaseSchema;
    const list = type === "array";
    const itemType = list ? (items as z.core.JSONSchema.BaseSchema).type : type;
    return {
      field,
      name: list ? `${field}[]` : field,
      list,
      integer: itemType === "integer",
    };
  });
}

/** Reads query parameters. Repeated parameters `domains[]` become the list `domains`. */
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
    // The value is read as that of the intended parameter, so that it is checked as well.
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

/**
 * Returns the integer in a text of a path or query. Any other text is unchanged, and refused later.
 */
export function integerOf(text: string | undefined): number | string | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]*)$/.test(text)) return text;
  return Math.min(Number(text), Number.MAX_VALUE);
}
