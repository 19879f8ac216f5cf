/** Patterns for words that are also written without their accents. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: "[aàáâãäå]",
  c: "[cç]",
  e: "[eèéêë]",
  i: "[iìíîï]",
  n: "[nñ]",
  o: "[oòóôõöø]",
  u: "[uùúûü]",
  y: "[yýÿ]",
};

/** Returns a pattern for a name with or without accents. Addresses are written without them. */
export function accented(word: string): string {
  const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return [...plain].map((letter) => ACCENTED[letter] ?? letterOf(letter)).join("");
}

function letterOf(letter: string): string {
  return /['’]/.test(letter) ? "['’]" : /\s/.test(letter) ? "\\s" : RegExp.escape(letter);
}
