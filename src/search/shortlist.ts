/** The best companies of an index: found by words, ranked by words, meaning and preferences. */
import { blendCompanies, type Nearness } from "./embeddings/blend.ts";
import { compareHits } from "./engine/collectors.ts";
import { companyScore } from "./engine/companies.ts";
import type { CompanyHit, ObservationIndex } from "./engine/observation_index.ts";
import { termsOf } from "./engine/question.ts";
import type { SearchFilters } from "./filters.ts";
import type { Plan } from "./planning/plan.ts";
import {
  foundByPlan,
  labelsOfPreferred,
  narrowedFilters,
  preferCompanies,
  prefersAny,
} from "./preferences.ts";
import { fuseCompanies } from "./semantics/fuse.ts";
import type { SemanticModel } from "./semantics/model.ts";

export interface ShortlistRequest {
  plan: Plan;
  filters: SearchFilters;
  /** An instant (form: contract/instant.ts); what has expired by then is left out. */
  now: string;
  /** What lies near the query is found as well, and ranks in place of the model. */
  nearness?: Nearness;
  /** Absent, where there is no nearness: words alone rank. */
  model?: SemanticModel;
  /** At most so many companies, and so many observations of each. */
  companies: number;
  observations_per_company: number;
}

export interface Shortlist {
  /** Best first. */
  companies: CompanyHit[];
  /** How many companies words have found, whatever lies near or is of a kind that is named. */
  found_by_words: number;
}

/** Of what is preferred, so many companies are found in any case: some pages, at little cost. */
const PREFERRED_LIMIT = 50;

/** The same documents, plan, and nearness or model give the same. */
export function shortlistCompanies(
  index: ObservationIndex,
  { plan, filters, now, nearness, model, companies, observations_per_company }: ShortlistRequest,
): Shortlist {
  const { content = [] } = plan;
  // What lies near is about the query by meaning, whatever its words.
  if (content.length > 0 && nearness === undefined && plan.hostnames.length === 0) {
    const one = { now, companies: 1, observations_per_company: 1 };
    if (index.shortlist({ ...one, words: content, filters }).length === 0) {
      return { companies: [], found_by_words: 0 };
    }
  }
  const labels = labelsOfPreferred(plan);
  const words = [...plan.terms, ...labels];
  const question = { now, companies, observations_per_company };
  const byWords = index.shortlist({ ...question, words: plan.terms, filters });
  let found = byWords;
  const narrowed = narrowedFilters(filters, plan);
  if (narrowed !== undefined || labels.length > 0) {
    const preferred = index.shortlist({
      ...question,
      words,
      filters: narrowed ?? filters,
      companies: narrowed === undefined ? companies : Math.min(companies, PREFERRED_LIMIT),
    });
    const more = labels.length > 0 ? foundByPlan(preferred, { index, plan, now }) : preferred;
    found = united(more, found);
  }
  const keys = termsOf(words).map(({ key }) => key);
  const ranked = nearness !== undefined
    ? blendCompanies(found, nearness, observations_per_company)
    : model === undefined
    ? found
    : fuseCompanies(found, { index, model, keys });
  const ordered = prefersAny(plan) ? preferCompanies(ranked, { index, plan, now }) : ranked;
  return {
    companies: ordered.slice(0, companies).map((company) => ({
      ...company,
      observations: company.observations.slice(0, observations_per_company),
    })),
    found_by_words: byWords.length,
  };
}

/** The companies of both lists, each with its observations in either, as the first one scores them. */
function united(first: readonly CompanyHit[], second: readonly CompanyHit[]): CompanyHit[] {
  const all = new Map(first.map((company) => [company.company_id, company]));
  for (const company of second) {
    const known = all.get(company.company_id);
    all.set(company.company_id, known === undefined ? company : withBoth(known, company));
  }
  return [...all.values()];
}

function withBoth({ company_id, observations }: CompanyHit, more: CompanyHit): CompanyHit {
  const known = new Set(observations.map(({ observation_id }) => observation_id));
  const both = [
    ...observations,
    ...more.observations.filter(({ observation_id }) => !known.has(observation_id)),
  ].sort(compareHits);
  return { company_id, score: companyScore(both), observations: both };
}
