/**
 * Which patterns can match a text at all, by the first two characters of its words. A query has a few
 * words, while the patterns of a thousand phrases are tried on it: most of them need words that it
 * does not have.
 */
import { type PatternNode, readPattern } from "./pattern_nodes.ts";

/** What a pattern of whole words begins with: see anyOf in passages.ts. */
const EDGE = "(?<![\\p{L}\\p{N}])";

/** Classes of characters: letters of any case, digits, and one class of all others. */
const OTHER = 36;
const CLASSES = 37;

const LETTERS = 26;

/** Class of each code unit below 128. */
const CLASS_OF_UNIT = Uint8Array.from({ length: 128 }, (_, unit) => {
  const small = unit | 32;
  if (unit >= 65 && small >= 97 && small <= 122) return small - 97;
  return unit >= 48 && unit <= 57 ? LETTERS + unit - 48 : OTHER;
});

function classOf(unit: number): number {
  return unit < 128 ? CLASS_OF_UNIT[unit]! : OTHER;
}

/** A flag for each pair of classes with which a word of a text begins. */
export type WordStarts = Uint8Array;

/**
 * Returns how the words of a text begin. A place behind a sign, or behind a letter beyond ASCII,
 * counts as a beginning, since its class does not tell.
 */
export function wordStartsOf(text: string): WordStarts {
  const starts = new Uint8Array(CLASSES * CLASSES);
  let before = OTHER;
  for (let at = 0; at < text.length; at++) {
    const first = classOf(text.charCodeAt(at));
    if (before === OTHER) {
      const second = at + 1 < text.length ? classOf(text.charCodeAt(at + 1)) : OTHER;
      starts[pairOf(first, second)] = 1;
    }
    before = first;
  }
  return starts;
}

/** What stands behind a sign is not looked at: it may be the other half of one character. */
function pairOf(first: number, second: number): number {
  return first === OTHER ? OTHER * CLASSES : first * CLASSES + second;
}

/** Pairs of which a text needs one. */
type NeededPairs = ReadonlySet<number>;

/** What a text needs to match one of the phrases of a pattern: one pair of every set. */
type PhraseNeeds = readonly NeededPairs[];

/**
 * What the phrases of each pattern need, as one list: for each phrase the position of the next one,
 * and for each of its sets the number of pairs and the pairs. Null: the pattern may match any text.
 */
const needsOfPatterns = new WeakMap<RegExp, Uint16Array | null>();

/** Returns whether a pattern may match a text whose words begin so. False is certain. */
export function mayMatch(pattern: RegExp, starts: WordStarts): boolean {
  let needs = needsOfPatterns.get(pattern);
  if (needs === undefined) {
    const phrases = needsOf(pattern);
    needsOfPatterns.set(pattern, needs = phrases === null ? null : listed(phrases));
  }
  if (needs === null) return true;
  for (let at = 0; at < needs.length; at = needs[at]!) {
    if (hasAll(needs, at, starts)) return true;
  }
  return false;
}

/** Returns whether a text has one pair of each set of the phrase at a position. */
function hasAll(needs: Uint16Array, phrase: number, starts: WordStarts): boolean {
  const next = needs[phrase]!;
  for (let at = phrase + 1; at < next;) {
    const end = at + 1 + needs[at]!;
    let isMet = false;
    for (at++; at < end && !isMet; at++) isMet = starts[needs[at]!] === 1;
    if (!isMet) return false;
    at = end;
  }
  return true;
}

function listed(phrases: readonly PhraseNeeds[]): Uint16Array | null {
  const list: number[] = [];
  const different = new Map(
    phrases.map((needs) => [needs.map((set) => [...set]).join(";"), needs]),
  );
  for (const needs of different.values()) {
    const at = list.push(0) - 1;
    for (const pairs of needs) list.push(pairs.size, ...pairs);
    list[at] = list.length;
  }
  return list.length < 2 ** 16 ? Uint16Array.from(list) : null;
}

