/** Turns rows of observations that may be shown into parts of answers. */
import { standingFor } from "../contract/json_text.ts";
import type { Company, NestedObservation, Observation } from "../contract/observation.ts";
import type { ObservationRow } from "../operations/answer.ts";

const DAY_MS = 86_400_000;

/** Number of days after which the latest observation of a company is stale. */
const STALE_DAYS = 180;

/**
 * Returns limitations that a reader should know before relying on a company. They depend on the
 * observations shown with it, at the instant of the answer.
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
export function nestedObservation({ json }: ObservationRow): NestedObservation {
  return json as unknown as NestedObservation;
}

/** Returns an observation with its company. */
export function observationWithCompany(row: ObservationRow): Observation {
  const company = JSON.stringify({ id: row.company_id, name: row.company_name });
  return standingFor<Observation>(`${row.json.text.slice(0, -1)},"company":${company}}`);
}
