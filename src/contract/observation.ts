/** Observation, Evidence and the companies around them (specification 2). */
import { z } from "zod";
import { instant } from "./operation.ts";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "./vocabulary.ts";

const id = z.int().min(1);

export const Evidence = z.strictObject({
  source_uri: z.string(),
  excerpt: z.string(),
  occurred_at: instant.nullable(),
  observed_at: instant,
  last_seen_at: instant.optional(),
});
export type Evidence = z.infer<typeof Evidence>;

export const CompanyIdentity = z.strictObject({ id, name: z.string() });

/** An observation as it is nested in its company. */
export const NestedObservation = z.strictObject({
  id,
  kind: z.enum(KINDS),
  observed_fact: z.string(),
  why_it_may_matter: z.string(),
  demand_class: z.enum(DEMAND_CLASSES),
  country: z.enum(COUNTRIES),
  confidence: z.number().min(0).max(1),
  occurred_at: instant.nullable(),
  observed_at: instant,
  expires_at: instant.nullable(),
  evidence: z.array(Evidence),
  categories: z.array(z.enum(SECTOR_CODES)).max(100).optional(),
});
export type NestedObservation = z.infer<typeof NestedObservation>;

/** An observation by itself, with its company. */
export const Observation = NestedObservation.extend({ company: CompanyIdentity });
export type Observation = z.infer<typeof Observation>;

/** A company in reads and lookups. */
export const Company = z.strictObject({
  id,
  name: z.string(),
  domains: z.array(z.strictObject({ id, hostname: z.string() })),
  observations: z.array(NestedObservation).max(3),
  limitations: z.array(z.string()),
});
export type Company = z.infer<typeof Company>;

/** A company in a search result: why it matched, and its best matching observations. */
export const FoundCompany = z.strictObject({
  id,
  name: z.string(),
  limitations: z.array(z.string()),
  demand_class: z.enum(DEMAND_CLASSES),
  why_it_may_matter: z.string(),
  match: z.strictObject({ query: z.string(), observation_ids: z.array(id) }),
  observations: z.array(NestedObservation).max(3),
});
export type FoundCompany = z.infer<typeof FoundCompany>;

export const CompanyResult = z.strictObject({ company: Company });
export type CompanyResult = z.infer<typeof CompanyResult>;

export const ObservationResult = z.strictObject({ observation: Observation });
export type ObservationResult = z.infer<typeof ObservationResult>;
