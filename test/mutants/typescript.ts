/** Mutations of TypeScript: exchanged operators, shifted bounds, and deleted calls and guards. */
import { parse } from "@babel/parser";
import type { Change } from "./mutation.ts";

/** A node of the syntax tree, as far as the rules read it. */
interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

/** Operators, and those that replace them. */
const OPERATORS: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
};

/** Methods that replace each other. */
const METHODS: Record<string, string> = { max: "min", min: "max", some: "every", every: "some" };

/** Returns all mutations of a text, in the order of their places. */
export function typescriptMutations(text: string): Change[] {
  const file = parse(text, { sourceType: "module", plugins: ["typescript"] });
  const changes: Change[] = [];
  visit(file.program as unknown as Node, (node) => changes.push(...changesOf(text, node)));
  return changes.sort((a, b) => a.start - b.start || a.end - b.end);
}

function changesOf(text: string, node: Node): Change[] {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return operatorChanges(text, node);
    case "NumericLiteral":
      return [{ ...placeOf(node), replacement: String(node.value as number + 1) }];
    case "BooleanLiteral":
      return [{ ...placeOf(node), replacement: String(!node.value) }];
    case "UnaryExpression":
      return node.operator === "!"
        ? [{ start: node.start, end: node.start + 1, replacement: "" }]
        : [];
    case "IfStatement":
      return [{ ...placeOf(node.test as Node), replacement: "false" }];
    case "ConditionalExpression":
      return [exchange(text, node.consequent as Node, node.alternate as Node)];
    case "ExpressionStatement":
      return isCall(node.expression as Node) ? [{ ...placeOf(node), replacement: ";" }] : [];
    case "MemberExpression":
      return methodChanges(node.property as Node);
    default:
      return [];
  }
}

function operatorChanges(text: string, node: Node): Change[] {
  const { left, right } = node as unknown as { left: Node; right: Node };
  const operator = node.operator as string;
  const replacement = OPERATORS[operator];
  // A text plus a text is no sum.
  const joins = operator === "+" && [left, right].some(({ type }) => /String|Template/.test(type));
  if (replacement === undefined || joins) return [];
  const start = text.indexOf(operator, left.end);
  return [{ start, end: start + operator.length, replacement }];
}

function methodChanges(property: Node): Change[] {
  const replacement = METHODS[property.name as string];
  return replacement === undefined ? [] : [{ ...placeOf(property), replacement }];
}

function exchange(text: string, one: Node, two: Node): Change {
  const between = text.slice(one.end, two.start);
  const replacement = text.slice(two.start, two.end) + between + text.slice(one.start, one.end);
  return { start: one.start, end: two.end, replacement };
}

function isCall({ type, argument }: Node): boolean {
  if (type === "AwaitExpression" || type === "UnaryExpression") return isCall(argument as Node);
  return type === "CallExpression" || type === "OptionalCallExpression";
}

function placeOf({ start, end }: Node): { start: number; end: number } {
  return { start, end };
}

/** Visits a node and all nodes in it, except types, which do not exist at run time. */
function visit(node: Node, use: (node: Node) => void): void {
  if (/^(TS(?!AsExpression|NonNull|Satisfies)|Import)/.test(node.type)) return;
  use(node);
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (typeof child?.type === "string" && typeof child.start === "number") visit(child, use);
    }
  }
}
