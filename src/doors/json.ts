/** JSON that means the same to everybody. */

/** A request nests three deep; beyond this nobody means it. */
export const MAX_DEPTH = 32;

/** Strings and what gives a JSON text its structure. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/**
 * Parses a JSON text in UTF-8 that nests no deeper than `MAX_DEPTH` and names each member of an object once.
 * Of members that share a name parsers take the first or the last: nobody knows what was meant.
 * @throws SyntaxError with a sentence for the caller
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError("not valid JSON in UTF-8");
  }
  /** The names of each open object so far; null for a list. */
  const open: (Set<string> | null)[] = [];
  let named = true;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") {
      if (open.push(token === "{" ? new Set() : null) > MAX_DEPTH) {
        throw new SyntaxError(`nested more than ${MAX_DEPTH} levels deep`);
      }
      named = false;
    } else if (token === "}" || token === "]") {
      open.pop();
      named = true;
    } else if (token === ",") {
      named = false;
    } else {
      const names = open.at(-1);
      // The first string after a brace or a comma is a name, the next one is what it names.
      if (names && !named) addName(names, JSON.parse(token));
      named = true;
    }
  }
  return value;
}

function addName(names: Set<string>, name: string): void {
  if (names.has(name)) throw new SyntaxError(`${name.slice(0, 100)} is given more than once`);
  names.add(name);
}
