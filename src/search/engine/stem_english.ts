/**
 * English words without their endings, by Porter's rules (An algorithm for suffix stripping, 1980)
 * as the stemmer of @orama/stemmers applies them, letter for letter, but without regular
 * expressions, of which it builds a dozen for every word.
 */

const SECOND = suffixes({
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  bli: "ble",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
  logi: "log",
});

const THIRD = suffixes({
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
});

const FOURTH = suffixes(Object.fromEntries(
  "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize".split(" ")
    .map((suffix) => [suffix, ""]),
));

/** What stands in the place of a suffix, by its last letter, longest suffix first. */
type Suffixes = ReadonlyMap<string, readonly (readonly [suffix: string, instead: string])[]>;

function suffixes(instead: Record<string, string>): Suffixes {
  const sorted = Object.entries(instead).sort(([a], [b]) => b.length - a.length);
  return Map.groupBy(sorted, ([suffix]) => suffix.at(-1)!);
}

/** The stem of a word in small letters. */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  if (word[0] !== "y") return stemMarked(word);
  // A first y is a consonant.
  const stem = stemMarked(`Y${word.slice(1)}`);
  return `y${stem.slice(1)}`;
}

function stemMarked(word: string): string {
  let stem = withoutPast(withoutPlural(word));
  if (stem.length > 1 && stem.endsWith("y") && hasVowel(stem, stem.length - 1)) {
    stem = `${stem.slice(0, -1)}i`;
  }
  stem = replaceSuffix(stem, SECOND, 1) ?? stem;
  stem = replaceSuffix(stem, THIRD, 1) ?? stem;
  return withoutLastLetter(withoutFourth(stem));
}

function withoutPlural(word: string): string {
  const { length } = word;
  if (!word.endsWith("s")) return word;
  if (length > 4 && word.endsWith("sses") || length > 3 && word.endsWith("ies")) {
    return word.slice(0, -2);
  }
  return length > 2 && word[length - 2] !== "s" ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.length > 3 && word.endsWith("eed")) {
    return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
  }
  const ending = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const rest = word.length - ending;
  if (ending === 0 || rest === 0 || !hasVowel(word, rest)) return word;
  const stem = word.slice(0, rest);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  const last = stem[rest - 1]!;
  if (last === stem[rest - 2] && !"aeiouylsz".includes(last)) return stem.slice(0, -1);
  return isShort(stem) ? `${stem}e` : stem;
}

function withoutFourth(word: string): string {
  const replaced = replaceSuffix(word, FOURTH, 2);
  if (replaced !== undefined) return replaced;
  const rest = word.length - 4;
  const isIon = rest > 0 && word.endsWith("ion") && "st".includes(word[rest]!);
  return isIon && measure(word, rest) > 1 ? word.slice(0, rest) : word;
}

function withoutLastLetter(word: string): string {
  let stem = word;
  if (word.length > 1 && word.endsWith("e")) {
    const rest = word.slice(0, -1);
    const size = measure(rest, rest.length);
    if (size > 1 || size === 1 && !isShort(rest)) stem = rest;
  }
  return stem.endsWith("ll") && measure(stem, stem.length) > 1 ? stem.slice(0, -1) : stem;
}

/** @returns nothing where no suffix fits; the word where one does and its stem is too small */
function replaceSuffix(word: string, suffixes: Suffixes, least: number): string | undefined {
  for (const [suffix, instead] of suffixes.get(word[word.length - 1]!) ?? []) {
    const rest = word.length - suffix.length;
    if (rest < 1 || !word.endsWith(suffix)) continue;
    return measure(word, rest) >= least ? word.slice(0, rest) + instead : word;
  }
}

/** How many times a consonant follows a vowel, up to an end. */
function measure(word: string, end: number): number {
  let count = 0;
  let vowel = false;
  for (let at = 0; at < end; at++) {
    const next = isVowel(word.charCodeAt(at), vowel);
    if (vowel && !next) count++;
    vowel = next;
  }
  return count;
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word.charCodeAt(at), false)) return true;
  return false;
}

/** A consonant or more, a vowel, and a consonant that is none of w, x, y. */
function isShort(word: string): boolean {
  const end = word.length - 1;
  const last = word[end]!;
  if (end < 2 || "aeiouwxy".includes(last)) return false;
  for (let at = 0; at < end - 1; at++) if (isVowel(word.charCodeAt(at), false)) return false;
  return isVowel(word.charCodeAt(end - 1), false);
}

/** A y is a vowel where none precedes it. */
function isVowel(letter: number, afterVowel: boolean): boolean {
  switch (letter) {
    case 97:
    case 101:
    case 105:
    case 111:
    case 117:
      return true;
    case 121:
      return !afterVowel;
    default:
      return false;
  }
}