/** Returns what each phrase of a pattern needs; null if the pattern may match any text. */
function needsOf({ source, flags }: RegExp): PhraseNeeds[] | null {
  // Without regard to case, letters beyond ASCII may match those of ASCII.
  if (!source.startsWith(EDGE) || flags.includes("i")) return null;
  const pattern = readPattern(source.slice(EDGE.length));
  if (pattern === null) return null;
  // Phrases stand in the one group that a pattern of whole words begins with.
  const [group, ...behind] = partsOf(pattern);
  if (group?.kind !== "either") return [needsOfParts(partsOf(pattern))];
  return group.options.map((option) => needsOfParts([...partsOf(option), ...behind]));
}

function partsOf(node: PatternNode): readonly PatternNode[] {
  return node.kind === "sequence" ? node.parts.flatMap(partsOf) : [node];
}

/** Returns the first pairs of all parts of a phrase that begin a word and cannot be left out. */
function needsOfParts(parts: readonly PatternNode[]): PhraseNeeds {
  const needs: NeededPairs[] = [];
  let beginsWord = true;
  parts.forEach((part, at) => {
    if (beginsWord && !prefixesOf(part).empty) {
      needs.push(pairsOf(prefixesOf({ kind: "sequence", parts: parts.slice(at) })));
    }
    beginsWord = endsBeforeWord(part, beginsWord);
  });
  return needs;
}

/** Returns whether what follows a match always begins a word. @param begins whether the match does */
function endsBeforeWord(node: PatternNode, begins: boolean): boolean {
  switch (node.kind) {
    case "nothing":
      return begins;
    case "character":
      return [...classesOf(node)].every((one) => one === OTHER);
    case "sequence":
      return node.parts.reduce((before, part) => endsBeforeWord(part, before), begins);
    case "either":
      return node.options.every((option) => endsBeforeWord(option, begins));
    case "repeated": {
      const once = endsBeforeWord(node.node, begins);
      return once && endsBeforeWord(node.node, once) && (node.min > 0 || begins);
    }
  }
}

/** What the matches of a pattern can begin with. */
interface Prefixes {
  /** Whether it can match nothing. */
  empty: boolean;
  /** Classes of matches of one character. */
  ones: ReadonlySet<number>;
  /** Pairs of classes that longer matches can begin with. */
  pairs: ReadonlySet<number>;
}

const NOTHING: Prefixes = { empty: true, ones: new Set(), pairs: new Set() };

function prefixesOf(node: PatternNode): Prefixes {
  switch (node.kind) {
    case "nothing":
      return NOTHING;
    case "character":
      return { empty: false, ones: classesOf(node), pairs: new Set() };
    case "sequence":
      return node.parts.map(prefixesOf).reduce(joined, NOTHING);
    case "either":
      return node.options.map(prefixesOf).reduce(either);
    case "repeated": {
      const once = prefixesOf(node.node);
      const { ones, pairs } = either(once, joined(once, once));
      return { empty: once.empty || node.min === 0, ones, pairs };
    }
  }
}

const ALL_CLASSES: ReadonlySet<number> = new Set(Array(CLASSES).keys());

function classesOf({ units }: { units: readonly number[] | null }): ReadonlySet<number> {
  return units === null ? ALL_CLASSES : new Set(units.map(classOf));
}

/** Returns the prefixes of one pattern behind another. */
function joined(one: Prefixes, next: Prefixes): Prefixes {
  const pairs = new Set(one.empty ? one.pairs.union(next.pairs) : one.pairs);
  const seconds = new Set(next.ones);
  for (const pair of next.pairs) seconds.add(Math.floor(pair / CLASSES));
  for (const first of one.ones) for (const second of seconds) pairs.add(pairOf(first, second));
  const ones = new Set(one.empty ? next.ones : []);
  if (next.empty) { for (const only of one.ones) ones.add(only); }
  return { empty: one.empty && next.empty, ones, pairs };
}

/** Returns the prefixes of either of two patterns. */
function either(one: Prefixes, next: Prefixes): Prefixes {
  return {
    empty: one.empty || next.empty,
    ones: one.ones.union(next.ones),
    pairs: one.pairs.union(next.pairs),
  };
}

/** Returns all pairs that a text can have where a pattern matches: anything may follow its matches. */
function pairsOf({ ones, pairs }: Prefixes): NeededPairs {
  const all = new Set(pairs);
  for (const first of ones) for (const second of ALL_CLASSES) all.add(pairOf(first, second));
  return all;
}
