/**
 * Normalizes legal names of companies, so that two spellings of one name become equal. A record is
 * assigned to a company of its source by name and country only if no identifier or hostname leads
 * to a company (docs/companies.md). Companies of several sources are joined by name only if further
 * conditions hold, such as equal regions (company_joining.ts).
 */
import { RECORD_LIMITS } from "../../contract/record.ts";
import { memoized } from "../../memoized.ts";
import { wordLists } from "../text/word_lists.ts";
import phrases from "./placeholder_names.txt" with { type: "text" };
import sharedHosts from "./shared_hosts.txt" with { type: "text" };

/**
 * Legal forms at the end of a name, folded and without dots. They are those of Canada and the
 * United States, and of foreign companies that file there. Each value lists the spellings of one
 * form: in full and abbreviated, in English and French. The key "" lists words that do not show
 * which form it is.
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
/** Words and phrases that are legal forms at the end of a name, folded and without dots. */
export const LEGAL_FORMS: readonly string[] = Object.values(FORMS).flatMap((phrases) =>
  phrases.split("|")
);
const FORM = `(?:${Object.values(FORMS).join("|")})`;

/** Legal forms by their spellings. */
const FORM_OF = new Map(
  Object.entries(FORMS).flatMap(([form, phrases]) =>
    phrases.split("|").map((phrase): [string, string] => [phrase, form])
  ),
);
const ONE_FORM = new RegExp(`(?<= )${FORM}(?= |$)`, "g");

const FORMS_ALONE = new RegExp(`^(?:${FORM}|&)(?: (?:${FORM}|&))*$`);
const FORMS_AT_END = new RegExp(`(?: (?:${FORM}|&))+$`);

/** Matches a suffix with which EDGAR distinguishes equal names: "/DE/", "/NEW/", " /MD". */
const EDGAR_SUFFIX = /(?<=\S)(?:\s*[/\\]\s?[a-z]{2,4}\s?[/\\]|\s[/\\][a-z]{2,4})\s*$/;

/**
 * Matches legal forms that are spelled letter by letter, also after a single letter of the name:
 * "Plan B L.L.C.".
 */
const SPELLED_FORM = / (s e n c r l|s e n c|l l l p|p l l c|l l c|l l p|u l c|p l c)$/;

/**
 * Folds case, accents, punctuation and compatibility forms. "and" and "et" become "&". A leading
 * "The" or "Les" and the legal forms at the end are dropped: "Les Aliments Québec Ltée" and
 * "ALIMENTS QUEBEC INC." have one name. "La" and "Le" stay, because they often belong to the name
 * of a place or family. A name that consists of legal forms keeps them. Only an empty name gives an
 * empty result. Normalizing a normalized name does not change it.
 *
 * Stored names have this form. After a change, a process has to normalize those of company_names,
 * company_join_names and company_merges anew. Without it, companies that are identified by name alone
 * would be recorded twice. Changed legal forms also need a new ANALYSIS of the search.
 */
export const normalizeName = memoized((name) => {
  const bounded = boundedWords(name);
  const named = unifiedSpelling(bounded);
  const kept = FORMS_ALONE.test(named) ? named : named.replace(FORMS_AT_END, "");
  return kept.replaceAll(" & ", "&") || bounded;
});

/**
 * Returns the last legal form at the end of a name: "Acme Co., Limited" and "Acme Ltée" give "ltd".
 * Returns an empty text if the name has no form, or only a word of the key "", such as "Company".
 */
export const legalFormOf = memoized((name) => {
  const named = unifiedSpelling(boundedWords(name));
  const [end = ""] = FORMS_ALONE.test(named) ? [] : named.match(FORMS_AT_END) ?? [];
  const forms = end.match(ONE_FORM)?.map((phrase) => FORM_OF.get(phrase)!) ?? [];
  return forms.findLast((form) => form !== "") ?? "";
});

/**
 * Folds a name and cuts it, because folding can lengthen a name beyond the max size of an index
 * entry.
 */
function boundedWords(name: string): string {
  const folded = name.normalize("NFKC").toLowerCase();
  const words = folded.replace(EDGAR_SUFFIX, "").replace(/[^\p{L}\p{M}\p{N}&+]+/gu, " ").trim();
  return (words === "" ? folded : words).slice(0, RECORD_LIMITS.name_characters);
}

function unifiedSpelling(words: string): string {
  return joinLetters(withoutAccents(words))
    .replace(/ (?:and|et)(?= )/g, " &")
    .replace(/^(?:(?:the|les) )+/, "");
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
}

/**
 * Joins single letters and a possessive "s": "l l c" becomes "llc", "mcdonald s" becomes
 * "mcdonalds".
 */
function joinLetters(text: string): string {
  return text
    .replaceAll("&", " & ").replace(/ +/g, " ").trim()
    .replace(SPELLED_FORM, " | $1")
    .replace(/(?<=^| )([a-z]) (?=[a-z](?: |$))/g, "$1")
    .replace(" | ", " ")
    .replace(/(?<=[a-z]) s(?= |$)/g, "s");
}

/**
 * Phrases that name no company, folded, in English and French. A name consists of one or more of
 * them. The list has no word that distinguishes a company by itself, and a legal form after a
 * phrase makes it a name: "TBD, LLC".
 */
const PHRASES = phrases.trimEnd().replaceAll("\n", "|");

const PLACEHOLDER = new RegExp(`^(?:(?:${PHRASES})(?: \\d+)*(?: (?=.)|$))+$`);

/**
 * Returns whether a name stands for a missing one: "N/A", "TBD", "Multiple Award", "null". Returns
 * true for a name without letters and digits, a name of zeros, and an error of a spreadsheet.
 */
export const isPlaceholderName = memoized((name) => {
  const folded = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/\.(?=\p{L}(?:\.|$))/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return /^[0 ]*$/.test(folded) || /^#[A-Z/0]+[!?]$/.test(name) || PLACEHOLDER.test(folded);
});

/** Hosts that many companies share: providers of mail and of profiles, and job boards. */
const SHARED_HOSTS: ReadonlySet<string> = new Set(Object.values(wordLists(sharedHosts)).flat());

/**
 * Returns whether a hostname belongs to a shared host, so that it would join unrelated companies. A
 * company that is called like the host keeps it: "LinkedIn Corporation" has linkedin.com.
 */
export function isOfSharedHost(hostname: string, companyName: string): boolean {
  const labels = hostname.split(".");
  const host = labels.map((_, n) => labels.slice(n).join(".")).find((one) => SHARED_HOSTS.has(one));
  if (host === undefined) return false;
  const [label] = host.split(".");
  const name = normalizeName(companyName);
  return label !== name.split(" ")[0] && label !== name.replace(/[^a-z0-9]/g, "");
}
