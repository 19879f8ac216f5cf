/** Texts that JSON.stringify() cannot write: repeated members, odd numbers, invalid JSON. */

/** A piece of text that is printed unchanged. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** An object whose members may repeat and may have any name, including `__proto__`. */
export class Members {
  constructor(readonly pairs: [string, JsonNode][]) {}

  static of(record: Record<string, JsonNode>): Members {
    return new Members(Object.entries(record));
  }

  /** Returns the last value of a member. */
  get(name: string): JsonNode | undefined {
    return this.pairs.findLast(([one]) => one === name)?.[1];
  }

  /** Returns a copy in which the member occurs once, at the end, with this value. */
  with(name: string, value: JsonNode): Members {
    return new Members([...this.without(name).pairs, [name, value]]);
  }

  without(name: string): Members {
    return new Members(this.pairs.filter(([one]) => one !== name));
  }
}

/** A JSON value, or a value that JSON cannot represent. */
export type JsonNode =
  | null
  | boolean
  | number
  | string
  | Verbatim
  | Members
  | JsonNode[];

/** Prints a node without white space. Lone surrogates become escapes. */
export function printJson(node: JsonNode): string {
  if (node instanceof Verbatim) return node.text;
  if (Array.isArray(node)) return `[${node.map(printJson).join(",")}]`;
  if (node instanceof Members) {
    const members = node.pairs.map(([name, value]) =>
      `${JSON.stringify(name)}:${printJson(value)}`
    );
    return `{${members.join(",")}}`;
  }
  if (Object.is(node, -0)) return "-0";
  return JSON.stringify(node);
}

/** Turns a plain value into a node. */
export function nodeOf(value: unknown): JsonNode {
  if (Array.isArray(value)) return value.map(nodeOf);
  if (typeof value === "object" && value !== null) {
    return new Members(Object.entries(value).map(([name, one]) => [name, nodeOf(one)]));
  }
  return value as JsonNode;
}

/** Prints a node for a query or a path: a text without quotes, any other value as JSON. */
export function printText(node: JsonNode): string {
  return typeof node === "string" ? node : printJson(node);
}
