/** Writes the schemas of an OpenAPI document as Python types, one TypedDict per object. */

/** The parts of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  const?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const HEAD = `"""Types of the service's OpenAPI document. \`deno task client\` writes this file."""

from __future__ import annotations

`;

/** Names that the types may use. */
const TYPING = ["Any", "Literal", "NotRequired", "TypedDict", "Union"];

const SCALARS: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** Returns a Python module with a type for each named schema. */
export function printPythonTypes(
  { components: { schemas } }: { components: { schemas: Record<string, Schema> } },
): string {
  const classes: string[] = [];
  const aliases: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined) writeClass(name, schema, classes);
    // An alias is evaluated when the module is loaded, so it follows all classes.
    else aliases.push(`${name} = ${typeOf(schema, name, classes)}\n${docOf(schema, "")}`);
  }
  const types = [...classes, aliases.join("\n")].join("\n\n");
  const used = TYPING.filter((name) => new RegExp(`\\b${name}\\b`).test(types));
  return `${HEAD}from typing import ${used.join(", ")}\n\n\n${types}`;
}

function writeClass(name: string, schema: Schema, classes: string[]): void {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([field, one]) => {
    if (!/^[a-z]\w*$/.test(field)) throw new Error(`${name}.${field} is no name in Python`);
    const type = typeOf(one, name + pascalOf(field), classes);
    const shown = required.includes(field) ? type : `NotRequired[${type}]`;
    return `    ${field}: ${shown}\n${docOf(one, "    ")}`;
  });
  classes.push(`class ${name}(TypedDict):\n${docOf(schema, "    ")}${fields.join("")}`);
}

/** Returns the type of a schema. An object without a name becomes a class with the given name. */
function typeOf(schema: Schema, name: string, classes: string[]): string {
  const { $ref, type, items, properties } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1)!;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const isNull = ({ type }: Schema) => type === "null";
    const objects = choices.filter((one) => one.properties !== undefined).length;
    const types = choices.map((one, at) =>
      typeOf(one, objects > 1 && !isNull(one) ? `${name}${at + 1}` : name, classes)
    );
    return `Union[${types.join(", ")}]`;
  }
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) {
    return `Literal[${values.map((one) => JSON.stringify(one)).join(", ")}]`;
  }
  if (properties !== undefined) {
    writeClass(name, schema, classes);
    return name;
  }
  if (type === "array") return `list[${typeOf(items ?? {}, `${name}Item`, classes)}]`;
  if (type === undefined || type === "object") return type === undefined ? "Any" : "dict[str, Any]";
  const types = [type].flat().map((one) => {
    if (SCALARS[one] === undefined) throw new Error(`${name} has the unknown type ${one}`);
    return SCALARS[one];
  });
  return types.length === 1 ? types[0]! : `Union[${types.join(", ")}]`;
}

function docOf({ description }: Schema, indent: string): string {
  return description === undefined ? "" : `${indent}${JSON.stringify(description)}\n`;
}

/** Returns a field's name as the second part of a class name. */
function pascalOf(field: string): string {
  return field.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
