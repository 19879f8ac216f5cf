/** Patterns of a letter with or without accents, by the plain letter. */
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

/**
 * Returns a pattern for a name with or without accents. E-mail addresses contain names without
 * their accents.
 */
export function accented(word: string): string {
  const plain = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return [...plain].map((letter) => ACCENTED[letter] ?? letterOf(letter)).join("");
}

function letterOf(letter: string): string {
  return /['’]/.test(letter) ? "['’]" : /\s/.test(letter) ? "\\s" : RegExp.escape(letter);
}
