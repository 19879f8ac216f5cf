/** Recognizes words for companies of a trade: "construction companies", but not "construction". */
import { anyOf } from "../facets/patterns.ts";
import { fold } from "../words/stems.ts";
import type { Span } from "./query_text.ts";

/** Pattern of English nouns for companies, right after a trade. */
const NOUN_AFTER = new RegExp(
  "^[\\s'-]*" + anyOf(
    "compan(?:y|ies); firms?; business(?:es)?; start ?ups?; producers?; makers?; developers?",
    "organi[sz]ations?; institutions?; providers?; operators?; employers?; contractors?; dealers?",
    "agenc(?:y|ies); bod(?:y|ies); authorit(?:y|ies); sector; industry; players?",
  ),
  "u",
);

/** Pattern of French nouns for companies, and of "sector of", right before a trade. */
const NOUN_BEFORE = new RegExp(
  anyOf(
    "entreprises?; compagnies?; societes?; firmes?; organisations?; organismes?; etablissements?",
    "institutions?; secteurs?; domaines?; industrie; acteurs?; fournisseurs?; employeurs?; sector",
  ) +
    "(?: (?:publi(?:cs?|ques?)|prive(?:e|es|s)?|americaine?s?|canadienne?s?|canadiens|quebecoise?s?|actives?|specialisee?s?))*" +
    "(?:[\\s']+(?:d[eu]s?|d|la|le|les|l|en|dans|of|the|secteur|domaine))*[\\s']*$",
  "u",
);

/** Pattern of words for companies that also name their trade: "manufacturers". */
const AGENTS = new RegExp(
  anyOf(
    "manufacturers?; makers?; producers?; builders?; homebuilders?; contractors?; retailers?",
    "wholesalers?; carriers?; transporters?; miners?; farms; farmers?; agribusiness(?:es)?; utilities",
    "hospitals; colleges; schools; universities; hotels; restaurants; municipalit(?:y|ies)",
    "governments?; cit(?:y|ies) of; town of; holdings; (?:public|local) (?:bod(?:y|ies)|authorit(?:y|ies))",
    "fabricants?; constructeurs?; detaill?ants?; grossistes?; transporteurs?; agriculteurs?; fermes",
    "minieres; hopitaux; ecoles; hotels; municipalites?; villes; gouvernements?; etablissements?",
    "organismes publics; institutions financieres",
  ),
  "u",
);

/** Returns the end of a trade, including a noun for companies right after it. */
export function endWithNoun(query: string, end: number): number {
  return end + (NOUN_AFTER.exec(fold(query.slice(end)))?.[0].length ?? 0);
}

/** Returns whether a span for a trade means companies of that trade. */
export function namesCompanies(query: string, { start, end }: Span): boolean {
  const text = fold(query);
  return AGENTS.test(text.slice(start, end)) || NOUN_AFTER.test(text.slice(end)) ||
    NOUN_BEFORE.test(text.slice(0, start));
}
