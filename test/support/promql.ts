/**
 * Reads the names in an expression of PromQL. It knows the part of the language that deploy/ uses.
 */

/** Condition between braces on the value of a label. */
export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

/** One use of a metric in an expression. */
interface Selector {
  metric: string;
  matchers: Matcher[];
  /** Labels in the `by` clauses of the aggregations around the metric. */
  grouped: string[];
}

/** Metrics of an expression, and the labels of its result. */
export interface Expression {
  selectors: Selector[];
  /** Undefined if there is no aggregation. The result then has the labels of the metric. */
  labels?: string[];
}

/** Functions, aggregations and operators. Any other word is the name of a metric. */
const WORDS = ["absent", "and", "by", "histogram_quantile", "increase", "max", "or", "rate", "sum"];
const AGGREGATIONS = ["max", "sum"];

const TOKEN =
  /\s+|"(?:\\.|[^"\\])*"|\[[^\]]*\]|[0-9.]+|[A-Za-z_:][A-Za-z0-9_:]*|=~|!~|!=|>=|<=|==|[-+*/(){},=<>]/y;

/** Reads an expression. @throws Error for unknown syntax */
export function readExpression(text: string): Expression {
  const tokens = tokenize(text);
  assertBalanced(tokens);
  const selectors: (Selector & { at: number })[] = [];
  const groups: { labels: string[]; from: number; to: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token === "by") {
      const end = closing(tokens, at + 1);
      const labels = words(tokens.slice(at + 2, end));
      groups.push({ labels, from: end + 1, to: closing(tokens, end + 1) });
      at = end;
    } else if (isWord(token) && !WORDS.includes(token)) {
      const end = tokens[at + 1] === "{" ? closing(tokens, at + 1) : at;
      selectors.push({
        metric: token,
        matchers: readMatchers(tokens, at + 2, end),
        grouped: [],
        at,
      });
      at = end;
    }
  }
  for (const selector of selectors) {
    const around = groups.filter(({ from, to }) => from < selector.at && selector.at < to);
    selector.grouped = around.flatMap(({ labels }) => labels);
  }
  const aggregated = tokens.some((token) => AGGREGATIONS.includes(token));
  return { selectors, ...aggregated && { labels: groups.flatMap(({ labels }) => labels) } };
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new Error(`unknown syntax: ${text.slice(at)}`);
    if (token.trim() !== "") tokens.push(token);
  }
  return tokens;
}

function assertBalanced(tokens: readonly string[]): void {
  const count = (brackets: string) => tokens.filter((token) => brackets.includes(token)).length;
  if (count("({") !== count(")}")) throw new Error(`a bracket is missing: ${tokens.join(" ")}`);
}

/** Returns the position of the bracket that closes the one at `open`. */
function closing(tokens: readonly string[], open: number): number {
  if (!"({".includes(tokens[open] ?? "none")) throw new Error(`no bracket: ${tokens.join(" ")}`);
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if ("({".includes(tokens[at]!)) depth++;
    if (")}".includes(tokens[at]!) && --depth === 0) return at;
  }
  throw new Error(`a bracket is missing: ${tokens.join(" ")}`);
}

function readMatchers(tokens: readonly string[], from: number, to: number): Matcher[] {
  const matchers: Matcher[] = [];
  for (let at = from; at < to; at += 4) {
    const [label, operator, value] = tokens.slice(at, at + 3) as [string, string, string];
    matchers.push({ label, operator, value: JSON.parse(value) });
  }
  return matchers;
}

function words(tokens: readonly string[]): string[] {
  return tokens.filter(isWord);
}

function isWord(token: string): boolean {
  return /^[A-Za-z_:]/.test(token);
}
