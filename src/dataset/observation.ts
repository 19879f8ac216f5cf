/** Observations as they may be shown: from the rows of observation_rows() to the wire. */
import type { NestedObservation, Observation } from "../contract/observation.ts";
import { accepted, type ObservationRow, type Refusal } from "../operations/answer.ts";
import type { Caller, Context, ReadAction } from "../operations/action.ts";
import { normalizeId } from "./id.ts";

export function nestedObservation(row: ObservationRow): NestedObservation {
  const { id, kind, observed_fact, why_it_may_matter, demand_class, country, confidence } = row;
  const { occurred_at, observed_at, expires_at, categories, last_seen_at } = row;
  return {
    id,
    kind,
    observed_fact,
    why_it_may_matter,
    demand_class,
    country,
    confidence,
    occurred_at,
    observed_at,
    expires_at,
    evidence: last_seen_at === null
      ? row.evidence
      : row.evidence.map((evidence) => ({ ...evidence, last_seen_at })),
    ...categories.length > 0 && { categories },
  };
}

export function observationWithCompany(row: ObservationRow): Observation {
  return { ...nestedObservation(row), company: { id: row.company_id, name: row.company_name } };
}

/** `GET /api/observations/{id}`: unmetered, with the evidence that is permitted now. */
export const getObservation: ReadAction<number> = {
  name: "get_observation",
  invalid_input: "invalid_search",
  normalize: (raw) => normalizeId(raw, "invalid_search"),
  async read(context: Context, caller: Caller, id: number) {
    const [row] = await context.sql<{ answer: Found | Refusal }[]>`
      select read_observation(
        ${caller.key_hash}, ${id}, ${context.now?.() ?? null}
      ) as answer
    `;
    const { observation } = accepted(row!.answer);
    return { status: 200, body: { observation: observationWithCompany(observation) } };
  },
};

interface Found {
  outcome: "found";
  observation: ObservationRow;
}
