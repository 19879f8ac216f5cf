/**
 * Derives output schemas of tools from the shapes of the contract. Every client reads them with the
 * list of tools, so they contain only the members of the body, with their types. The OpenAPI document
 * describes the parts.
 */
import { z } from "zod";
import { adaptJsonSchema, SCHEMAS } from "../contract/schemas.ts";

/** JSON Schema as an object without static types of its members. */
export type JsonSchema = Record<string, unknown>;

/** Name of a shape of the contract. */
export type ShapeName = keyof typeof SCHEMAS;

/** An output schema as `tools/list` shows it. */
interface OutputSchema extends JsonSchema {
  type: "object";
}

/** Max number of values of an enumeration that is listed. The number is chosen. */
const ENUM_MAX = 10;

/** JSON Schemas of the contract's shapes by name. They refer to each other by name. */
const SHAPES = shapesByName();

/**
 * Returns the schema of all answers of a tool. `properties` lists the members of all answers. A
 * success has the required members of one of its shapes. A failure is always an ErrorEnvelope.
 * @param results shapes of a success
 */
export function outputSchema(results: readonly ShapeName[]): OutputSchema {
  const successes = results.flatMap((name) => bodiesOf(SHAPES[name]!));
  const members = new Map<string, JsonSchema[]>();
  for (const { properties } of [...successes, SHAPES.ErrorEnvelope!]) {
    for (const [name, member] of Object.entries(properties as Record<string, JsonSchema>)) {
      const schema = brief(member);
      const known = members.getOrInsertComputed(name, () => []);
      if (!known.some((one) => JSON.stringify(one) === JSON.stringify(schema))) known.push(schema);
    }
  }
  const sets = successes.map(({ required }) => new Set(required as string[]));
  // A body with the members of a larger set has those of a smaller one.
  const fewest = sets.filter((set) => !sets.some((one) => one !== set && one.isSubsetOf(set)));
  return {
    type: "object",
    properties: Object.fromEntries([...members].map(([name, known]) => [name, anyOf(known)])),
    additionalProperties: false,
    anyOf: [
      ...fewest.map((set) => ({ required: [...set], properties: { error: false } })),
      { required: ["error"] },
    ],
  };
}

/** Returns the bodies of a shape. A union has several. */
function bodiesOf(shape: JsonSchema): JsonSchema[] {
  const references = (shape.oneOf ?? []) as { $ref: string }[];
  return references.length === 0 ? [shape] : references.map(({ $ref }) => SHAPES[$ref]!);
}

/** Joins the schemas of alternatives. Enumerations become one list of values. */
function anyOf(schemas: JsonSchema[]): JsonSchema {
  if (schemas.length === 1) return schemas[0]!;
  const values = schemas.map((schema) => "const" in schema ? [schema.const] : schema.enum);
  return values.includes(undefined) ? { anyOf: schemas } : { enum: values.flat() };
}

/** Describes a member by its type, its values, or the names of its members. */
function brief(schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) return brief(SHAPES[schema.$ref as string]!);
  const union = schema.anyOf as JsonSchema[] | undefined;
  if (union !== undefined) return { type: union.map(({ type }) => type) };
  if ("const" in schema) return { const: schema.const };
  if (schema.type === "object") return { type: "object", required: schema.required };
  const values = (schema.enum ?? []) as unknown[];
  return values.length === 0 || values.length > ENUM_MAX ? { type: schema.type } : { enum: values };
}

function shapesByName(): Record<string, JsonSchema> {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) names.add(schema, { id });
  const { schemas } = z.toJSONSchema(names, { uri: (id) => id, override: adaptJsonSchema });
  return schemas as Record<string, JsonSchema>;
}
