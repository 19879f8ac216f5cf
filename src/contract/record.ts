import { z } from "zod";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "./vocabulary.ts";

/** Bounds of an ingested record (design 4). Longer free text is cut, anything else is refused. */
export const RECORD_LIMITS = {
  identifier_characters: 255,
  name_characters: 300,
  hostname_characters: 253,
  uri_characters: 2_048,
  fact_characters: 2_000,
  why_characters: 1_000,
  excerpt_characters: 4_000,
  domains: 20,
  evidence: 20,
  categories: 100,
} as const;

const instantText = z.iso.datetime({
  offset: true,
  error: "must be an ISO 8601 date and time with an offset or Z",
});
const identifier = z.string().min(1).max(RECORD_LIMITS.identifier_characters);
const text = z.string().min(1);

/** Where an observation was seen. Times left out are those of the observation. */
const RecordEvidence = z.strictObject({
  source_uri: z.string().min(1).max(RECORD_LIMITS.uri_characters),
  excerpt: text,
  occurred_at: instantText.nullish(),
  observed_at: instantText.nullish(),
});

/** How a source names a company: always by name, and where it can by hostnames and its own id. */
const RecordCompany = z.strictObject({
  name: text,
  external_id: identifier.nullish(),
  domains: z.array(z.string().max(RECORD_LIMITS.hostname_characters + 1))
    .max(RECORD_LIMITS.domains).nullish(),
});

/**
 * One line of NDJSON: an observation as its source reports it (design 4). Only the shape is checked
 * here; normalizeRecord() cleans the texts. Unknown fields are refused.
 */
export const SourceRecord = z.strictObject({
  source: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
    error: "must be 1 to 63 of a-z, 0-9, dot, underscore, hyphen, and start with a letter or digit",
  }),
  external_id: identifier,
  company: RecordCompany,
  kind: z.enum(KINDS),
  observed_fact: text,
  why_it_may_matter: text,
  demand_class: z.enum(DEMAND_CLASSES),
  country: z.enum(COUNTRIES),
  confidence: z.number().min(0).max(1),
  occurred_at: instantText.nullish(),
  observed_at: instantText,
  expires_at: instantText.nullish(),
  categories: z.array(z.enum(SECTOR_CODES)).max(RECORD_LIMITS.categories).nullish(),
  evidence: z.array(RecordEvidence).min(1).max(RECORD_LIMITS.evidence),
}).refine((record) => record.kind === "company_profile" || record.occurred_at != null, {
  path: ["occurred_at"],
  error: "may be null for the kind company_profile only",
});

export type SourceRecord = z.infer<typeof SourceRecord>;

/** @returns the faults of a record in one line, each naming its field: `company.name: …`. */
export function describeFaults(error: z.ZodError): string {
  return error.issues.slice(0, 20).map((issue) => {
    const field = issue.path.map(String).join(".");
    return field === "" ? issue.message : `${field}: ${issue.message}`;
  }).join("; ");
}
