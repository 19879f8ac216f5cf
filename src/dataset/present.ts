/** Turns rows of observations that may be shown into parts of answers. */
import type { Company, NestedObservation, Observation } from "../contract/observation.ts";
import type { ObservationRow } from "../operations/answer.ts";

const DAY_MS = 86_400_000;

/**
 * Number of days after which the latest observation of a company is stale. The number is chosen:
 * half a year.
 */
const STALE_DAYS = 180;

/**
 * Returns limitations that a reader should know before relying on a company. They depend on the
 * observations shown with it, at the instant of the settlement.
 */
export function companyLimitations(rows: ObservationRow[], asOf: string): string[] {
  const limitations: string[] = [];
  const source = rows[0]?.source_id;
  if (rows.every(({ source_id }) => source_id === source)) limitations.push("single_source");
  if (rows.every((row) => row.demand_class === "structural")) limitations.push("structural_only");
  const since = Date.parse(asOf) - STALE_DAYS * DAY_MS;
  if (rows.every((row) => Date.parse(row.observed_at) < since)) limitations.push("stale_evidence");
  return limitations;
}

/** Returns a company from the rows of its observations, in the order in which they are shown. */
export function presentCompany(rows: ObservationRow[], asOf: string): Company {
  const [first] = rows;
  if (first === undefined) throw new Error("a company without observations cannot be shown");
  const domains = new Map(rows.flatMap((row) => row.domains ?? []).map((d) => [d.id, d]));
  return {
    id: first.company_id,
    name: first.company_name,
    domains: [...domains.values()].sort((a, b) => a.id - b.id),
    observations: rows.map(nestedObservation),
    limitations: companyLimitations(rows, asOf),
  };
}

/** Returns an observation in the form that is nested in its company. */
export function nestedObservation(row: ObservationRow): NestedObservation {
  const { last_seen_at, categories } = row;
  return {
    id: row.id,
    kind: row.kind,
    observed_fact: row.observed_fact,
    why_it_may_matter: row.why_it_may_matter,
    demand_class: row.demand_class,
    country: row.country,
    confidence: row.confidence,
    occurred_at: instantOf(row.occurred_at),
    observed_at: instantOf(row.observed_at),
    expires_at: instantOf(row.expires_at),
    evidence: row.evidence.map((evidence) => ({
      source_uri: evidence.source_uri,
      excerpt: evidence.excerpt,
      occurred_at: instantOf(evidence.occurred_at),
      observed_at: instantOf(evidence.observed_at),
      ...last_seen_at !== null && { last_seen_at: instantOf(last_seen_at) },
    })),
    ...categories.length > 0 && { categories },
  };
}

/** Returns an observation with its company. */
export function observationWithCompany(row: ObservationRow): Observation {
  return { ...nestedObservation(row), company: { id: row.company_id, name: row.company_name } };
}

/** Formats an instant of the database for the API: in UTC with milliseconds. */
function instantOf<Instant extends string | null>(instant: Instant): Instant {
  return (instant === null ? null : new Date(instant).toISOString()) as Instant;
}
