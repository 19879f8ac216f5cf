/** Arbitraries from JSON Schema: valid values, and nearly valid ones. */
import fc from "fast-check";
import { type JsonNode, Members, nodeOf, printJson, Verbatim } from "./json_text.ts";
import { cleanInstant, hostileInstant, hostileName, hostileNode, hostileNumber } from "./values.ts";

/** The subset of JSON Schema 2020-12 that the documents use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: JsonNode[];
  const?: JsonNode;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Values for the fields with a certain name, because a schema contains no existing ids. */
export interface Hint {
  /** Values that the service accepts. */
  clean: fc.Arbitrary<JsonNode>;
  /** Values that the service may refuse. */
  hostile?: fc.Arbitrary<JsonNode>;
}

export interface Sources {
  /** Resolves a `$ref`. */
  resolve(reference: string): Schema;
  /** Hints by the name of a field, without `[]`. The hint of a list describes its items. */
  hints: Record<string, Hint>;
}

/** Makes arbitraries from the schemas of one document. */
export class SchemaValues {
  constructor(readonly sources: Sources) {}

  /** Generates values that the schema allows and that the service has no other reason to refuse. */
  clean(schema: Schema, name = ""): fc.Arbitrary<JsonNode> {
    const hint = this.#hint(name);
    const { type, enum: values } = this.#resolved(schema);
    if (type === "array") return this.#list(schema, name, (items) => this.clean(items, name));
    if (type === "object") return this.#object(schema, (one, field) => this.clean(one, field));
    if (hint !== undefined && values === undefined) return hint.clean;
    return this.#scalar(schema, name);
  }

  /** Generates mostly valid values, with some invalid parts. */
  nearly(schema: Schema, name = ""): fc.Arbitrary<JsonNode> {
    const { type } = this.#resolved(schema);
    const whole: fc.Arbitrary<JsonNode> = type === "array"
      ? this.#list(schema, name, (items) => this.nearly(items, name))
      : type === "object"
      ? this.#object(schema, (one, field) => this.nearly(one, field))
      : this.clean(schema, name);
    return fc.oneof(
      { weight: 7, arbitrary: whole },
      { weight: 1, arbitrary: this.broken(schema, name) },
    );
  }

  /** Generates values that violate a keyword of the schema, or any values. */
  broken(schema: Schema, name = ""): fc.Arbitrary<JsonNode> {
    const meant = this.#resolved(schema);
    const whole = this.clean(schema, name);
    const hostile = this.#hint(name)?.hostile;
    return fc.oneof(
      hostileNode,
      ...hostile === undefined ? [] : [hostile],
      // These are valid values, converted to a wrong type.
      whole.map((value): JsonNode => typeof value === "string" ? [value] : printJson(value)),
      whole.map((value): JsonNode => Members.of({ value })),
      ...typesOf(meant).flatMap((type) => breakagesOf(type, meant, whole)),
    );
  }

  #hint(name: string): Hint | undefined {
    const { hints } = this.sources;
    const field = name.replace(/\[\]$/, "");
    return Object.hasOwn(hints, field) ? hints[field] : undefined;
  }

  #resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.sources.resolve(schema.$ref);
  }

  #scalar(schema: Schema, name: string): fc.Arbitrary<JsonNode> {
    const meant = this.#resolved(schema);
    const alternatives = meant.oneOf ?? meant.anyOf;
    if (alternatives) return fc.oneof(...alternatives.map((one) => this.clean(one, name)));
    if (meant.const !== undefined) return fc.constant(meant.const);
    if (meant.enum) return fc.constantFrom(...meant.enum);
    return fc.oneof(...typesOf(meant).map((type) => scalarOf(type, meant)));
  }

  #list(
    schema: Schema,
    name: string,
    valuesOf: (items: Schema) => fc.Arbitrary<JsonNode>,
  ): fc.Arbitrary<JsonNode> {
    const { items = {}, minItems = 0, maxItems = 10 } = this.#resolved(schema);
    const value = valuesOf(items);
    const short = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) };
    return fc.oneof(
      { weight: 12, arbitrary: fc.array(value, short) },
      {
        weight: 1,
        arbitrary: this.clean(items, name).map((one) => Array<JsonNode>(maxItems).fill(one)),
      },
    );
  }

  #object(
    schema: Schema,
    valuesOf: (schema: Schema, name: string) => fc.Arbitrary<JsonNode>,
  ): fc.Arbitrary<JsonNode> {
    const { properties = {}, required = [] } = this.#resolved(schema);
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, valuesOf(one, name)]),
    );
    return fc.record(fields, { requiredKeys: required }).map((values) => Members.of(values));
  }
}

