/** Keys of company names: folded, without legal form, accents, signs and spaces. */
import { LEGAL_FORMS } from "../../ingest/record/company_name.ts";
import { fold } from "../words/stems.ts";

/** Pattern of signs between the words of a name, of which dots and hyphens are parts. */
const BETWEEN = /[\s,;:!?()[\]{}"“”«»/\\|]+/u;
const SIGNS = /[^\p{L}\p{N}]+/gu;

/** Pattern of a suffix by which EDGAR distinguishes companies of the same name: "/DE/", "\NEW". */
const SUFFIX = /\s*[/\\]\s?[A-Za-z]{2,4}\s?[/\\]?\s*$/;

const FORMS: ReadonlySet<string> = new Set(LEGAL_FORMS);
const FORM_WORDS_MAX = 3;
/** Last words of the legal forms. */
const LAST_WORDS: ReadonlySet<string> = new Set(LEGAL_FORMS.map((form) => form.split(" ").at(-1)!));
const LEADING: ReadonlySet<string> = new Set(["the", "les"]);
const CONNECTING: ReadonlySet<string> = new Set(["and", "et", ""]);

/** Returns the letters and digits of a word, folded: "A.B.C." is "abc", "&" is empty. */
export function nameWord(word: string): string {
  const folded = fold(word);
  return /^[a-z0-9]*$/.test(folded) ? folded : folded.replace(SIGNS, "");
}

/** Returns the key of a name from its words; empty if all of them are connecting words. */
export function nameKeyOfWords(words: readonly string[]): string {
  const named = words.filter((word) => !CONNECTING.has(word));
  let from = 0;
  while (from < named.length - 1 && LEADING.has(named[from]!)) from++;
  let to = named.length;
  for (let size = formSize(named, to); size > 0; size = formSize(named, to)) {
    if (to - size <= from) break;
    to -= size;
  }
  return named.slice(from, to).join("");
}

/** Returns the number of words of the legal form that ends before `to`; 0 if there is none. */
function formSize(words: readonly string[], to: number): number {
  if (!LAST_WORDS.has(words[to - 1]!)) return 0;
  for (let size = Math.min(FORM_WORDS_MAX, to); size > 0; size--) {
    if (FORMS.has(size === 1 ? words[to - 1]! : words.slice(to - size, to).join(" "))) return size;
  }
  return 0;
}

/** Returns the key of a company's name. */
export function nameKey(name: string): string {
  const plain = name.includes("/") || name.includes("\\") ? name.replace(SUFFIX, "") : name;
  return nameKeyOfWords(plain.split(BETWEEN).map(nameWord));
}
