/** Parses JSON texts, and checks the members of their objects. */

/** Max nesting depth, and max number of members of an object. */
type Limits = Record<"depth" | "members", number>;

/** Returns the value of a text in JSON; undefined if the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks limits and names of a JSON text. An object must not have two members of the same
 * name, because some parsers read the first one and others the last one.
 * @throws SyntaxError with a sentence for the caller, if the text is valid JSON otherwise
 */
export function checkMembers(text: string, { depth, members }: Limits): void {
  /** Names of each open object so far; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isNamed = true;
  // A loop over the characters is the fastest way.
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      if (open.push(character === "{" ? new Set() : null) > depth) {
        throw new SyntaxError(`nested more than ${depth} levels deep`);
      }
      isNamed = false;
    } else if (character === "}" || character === "]") {
      open.pop();
      isNamed = true;
    } else if (character === ",") {
      isNamed = false;
    } else if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      // The first string after a brace or a comma is a name, and the next one is its value.
      if (names && !isNamed) addName(names, text.slice(at, end));
      if (names && names.size > members) {
        throw new SyntaxError(`an object has more than ${members} members`);
      }
      isNamed = true;
      at = end - 1;
    }
  }
}

/** Returns the position after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at++;
  }
  return text.length;
}

function addName(names: Set<string>, quoted: string): void {
  const name: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
  if (names.has(name)) throw new SyntaxError(`${name.slice(0, 100)} is given more than once`);
  names.add(name);
}