function typesOf({ type = [] }: Schema): string[] {
  return Array.isArray(type) ? type : [type];
}

function scalarOf(type: string, schema: Schema): fc.Arbitrary<JsonNode> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer": {
      const { minimum = -1000, maximum = 1_000_000 } = schema;
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constant(minimum));
    }
    case "number":
      return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true });
    case "string":
      return textOf(schema);
    default:
      throw new Error(`no values for the type ${type}`);
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  if (format === "date-time") return cleanInstant;
  if (pattern === undefined) return fc.string({ unit: "grapheme", minLength, maxLength });
  return fc.stringMatching(new RegExp(pattern), { size: "small" })
    .filter((text) => [...text].length >= minLength && [...text].length <= maxLength);
}

function breakagesOf(
  type: string,
  schema: Schema,
  whole: fc.Arbitrary<JsonNode>,
): fc.Arbitrary<JsonNode>[] {
  switch (type) {
    case "integer":
    case "number":
      return [hostileNumber, fc.constantFrom(...outside(schema))];
    case "string":
      return textBreakages(schema);
    case "array":
      return listBreakages(schema, whole);
    case "object":
      return objectBreakages(schema, whole);
    default:
      return [];
  }
}

/** Returns numbers near the bounds, and integers in other notations. */
function outside({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): JsonNode[] {
  return [
    minimum - 1,
    maximum,
    maximum + 1,
    minimum + 0.5,
    new Verbatim(`${minimum}.0`),
    new Verbatim(`${minimum}e0`),
    new Verbatim(`${minimum}${"0".repeat(30)}`),
  ];
}

function textBreakages({ format, minLength = 0, maxLength }: Schema): fc.Arbitrary<JsonNode>[] {
  if (format === "date-time") return [hostileInstant];
  const lengths = [minLength - 1, minLength, maxLength ?? 300, (maxLength ?? 300) + 1];
  return [
    fc.tuple(fc.constantFrom("x", "\u00e9", "\u{1f9ca}", " "), fc.constantFrom(...lengths))
      .map(([unit, length]) => unit.repeat(Math.max(0, length))),
  ];
}

function listBreakages(
  { minItems = 0, maxItems = 10 }: Schema,
  whole: fc.Arbitrary<JsonNode>,
): fc.Arbitrary<JsonNode>[] {
  const lengths = [minItems - 1, minItems, maxItems, maxItems + 1, 3000];
  return [
    fc.tuple(whole, fc.constantFrom(...lengths)).map(([list, length]) => {
      const [first = 1] = list as JsonNode[];
      return Array<JsonNode>(Math.max(0, length)).fill(first);
    }),
    whole.map((list) => [list]),
    whole.map((list) => new Members((list as JsonNode[]).map((one, at) => [String(at), one]))),
    fc.tuple(whole, hostileNode).map(([list, more]) => [...list as JsonNode[], more]),
  ];
}

function objectBreakages(
  { properties = {} }: Schema,
  whole: fc.Arbitrary<JsonNode>,
): fc.Arbitrary<JsonNode>[] {
  const names = Object.keys(properties);
  const members = whole.map((value) => value as Members);
  const add = (name: fc.Arbitrary<string>) =>
    fc.tuple(members, name, hostileNode)
      .map(([{ pairs }, one, value]) => new Members([...pairs, [one, value]]));
  if (names.length === 0) return [add(hostileName)];
  return [
    add(hostileName),
    // A member of the schema is repeated at the end.
    add(fc.constantFrom(...names)),
    fc.tuple(members, fc.constantFrom(...names)).map(([all, name]) => all.without(name)),
    members.map((all) => [all]),
    members.map((all) => nodeOf(JSON.parse(printJson(all)))),
  ];
}
