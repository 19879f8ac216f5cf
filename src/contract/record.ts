import { z } from "zod";
import { Facets, instantText } from "./facets.ts";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "./vocabulary.ts";

/**
 * Upper bounds of an ingested record. Longer free text is cut. A record that exceeds any other
 * bound is refused.
 *
 * An excerpt quotes its source, so it is short: 600 characters are chosen, some four sentences. The
 * constraint evidence_excerpt_length has the same number. A text is searched and never shown. The
 * longest description of a real tender notice has 35,000 characters. Further bounds apply to the
 * characters and the records of a batch. A line may have 1 MiB.
 */
export const RECORD_LIMITS = {
  identifier_characters: 255,
  name_characters: 300,
  hostname_characters: 253,
  uri_characters: 2_048,
  fact_characters: 2_000,
  why_characters: 1_000,
  excerpt_characters: 600,
  text_characters: 40_000,
  texts: 4,
  domains: 20,
  evidence: 20,
  categories: 100,
} as const;

const identifier = z.string().min(1).max(RECORD_LIMITS.identifier_characters);
const text = z.string().min(1);

/** Evidence of an observation. Absent times are those of the observation. */
const RecordEvidence = z.strictObject({
  source_uri: z.string().min(1).max(RECORD_LIMITS.uri_characters),
  excerpt: text,
  occurred_at: instantText.nullish(),
  observed_at: instantText.nullish(),
});

/**
 * Identifiers of companies in registers, which are the same in every source: SEC's Central Index
 * Key, the Legal Entity Identifier (ISO 17442), and the Unique Entity ID of SAM.gov. Placeholders
 * such as zeros are refused, because they would join unrelated companies.
 */
const CompanyIdentifiers = z.strictObject({
  cik: z.string().regex(/^(?!0+$)[0-9]{1,10}$/, "must be up to ten digits, not all of them 0"),
  lei: z.string().regex(
    /^(?!0+$)[A-Z0-9]{18}[0-9]{2}$/,
    "must be 18 letters or digits and two digits, not all of them 0",
  ),
  uei: z.string().regex(
    /^(?!(.)\1*$)[A-Z0-9]{12}$/,
    "must be 12 letters or digits, not all the same",
  ),
}).partial();

/** A company in a source, with its identifiers and hostnames if the source has them. */
const RecordCompany = z.strictObject({
  name: text,
  /** Identifier of the company in the source. */
  external_id: identifier.nullish(),
  identifiers: CompanyIdentifiers.nullish(),
  domains: z.array(z.string().max(RECORD_LIMITS.hostname_characters + 1))
    .max(RECORD_LIMITS.domains).nullish(),
});

/**
 * One line of NDJSON: an observation as its source reports it. The schema checks only the shape,
 * and normalizeRecord() cleans the texts. Unknown fields are refused. If a line repeats a field,
 * the last one counts (JSON.parse).
 */
export const SourceRecord = z.strictObject({
  source: identifier,
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
  /** Full text of the source, or one text per language. It is searched, and never shown. */
  text: z.union([z.string(), z.array(z.string()).max(RECORD_LIMITS.texts)], {
    error: `must be a text, or a list of up to ${RECORD_LIMITS.texts} texts`,
  }).nullish(),
  facets: Facets.nullish(),
  evidence: z.array(RecordEvidence).min(1).max(RECORD_LIMITS.evidence),
}).refine((record) => record.kind === "company_profile" || record.occurred_at != null, {
  path: ["occurred_at"],
  error: "may be null for the kind company_profile only",
});

export type SourceRecord = z.infer<typeof SourceRecord>;

/** Returns the record, or its faults in one line, such as `company.name: required`. */
export function parseRecord(raw: unknown): { record: SourceRecord } | { reason: string } {
  const parsed = SourceRecord.safeParse(raw, { error: faultOf });
  return parsed.success ? { record: parsed.data } : { reason: describeFaults(parsed.error) };
}

/** Returns a plain sentence about a common fault; undefined if the sentence of zod is used. */
function faultOf(issue: z.core.$ZodRawIssue): string | undefined {
  const isWhole = (issue.path ?? []).length === 0;
  if (issue.input == null && !isWhole) return "required";
  if (issue.code === "too_small" && issue.minimum === 1) return "is empty";
  if (issue.code === "invalid_union") return "has none of the possible forms";
}

/** Max number of named faults, because a line may have one in every field. The number is chosen. */
const FAULTS_SHOWN = 5;

function describeFaults({ issues }: z.ZodError): string {
  const shown = issues.slice(0, FAULTS_SHOWN).map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
  );
  const rest = issues.length - shown.length;
  return [...shown, ...rest > 0 ? [`and ${rest} more`] : []].join("; ");
}
