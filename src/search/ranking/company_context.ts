/** What other records of the same company say: its trade, or what the question does not want. */
import type { ObservationHit } from "../engine/collectors.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import type { Question } from "../reading/question.ts";
import { type Gatherer, strictConditions } from "./candidates.ts";
import type { Features } from "./features.ts";

/**
 * Records that meet all conditions, of companies whose other records say what the question is about:
 * a posting of a food manufacturer need not mention food. The score is a share of that of the
 * company's best record about the subject.
 *
 * @param about records about the subject, best first
 */
export function recordsOfTheTrade(
  question: Question,
  { about, filters, gatherer }: {
    about: readonly ObservationHit[];
    filters: SearchFilters;
    gatherer: Gatherer;
  },
): ObservationHit[] {
  const known = new Set(about.map(({ observation_id }) => observation_id));
  const best = new Map<number, number>();
  for (const { company_id, score } of about) {
    if (!best.has(company_id)) best.set(company_id, score);
  }
  if (best.size === 0) return [];
  const company_ids = [...best.keys()];
  return strictConditions(question, filters)
    .flatMap((conditions) =>
      gatherer.list({ ...conditions, filters: { ...conditions.filters, company_ids } })
    )
    .filter(({ observation_id }) => !known.has(observation_id))
    .map((hit) => ({ ...hit, score: CONTEXT_SHARE * best.get(hit.company_id)! }));
}

/** What a record is worth whose subject only another record of its company tells. */
const CONTEXT_SHARE = 0.5;

/** The companies of which any record is about what the question does not want. */
export function unwantedCompanies(
  hits: readonly ObservationHit[],
  { question: { excluded }, filters, gatherer, features }: {
    question: Question;
    filters: SearchFilters;
    gatherer: Gatherer;
    features: Features;
  },
): Set<number> {
  const company_ids = [...new Set(hits.map(({ company_id }) => company_id))];
  if (excluded.length === 0 || company_ids.length === 0) return new Set();
  const holding = gatherer.search(excluded.flat(), { filters: { ...filters, company_ids } });
  return new Set(
    holding.filter((hit) => features.isUnwanted(hit)).map(({ company_id }) => company_id),
  );
}
