/** Schemas of observations, their evidence and their companies (specification 2). */
import { z } from "zod";
import { instant } from "./operation.ts";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "./vocabulary.ts";

const id = z.int().min(1);

export const Evidence = z.strictObject({
  source_uri: z.string()
    .describe("Address of the source; for a company profile it may be only a homepage."),
  excerpt: z.string().describe("The supporting text, as stored."),
  occurred_at: instant.nullable().describe("Null for a profile without an event date."),
  observed_at: instant,
  last_seen_at: instant.optional().describe(
    "When the unchanged source record was last retrieved: neither a new event nor a verification.",
  ),
}).describe("A text that supports an observation, and its source.");
export type Evidence = z.infer<typeof Evidence>;

export const CompanyIdentity = z.strictObject({ id, name: z.string() })
  .describe("The company that an observation is about.");

/** An observation as it is nested in its company. */
export const NestedObservation = z.strictObject({
  id,
  kind: z.enum(KINDS),
  observed_fact: z.string(),
  why_it_may_matter: z.string(),
  demand_class: z.enum(DEMAND_CLASSES),
  country: z.enum(COUNTRIES).describe("The country of the observation, not of the headquarters."),
  confidence: z.number().min(0).max(1),
  occurred_at: instant.nullable()
    .describe("When the event happened; null only for the kind company_profile."),
  observed_at: instant,
  expires_at: instant.nullable().describe("When the observation ceases to be shown."),
  evidence: z.array(Evidence),
  categories: z.array(z.enum(SECTOR_CODES)).max(100).optional()
    .describe("NAICS 2022 sectors as its source reports them: industry, not buying intent."),
}).describe("A dated fact about the company that contains it.");
export type NestedObservation = z.infer<typeof NestedObservation>;

/** An observation with its company. */
export const Observation = NestedObservation.extend({ company: CompanyIdentity })
  .describe("A dated fact about a company, with its evidence. Not a verified buying decision.");
export type Observation = z.infer<typeof Observation>;

const limitationsOf = (others = "") =>
  z.array(z.string()).describe(
    "What to know before relying on the company: single_source (all of its observations here come " +
      "from one source of the dataset, whatever the hosts of their evidence), structural_only, " +
      `stale_evidence, ${others}or none.`,
  );

/** A company in reads and lookups. */
export const Company = z.strictObject({
  id,
  name: z.string(),
  domains: z.array(z.strictObject({ id, hostname: z.string() }))
    .describe("Only domains that these observations support."),
  observations: z.array(NestedObservation).max(3)
    .describe("The latest observations that may be shown now."),
  limitations: limitationsOf(),
}).describe("A company with its latest observations; not a full profile.");
export type Company = z.infer<typeof Company>;

/** A company in a search result, with its match and its best matching observations. */
export const FoundCompany = z.strictObject({
  id,
  name: z.string(),
  limitations: limitationsOf(
    "condition_not_stated (no record below states the place, time, amount or other condition that " +
      "the query asks for), ",
  ),
  demand_class: z.enum(DEMAND_CLASSES).describe("The demand class of its best match."),
  why_it_may_matter: z.string().describe("The sentence of its best match."),
  match: z.strictObject({ query: z.string(), observation_ids: z.array(id) })
    .describe("The match: the query, and the observations below, best first."),
  observations: z.array(NestedObservation).max(3),
}).describe("A company in a search result, with the observations that match best.");
export type FoundCompany = z.infer<typeof FoundCompany>;

export const CompanyResult = z.strictObject({ company: Company });
export type CompanyResult = z.infer<typeof CompanyResult>;

export const ObservationResult = z.strictObject({ observation: Observation });
export type ObservationResult = z.infer<typeof ObservationResult>;
