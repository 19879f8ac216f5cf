/** Recognizes words that sources write in place of a company's name. */

/**
 * Phrases that name no company, folded, in English and French. A name consists of one or more of
 * them. The list has no word that distinguishes a company by itself, and a legal form after a
 * phrase makes it a name: "TBD, LLC".
 */
const PHRASES = [
  "null|nil|none|nan|undefined|object object|n ?a|s o",
  "not (?:applicable|available|specified|stated|provided|known|disclosed|named|listed|(?:yet )?awarded)",
  "no (?:company|vendor|supplier|awardee|contractor|bidder|bids?|responses?|awards?(?: made| issued)?)",
  "unknown|unnamed|unspecified|undisclosed|confidential|redacted|withheld|anonymous",
  "(?:unknown|unnamed|undisclosed|confidential|various|multiple|several|many) " +
  "(?:company|companies|vendors?|suppliers?|contractors?|employers?|clients?|recipients?|bidders?|" +
  "awards?|awardees?|firms|offerors?|providers|organi[sz]ations?|locations)",
  "various|multiple|several|miscellaneous",
  "tbd|tba|tbc|pending|cancell?ed",
  "to be (?:determined|announced|confirmed|advised|named|decided|awarded)",
  "(?:please )?see (?:the )?(?:attached|attachments?|below|above|description|notice|award notice)(?: .*)?",
  "(?:awards?|awardees?|vendors?|list)(?: list)? attached",
  "aucune?|inconnue?|sans objet|sans nom|sans titre|anonyme|confidentielle?",
  "non (?:applicable|disponible|precisee?|specifiee?|divulguee?|connue?|attribuee?)",
  "a (?:determiner|confirmer|venir|preciser|annoncer)",
  "(?:divers|plusieurs) (?:fournisseurs|entrepreneurs|contrats|entreprises|soumissionnaires)",
  "voir (?:la |le |les )?(?:pieces? jointes?|ci joint|ci dessous|description|avis|annexe|liste)(?: .*)?",
  "company name|vendor name|supplier name|name of company|nom de l entreprise|nom du fournisseur",
].join("|");

const PLACEHOLDER = new RegExp(`^(?:(?:${PHRASES})(?: \\d+)*(?: (?=.)|$))+$`);

/**
 * Returns whether a name stands for a missing one: "N/A", "TBD", "Multiple Award", "null". Returns
 * true for a name without letters and digits, and for a name of zeros.
 */
export function isPlaceholderName(name: string): boolean {
  const folded = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/\.(?=\p{L}(?:\.|$))/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return folded === "" || /^[0 ]+$/.test(folded) || PLACEHOLDER.test(folded);
}
