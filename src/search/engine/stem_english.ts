/**
 * Stems English words by Porter's rules (An algorithm for suffix stripping, 1980), exactly as the
 * stemmer of @orama/stemmers applies them. That stemmer creates a dozen regular expressions and
 * strings per word. This one works in place and creates none.
 */

const E = 101;
const I = 105;
const S = 115;
const T = 116;
const Y = 121;
const BIG_Y = 89;
const VOWELS = lettersOf("aeiou");
/** Letters that stay doubled at the end of a word. */
const STAY_DOUBLE = lettersOf("aeiouylsz");
/** Letters that do not end a short word: see isShort. */
const NO_LAST_CONSONANTS = lettersOf("aeiouwxy");

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

/** Replacements of suffixes, by the last letter of the suffix, longest suffix first. */
type Suffixes = readonly (readonly (readonly [suffix: string, instead: string])[])[];

function suffixes(instead: Record<string, string>): Suffixes {
  const sorted = Object.entries(instead).sort(([a], [b]) => b.length - a.length);
  return Array.from(
    { length: 26 },
    (_, letter) => sorted.filter(([suffix]) => suffix.endsWith(String.fromCharCode(97 + letter))),
  );
}

/** Returns a bit mask of letters, with a as the lowest bit. */
function lettersOf(letters: string): number {
  return [...letters].reduce((bits, letter) => bits | 1 << (letter.charCodeAt(0) - 97), 0);
}

/** Stems a word in small letters in place. @returns the end of the stem */
export function stemUnits(word: Uint16Array, size: number): number {
  if (size < 3) return size;
  if (word[0] !== Y) return stemMarked(word, size);
  // A y at the beginning is a consonant. A capital Y is a consonant for the rules.
  word[0] = BIG_Y;
  const end = stemMarked(word, size);
  word[0] = Y;
  return end;
}

function stemMarked(word: Uint16Array, size: number): number {
  let end = withoutPast(word, withoutPlural(word, size));
  if (end > 1 && word[end - 1] === Y && hasVowel(word, end - 1)) word[end - 1] = I;
  end = replaceSuffix(word, end, { suffixes: SECOND, minMeasure: 1 }) ?? end;
  end = replaceSuffix(word, end, { suffixes: THIRD, minMeasure: 1 }) ?? end;
  return withoutLastLetter(word, withoutFourth(word, end));
}

function withoutPlural(word: Uint16Array, size: number): number {
  if (word[size - 1] !== S) return size;
  if (size > 4 && endsIn(word, size, "sses") || size > 3 && endsIn(word, size, "ies")) {
    return size - 2;
  }
  return size > 2 && word[size - 2] !== S ? size - 1 : size;
}

function withoutPast(word: Uint16Array, size: number): number {
  if (size > 3 && endsIn(word, size, "eed")) {
    return measure(word, size - 3) > 0 ? size - 1 : size;
  }
  const ending = endsIn(word, size, "ed") ? 2 : endsIn(word, size, "ing") ? 3 : 0;
  const rest = size - ending;
  if (ending === 0 || rest === 0 || !hasVowel(word, rest)) return size;
  if (!endsIn(word, rest, "at") && !endsIn(word, rest, "bl") && !endsIn(word, rest, "iz")) {
    const last = word[rest - 1]!;
    if (last === word[rest - 2] && !isOf(STAY_DOUBLE, last)) return rest - 1;
    if (!isShort(word, rest)) return rest;
  }
  word[rest] = E;
  return rest + 1;
}

function withoutFourth(word: Uint16Array, size: number): number {
  const replaced = replaceSuffix(word, size, { suffixes: FOURTH, minMeasure: 2 });
  if (replaced !== undefined) return replaced;
  const rest = size - 4;
  const isIon = rest > 0 && endsIn(word, size, "ion") && (word[rest] === S || word[rest] === T);
  return isIon && measure(word, rest) > 1 ? rest : size;
}

function withoutLastLetter(word: Uint16Array, size: number): number {
  let end = size;
  if (size > 1 && word[size - 1] === E) {
    const count = measure(word, size - 1);
    if (count > 1 || count === 1 && !isShort(word, size - 1)) end = size - 1;
  }
  return endsIn(word, end, "ll") && measure(word, end) > 1 ? end - 1 : end;
}

/**
 * Replaces the longest suffix that fits.
 *
 * @returns the new end; `size` if the measure of the rest is too low; undefined if no suffix fits
 */
function replaceSuffix(
  word: Uint16Array,
  size: number,
  { suffixes, minMeasure }: { suffixes: Suffixes; minMeasure: number },
): number | undefined {
  for (const [suffix, instead] of suffixes[word[size - 1]! - 97] ?? []) {
    const rest = size - suffix.length;
    if (rest < 1 || !endsIn(word, size, suffix)) continue;
    if (measure(word, rest) < minMeasure) return size;
    for (let at = 0; at < instead.length; at++) word[rest + at] = instead.charCodeAt(at);
    return rest + instead.length;
  }
}

function endsIn(word: Uint16Array, size: number, suffix: string): boolean {
  const rest = size - suffix.length;
  for (let at = suffix.length - 1; at >= 0; at--) {
    if (word[rest + at] !== suffix.charCodeAt(at)) return false;
  }
  return true;
}

/** Returns Porter's measure: the number of times that a consonant follows a vowel, up to an end. */
function measure(word: Uint16Array, end: number): number {
  let count = 0;
  let vowel = false;
  for (let at = 0; at < end; at++) {
    const next = isVowel(word[at]!, vowel);
    if (vowel && !next) count++;
    vowel = next;
  }
  return count;
}

function hasVowel(word: Uint16Array, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word[at]!, false)) return true;
  return false;
}

/**
 * Returns whether a word is one or more consonants, a vowel, and a consonant that is not w, x or y.
 */
function isShort(word: Uint16Array, size: number): boolean {
  const end = size - 1;
  if (end < 2 || isOf(NO_LAST_CONSONANTS, word[end]!)) return false;
  for (let at = 0; at < end - 1; at++) if (isVowel(word[at]!, false)) return false;
  return isVowel(word[end - 1]!, false);
}

/** Returns whether a letter is a vowel. A y is a vowel if no vowel precedes it. */
function isVowel(letter: number, afterVowel: boolean): boolean {
  return letter === Y ? !afterVowel : isOf(VOWELS, letter);
}

function isOf(letters: number, letter: number): boolean {
  return letter >= 97 && letter <= 122 && ((letters >>> (letter - 97)) & 1) === 1;
}
