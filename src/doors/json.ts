/** Parses JSON strictly, so that every parser would read the same value. */

/** Max nesting depth. Valid requests have a depth of three. */
export const MAX_DEPTH = 32;

/** Decoder of UTF-8, which keeps no state between two texts. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON text in UTF-8 that nests no deeper than `MAX_DEPTH`. Refuses an object with two
 * members of one name, of which some parsers take the first and others the last.
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

/** Checks the names in a valid JSON text. A loop over its characters is the fastest way. */
function checkNames(text: string): void {
  /** Names so far of each open object; null for a list. */
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
      // The first string after a brace or a comma is a name, and the next one is its value.
      if (names && !named) addName(names, JSON.parse(text.slice(at, end)));
      named = true;
      at = end - 1;
    }
  }
}

/** Returns the position after the string that begins at `start`. */
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
