/** Derives query parameters from an action's input. */
import { z } from "zod";

/** A field of an input as a parameter of a query. */
export interface Parameter {
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
