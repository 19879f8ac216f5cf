/**
 * Encodes terms as tokens of a search engine. Each term of the index in memory becomes one token of
 * a-z, 0-9 and `_`. The engine therefore has the same terms, and no text of a user reaches its
 * query language.
 */
import { sha256 } from "../../sha256.ts";
import { FACET_SPACE, HOSTNAME_SPACE, type Key, textOfBytes } from "../engine/dictionary.ts";
import { memoized } from "../engine/memoized.ts";

/**
 * First letter of a token, by the space of its term (see dictionary.ts): English, French, hostname,
 * facet.
 */
const SPACE_LETTERS = ["e", "f", "h", "x"] as const;

if (SPACE_LETTERS[HOSTNAME_SPACE] !== "h" || SPACE_LETTERS[FACET_SPACE] !== "x") {
  throw new Error("the spaces of terms have changed");
}

/** Max number of characters of a token. Engines cut longer tokens. */
const TOKEN_LENGTH_MAX = 40;

/** Token that only markers contain (see table_position.ts). */
export const MARKER_TOKEN = "m";

/**
 * Returns the token of a term: the letter of its space, then its text. A character other than a-z
 * and 0-9 becomes `_` and four hexadecimal digits. If the token is too long, `__` and a hash of 128
 * bits replace the text.
 */
export function tokenOf(space: number, text: string): string {
  const letter = SPACE_LETTERS[space]!;
  const token = letter + (PLAIN.test(text) ? text : text.replace(OTHER, encodeUnit));
  if (token.length <= TOKEN_LENGTH_MAX) return token;
  return `${letter}__${sha256(text).toHex().slice(0, 32)}`;
}

const PLAIN = /^[a-z0-9]*$/;
const OTHER = /[^a-z0-9]/g;

function encodeUnit(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns the token of a key. */
export function tokenOfKey({ bytes }: Key): string {
  return tokenOf(bytes[0]!, textOfBytes(bytes, 1, bytes.length));
}

/** Returns the token of a facet term. */
export const tokenOfFacet: (facet: string) => string = memoized((facet) =>
  tokenOf(FACET_SPACE, facet)
);

/** Returns the token of a hostname. */
export function tokenOfHostname(hostname: string): string {
  return tokenOf(HOSTNAME_SPACE, hostname);
}
