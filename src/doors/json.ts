/** JSON that means the same to everybody. */

/** A request nests three deep; beyond this nobody means it. */
export const MAX_DEPTH = 32;

/** Keeps nothing between two texts. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON text in UTF-8 that nests no deeper than `MAX_DEPTH` and names each member of an object once.
 * Parsers differ in whether they take the first or the last of two members with one name.
 * @throws SyntaxError with a sentence for the caller
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = UTF8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError("not valid JSON in UTF-8");
  }
  checkNames(text);
  return value;
}

/** Reads a valid JSON text by its structure: a loop over its characters is the fastest way. */
function checkNames(text: string): void {
  /** The names of each open object so far; null for a list. */
  const open: (Set<string> | null)[] = [];
  let named = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      if (open.push(character === "{" ? new Set() : null) > MAX_DEPTH) {
        throw new SyntaxError(`nested more than ${MAX_DEPTH} levels deep`);
      }
      named = false;
    } else if (character === "}" || character === "]") {
      open.pop();
      named = true;
    } else if (character === ",") {
      named = false;
    } else if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      // The first string after a brace or a comma is a name, the next one is what it names.
      if (names && !named) addName(names, JSON.parse(text.slice(at, end)));
      named = true;
      at = end - 1;
    }
  }
}

/** Returns the place behind a string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1;; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at++;
  }
}

function addName(names: Set<string>, name: string): void {
  if (names.has(name)) throw new SyntaxError(`${name.slice(0, 100)} is given more than once`);
  names.add(name);
}
