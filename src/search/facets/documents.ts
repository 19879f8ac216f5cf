/** Kinds of procurement documents in English and French, and in the columns of sources. */
import { patternsOf } from "./patterns.ts";

export const DOCUMENT_PATTERNS = patternsOf({
  rfp: ["n?rfps?; requests? for proposals?; demandes? de propositions?"],
  rfq: ["rfqs?; requests? for (?:quotes?|quotations?); demandes? de prix; demandes? de devis"],
  rfi: [
    "rfis?; requests? for information; (?:reois?|rfeois?|eois?); (?:requests? for )?expressions? of interest",
    "demandes? de renseignements?; demandes? d information; appels? a manifestation d interet",
  ],
  rfs: [
    "rfs; requests? for (?:supply|solutions?|standing) ?(?:arrangements?|offers?)?; rfsas?; rfsos?",
  ],
  rfsq: [
    "rfsqs?; rfpqs?; prequalifications?; requests? for (?:supplier |pre ?)?qualifications?; demandes? de qualification",
  ],
  rft: [
    "rfts?; itts?; itbs?; ifbs?; (?:requests?|calls?|invitations?) (?:for|to) (?:tenders?|bids?)",
  ],
  sources_sought: ["sources sought(?: notices?)?; recherches? de sources"],
  presolicitation: ["pre ?solicitations?; advance notices?; preavis"],
  award: [
    "(?:contract )?award notices?; contract awards?; awarded contracts?; contracts? awarded",
    "avis d (?:attribution|adjudication); contrats? (?:octroyes?|attribues?|adjuges?)",
  ],
  acan: ["acans?; advance contract award notices?; preavis d adjudication de contrat; pac"],
  standing_offer: [
    "standing offers?; offres? a commandes?; arrangements? en matiere d approvisionnement",
  ],
});

/** Pattern that every document's name contains. Queries without a match skip the long patterns. */
export const MAY_BE_DOCUMENT =
  /rf|reo|eoi|itt|itb|ifb|request|demande|expression|manifest|invit|call|qualif|source|solicit|advance|avis|award|contrat|acan|pac|standing|offre|arrangement/;

/** Patterns of the names that sources give to documents, in the order in which they are tried. */
const DOCUMENT_OF_SOURCE: readonly [RegExp, string][] = [
  [/^advance contract award|^acan/, "acan"],
  [/request for proposal|^n?rfp\b|demande de proposition/, "rfp"],
  [/request for quot|^rfq\b|demande de prix/, "rfq"],
  [/request for information|expressions? of interest|^rfi\b|demande de renseignement/, "rfi"],
  [/qualification/, "rfsq"],
  [/standing offer|offre a commandes/, "standing_offer"],
  [/supply arrangement/, "rfs"],
  [/sources sought/, "sources_sought"],
  [/presolicitation|pre-solicitation/, "presolicitation"],
  [/award/, "award"],
  [/tender|invitation (?:to|for)|appel d'offres/, "rft"],
];

/** Returns the facet terms of the document that a column names. */
export function documentTermsOf(name: string): string[] {
  const lower = name.toLowerCase();
  const known = DOCUMENT_OF_SOURCE.find(([pattern]) => pattern.test(lower))?.[1];
  return [`document:${known ?? lower.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_|_$/g, "")}`];
}

const DOCUMENT_OF_FACT =
  /\b(?:requests? for (?:proposals?|quot\w+|information)|RFPs?|RFQs?|RFIs?|demandes? de (?:propositions?|prix))\b/;

/** Returns the facet terms of the document that a sentence names. */
export function documentTermsOfFact(fact: string): string[] {
  const match = DOCUMENT_OF_FACT.exec(fact);
  return match === null ? [] : documentTermsOf(match[0]);
}
