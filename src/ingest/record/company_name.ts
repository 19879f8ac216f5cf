/**
 * The form in which two spellings of a company's legal name agree. Only names of one source and
 * country are ever compared, and never those that the source tells apart by identifiers of its own.
 */
import { RECORD_LIMITS } from "../../contract/record.ts";

/**
 * Legal forms of Canada and the United States, and of foreign companies that file there, as they
 * stand at the end of a name: folded, dots gone. What one form is called in full, short, in English
 * and in French is one; under "" stands what says nothing of the form.
 */
const FORMS: Readonly<Record<string, string>> = {
  "": "company|compagnie|co|cie|enr",
  llc: "limited liability company|llc",
  llp: "limited liability partnership|llp|sencrl",
  lp: "limited partnership|societe en commandite|lp|sec",
  senc: "societe en nom collectif|senc",
  inc: "incorporated|incorporee|inc",
  ltd: "limited|limitee|ltd|ltee",
  corp: "corporation|corp",
  ...Object.fromEntries(
    "lllp pllc ulc plc pc sa sas sarl srl gmbh ag kg nv bv pty".split(" ").map((
      form,
    ) => [form, form]),
  ),
};
/** Words and phrases that are legal forms at the end of a name: folded, dots gone. */
export const LEGAL_FORMS: readonly string[] = Object.values(FORMS).flatMap((phrases) =>
  phrases.split("|")
);
const FORM = `(?:${Object.values(FORMS).join("|")})`;

/** The form that a word or phrase of FORMS means. */
const FORM_OF = new Map(
  Object.entries(FORMS).flatMap(([form, phrases]) =>
    phrases.split("|").map((phrase): [string, string] => [phrase, form])
  ),
);
const EACH_FORM = new RegExp(`(?<= )${FORM}(?= |$)`, "g");

const FORMS_ALONE = new RegExp(`^(?:${FORM}|&)(?: (?:${FORM}|&))*$`);
const FORMS_AT_END = new RegExp(`(?: (?:${FORM}|&))+$`);

/** "/DE/", "/NEW/", " /MD": what EDGAR adds to a conformed name to tell it from another. */
const EDGAR_SUFFIX = /(?<=\S)(?:\s*[/\\]\s?[a-z]{2,4}\s?[/\\]|\s[/\\][a-z]{2,4})\s*$/;

/** Forms of which each letter stands alone, also behind a letter of the name: "Plan B L.L.C.". */
const SPELLED_FORM = / (s e n c r l|s e n c|l l l p|p l l c|l l c|l l p|u l c|p l c)$/;

/**
 * Folds case, accents, punctuation, compatibility forms, "and" and "et" ("&"), a leading "The" or
 * "Les", and the legal forms at the end: "Les Aliments Québec Ltée" and "ALIMENTS QUEBEC INC." have
 * one name. "La" and "Le" stay, because they often belong to the name of a place or family. A name
 * of nothing but legal forms keeps them. The result is empty only if the name is, and normalizing
 * it again does not change it.
 *
 * Stored names have this form. A change here needs a migration that renormalizes them, or companies
 * that are known by name alone are not met again.
 */
export function normalizeName(name: string): string {
  const bounded = boundedWords(name);
  const named = spelledAlike(bounded);
  const kept = FORMS_ALONE.test(named) ? named : named.replace(FORMS_AT_END, "");
  return kept.replaceAll(" & ", "&") || bounded;
}

/**
 * The legal form at the end of a name, the last one where there are several: "Acme Co., Limited" and
 * "Acme Ltée" give "ltd". Empty where there is none, or one that says nothing ("Company").
 */
export function legalFormOf(name: string): string {
  const named = spelledAlike(boundedWords(name));
  const [end = ""] = FORMS_ALONE.test(named) ? [] : named.match(FORMS_AT_END) ?? [];
  const forms = end.match(EACH_FORM)?.map((phrase) => FORM_OF.get(phrase)!) ?? [];
  return forms.findLast((form) => form !== "") ?? "";
}

/** Compatibility forms can be many times as long, and an index entry has its limits. */
function boundedWords(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase();
  const words = folded.replace(EDGAR_SUFFIX, "").replace(/[^\p{L}\p{M}\p{N}&+]+/gu, " ").trim();
  return (words === "" ? folded : words).slice(0, RECORD_LIMITS.name_characters);
}

function spelledAlike(words: string): string {
  return joinLetters(withoutAccents(words))
    .replace(/ (?:and|et)(?= )/g, " &")
    .replace(/^(?:(?:the|les) )+/, "");
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
}

/** "a & w", "l l c" and "mcdonald s" become "a & w", "llc" and "mcdonalds". */
function joinLetters(text: string): string {
  return text
    .replaceAll("&", " & ").replace(/ +/g, " ").trim()
    .replace(SPELLED_FORM, " | $1")
    .replace(/(?<=^| )([a-z]) (?=[a-z](?: |$))/g, "$1")
    .replace(" | ", " ")
    .replace(/(?<=[a-z]) s(?= |$)/g, "s");
}
