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
export interface DocumentText {
  company: string;
  observed_fact: string;
  why_it_may_matter: string;
  /** The excerpts of unwithdrawn evidence, one after the other. */
  excerpts: string;
  /** What kind and sectors are called, so that a search for "tender" or "construction" finds them. */
  labels: string;
}

/** What people call the kinds, in English and French. */
const KIND_LABELS: Record<Kind, string> = {
  procurement_request: "procurement request, tender, RFP; demande, appel d'offres",
  facility_expansion: "facility expansion; agrandissement",
  funding_round: "funding round, investment; financement",
  leadership_change: "leadership change, appointment; nomination",
  product_launch: "product launch; lancement de produit",
  partnership: "partnership; partenariat",
  technology_use: "technology use; technologie",
  job_posting: "job posting, hiring; offre d'emploi",
  company_profile: "company profile; profil",
};

/** The labels of a kind and of NAICS sector codes; unknown codes have none. */
export function labelsOf(kind: Kind, categories: readonly string[]): string {
  const sectors = categories.flatMap((code) =>
    Object.hasOwn(SECTORS, code) ? [SECTORS[code as Sector]] : []
  );
  return [KIND_LABELS[kind], ...sectors].join("; ");
}

/** Whether a document may no longer be shown at an instant (form: instant.ts). */
export function hasExpired({ expires_at }: ObservationDocument, now: string): boolean {
  return expires_at !== null && expires_at <= now;
}
