/**
 * Derives output schemas of tools from the shapes of the contract. Every client reads them with the
 * list of tools, so they contain only names and types. The OpenAPI document has the bounds and the
 * descriptions of fields.
 */
import { z } from "zod";
import { adaptJsonSchema, SCHEMAS } from "../contract/schemas.ts";

/** JSON Schema as an object without static types of its members. */
export type JsonSchema = Record<string, unknown>;
type ShapeName = keyof typeof SCHEMAS;

/** Results of a tool, with the level of detail of its output schema. */
export interface Results {
  /** Shapes of a success. A failure is always an ErrorEnvelope. */
  shapes: readonly ShapeName[];
  /**
   * Level of detail.
   *
   * - `whole`: the members of every part.
   * - `records`: the members of the body and of its records. Other parts have only the names of
   *   their required members.
   * - `outline`: the members of the body. The schema of the tool whose operation is polled
   *   describes the records.
   */
  detail: Detail;
  /**
   * Shapes and members that are written as plain objects here. Another tool describes them, and
   * each list of tools contains that tool.
   */
  elsewhere?: readonly (ShapeName | "coverage")[];
}

type Detail = "whole" | "records" | "outline";

/** An output schema as `tools/list` shows it. */
interface OutputSchema extends JsonSchema {
  type: "object";
}

/**
 * Position of a part in the body of a result. A record is an element of a list, or the only member
 * of the body.
 */
type PartOfBody = "member" | "record" | "part";

/**
 * Max number of values of an enumeration that is listed. It is one more than the number of kinds of
 * observations.
 */
const ENUM_MAX = 10;

const OBJECT = { type: "object" };

/** JSON Schemas of the contract's shapes by name. They refer to each other by name. */
const SHAPES = shapes();

/**
 * Returns the schema of all answers of a tool: its results and the error envelope. `properties`
 * lists the members of all alternatives. `anyOf` tells which members an alternative has.
 */
export function outputSchema({ shapes, detail, elsewhere = [] }: Results): OutputSchema {
  const written = { detail, elsewhere: new Set<string>(elsewhere) };
  const bodies = [...shapes, "ErrorEnvelope"].flatMap((name) => bodiesOf(SHAPES[name]!));
  const members = new Map<string, JsonSchema[]>();
  for (const { properties } of bodies) {
    const entries = Object.entries(properties as Record<string, JsonSchema>);
    const place = entries.length === 1 ? "record" : "member";
    for (const [name, member] of entries) {
      const schema = written.elsewhere.has(name) ? OBJECT : brief(member, place, written);
      const known = members.getOrInsertComputed(name, () => []);
      if (!known.some((one) => JSON.stringify(one) === JSON.stringify(schema))) known.push(schema);
    }
  }
  const names = [...members.keys()];
  const polled = detail === "outline" ? bodies.filter(isPolled) : [];
  return {
    type: "object",
    properties: Object.fromEntries([...members].map(([name, known]) => [name, anyOf(known)])),
    additionalProperties: false,
    anyOf: [
      // One alternative stands for all polled results. The output schema of the polled tool
      // distinguishes them.
      ...polled.length === 0 ? [] : [{ required: OPERATION, properties: without(["error"]) }],
      ...bodies.filter((body) => !polled.includes(body)).map((body) => alternative(body, names)),
    ],
  };
}

/** Returns the bodies of a shape. A union has several. */
function bodiesOf(shape: JsonSchema): JsonSchema[] {
  const references = (shape.oneOf ?? []) as { $ref: string }[];
  return references.length === 0 ? [shape] : references.map(({ $ref }) => SHAPES[$ref]!);
}

/** Members of every answer about an operation that did not fail. */
const OPERATION = ["usage", "request_allowance"];

function isPolled({ required }: JsonSchema): boolean {
  return OPERATION.every((name) => (required as string[]).includes(name));
}

/** Returns a schema that allows exactly the members of a body, in the shorter of two forms. */
function alternative({ properties, required }: JsonSchema, names: string[]): JsonSchema {
  const members = Object.keys(properties as object);
  const needed = required as string[];
  const others = names.filter((name) => !members.includes(name));
  if (needed.length < members.length) return { required: needed, maxProperties: members.length };
  return others.length < members.length
    ? { minProperties: members.length, properties: without(others) }
    : { required: needed, maxProperties: members.length };
}

function without(names: string[]): Record<string, false> {
  return Object.fromEntries(names.map((name) => [name, false]));
}

/** Joins the schemas of alternatives. Enumerations become one list of values. */
function anyOf(schemas: JsonSchema[]): JsonSchema {
  if (schemas.length === 1) return schemas[0]!;
  const values = schemas.map((schema) => "const" in schema ? [schema.const] : schema.enum);
  return values.includes(undefined) ? { anyOf: schemas } : { enum: values.flat() };
}

interface Writing {
  detail: Detail;
  elsewhere: ReadonlySet<string>;
}

/** Describes a part of a result by its types and the names of its members. */
function brief(schema: JsonSchema, place: PartOfBody, writing: Writing): JsonSchema {
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) {
    return writing.elsewhere.has($ref) ? OBJECT : brief(SHAPES[$ref]!, place, writing);
  }
  const union = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (union !== undefined) {
    return union[1]!.type === "null"
      ? { type: [union[0]!.type, "null"] }
      : brief(joined(union.map((one) => resolved(one))), place, writing);
  }
  if ("const" in schema) return { const: schema.const };
  if (schema.type === "object") return briefObject(schema, place, writing);
  if (schema.type === "array") {
    if (writing.detail === "outline") return { type: "array" };
    const items = schema.items as JsonSchema;
    return { type: "array", items: brief(items, place === "member" ? "record" : "part", writing) };
  }
  const values = (schema.enum ?? []) as unknown[];
  return values.length === 0 || values.length > ENUM_MAX ? { type: schema.type } : { enum: values };
}

function briefObject(
  { properties, required }: JsonSchema,
  place: PartOfBody,
  writing: Writing,
): JsonSchema {
  if (writing.detail !== "whole" && place !== "record") return { type: "object", required };
  const members = Object.entries(properties as Record<string, JsonSchema>)
    .map(([name, member]) => [name, brief(member, "part", writing)]);
  return {
    type: "object",
    properties: Object.fromEntries(members),
    required,
    additionalProperties: false,
  };
}

function resolved(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : SHAPES[schema.$ref as string]!;
}

/**
 * Returns one object with the members of all objects. It requires only the members that all of them
 * require.
 */
function joined(objects: JsonSchema[]): JsonSchema {
  const needed = objects.map(({ required }) => required as string[]);
  return {
    type: "object",
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    required: needed[0]!.filter((name) => needed.every((names) => names.includes(name))),
  };
}

function shapes(): Record<string, JsonSchema> {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) names.add(schema, { id });
  const { schemas } = z.toJSONSchema(names, { uri: (id) => id, override: adaptJsonSchema });
  return schemas as Record<string, JsonSchema>;
}
