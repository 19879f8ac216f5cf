/** What the index knows of an observation. */
import type { Country, DemandClass, Kind, Sector } from "../contract/vocabulary.ts";
import { SECTORS } from "../contract/vocabulary.ts";

export interface ObservationDocument {
  observation_id: number;
  company_id: number;
  kind: Kind;
  demand_class: DemandClass;
  country: Country;
  /** Instants are texts that compare as the times do: see instant.ts. */
  occurred_at: string | null;
  observed_at: string;
  expires_at: string | null;
  /** Normalized hostnames that this observation supports by an active link of its company. */
  hostnames: string[];
  text: DocumentText;
}

/** The fields that are searched. */
export interface DocumentText extends Labels {
  company: string;
  observed_fact: string;
  why_it_may_matter: string;
  /** All that the source says, one text per language version; or the excerpts if it says no more. */
  texts: string[];
}

/** What kind and sectors are called, so that a search for "tender" or "construction" finds them. */
export interface Labels {
  english_labels: string;
  french_labels: string;
}

/** What people call the kinds; plurals too where the French rules do not bring them together. */
const KIND_LABELS: Record<Kind, [english: string, french: string]> = {
  procurement_request: [
    "procurement request, tender, bid, solicitation, RFP, RFQ, request for proposal, contract, " +
    "purchase, buying",
    "appel d'offres, demande de propositions, soumission, soumissions, contrat, achat, " +
    "approvisionnement",
  ],
  facility_expansion: [
    "facility expansion, new facility, building, opening, plant, site, relocation",
    "agrandissement, expansion, nouvelle usine, ouverture, site, déménagement",
  ],
  funding_round: [
    "funding round, financing, investment, capital raised",
    "financement, levée de fonds, investissement, capital",
  ],
  leadership_change: [
    "leadership change, appointment, new CEO, chief executive officer, president, executive",
    "changement de direction, nomination, nouveau PDG, président, dirigeant",
  ],
  product_launch: [
    "product launch, new product, release",
    "lancement de produit, nouveau produit",
  ],
  partnership: [
    "partnership, alliance, agreement, collaboration, joint venture",
    "partenariat, alliance, entente, collaboration, coentreprise",
  ],
  technology_use: [
    "technology use, adoption, tech stack",
    "technologie utilisée, adoption, outil",
  ],
  job_posting: [
    "job posting, hiring, recruitment, vacancy, opening, career",
    "offre d'emploi, emplois, embauche, recrutement, poste, carrière",
  ],
  company_profile: ["company profile, overview", "profil, présentation"],
};

/**
 * The same sectors in French (Statistics Canada, SCIAN Canada 2022; those that differ by country, 42
 * and 92, by the title of their Canadian counterparts).
 */
const SECTORS_FR: Readonly<Record<Sector, string>> = {
  "11": "Agriculture, foresterie, pêche et chasse",
  "21": "Extraction minière, exploitation en carrière, et extraction de pétrole et de gaz",
  "22": "Services publics",
  "23": "Construction",
  "31-33": "Fabrication",
  "42": "Commerce de gros",
  "44-45": "Commerce de détail",
  "48-49": "Transport et entreposage",
  "51": "Industrie de l'information et industrie culturelle",
  "52": "Finance et assurances",
  "53": "Services immobiliers et services de location et de location à bail",
  "54": "Services professionnels, scientifiques et techniques",
  "55": "Gestion de sociétés et d'entreprises",
  "56":
    "Services administratifs, services de soutien, services de gestion des déchets et services " +
    "d'assainissement",
  "61": "Services d'enseignement",
  "62": "Soins de santé et assistance sociale",
  "71": "Arts, spectacles et loisirs",
  "72": "Services d'hébergement et de restauration",
  "81": "Autres services (sauf les administrations publiques)",
  "92": "Administrations publiques",
};

/** The labels of a kind and of NAICS sector codes; unknown codes have none. */
export function labelsOf(kind: Kind, categories: readonly string[]): Labels {
  const sectors = categories.filter((code) => Object.hasOwn(SECTORS, code)) as Sector[];
  const [english, french] = KIND_LABELS[kind];
  return {
    english_labels: [english, ...sectors.map((code) => SECTORS[code])].join("; "),
    french_labels: [french, ...sectors.map((code) => SECTORS_FR[code])].join("; "),
  };
}

/** Whether a document may no longer be shown at an instant (form: instant.ts). */
export function hasExpired({ expires_at }: ObservationDocument, now: string): boolean {
  return expires_at !== null && expires_at <= now;
}
