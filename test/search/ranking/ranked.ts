/** Creates small indexes and ranks them. */
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { rankCompanies, rankObservations } from "../../../src/search/ranking/rank.ts";
import { observationDocument } from "../../support/documents.ts";
import { questionOf, type QuestionPart } from "../../support/questions.ts";

/** Time of all questions. */
const NOW = "2026-06-15T12:00:00.000000Z";

/** Parts of a document. A string is its observed fact. */
export type Part = string | NonNullable<Parameters<typeof observationDocument>[1]>;

/**
 * Creates an index of observations with the ids 1, 2 and so on. By default, each is of a separate
 * company.
 */
export function createIndex(...parts: readonly Part[]): ObservationIndex {
  const index = new ObservationIndex();
  parts.forEach((part, n) => {
    const members = typeof part === "string" ? { text: { observed_fact: part } } : part;
    index.put(observationDocument(n + 1, members));
  });
  return index;
}

/** Returns an index of observations whose fact is "crane". */
export function cranes(...parts: readonly Exclude<Part, string>[]): ObservationIndex {
  return createIndex(...parts.map((part) => ({
    ...part,
    text: { observed_fact: "crane", ...part.text },
  })));
}

/** Limits and filters of a search. */
interface Limits {
  filters?: unknown;
  companies?: number;
}

/** Returns the companies that answer a question, best first, with their observations. */
export function companiesFor(
  index: ObservationIndex,
  part: QuestionPart,
  { filters = {}, companies = 100 }: Limits = {},
): [company: number, ...observations: number[]][] {
  const ranking = rankCompanies(index, {
    question: questionOf(part),
    filters: normalizeFilters(filters),
    now: NOW,
    companies,
    observations_per_company: 3,
  });
  return ranking.companies.map(({ company_id, observations }) => [
    company_id,
    ...observations.map(({ observation_id }) => observation_id),
  ]);
}

/** Returns the ids of the companies that answer a question, best first. */
export function ranked(index: ObservationIndex, part: QuestionPart, limits?: Limits): number[] {
  return companiesFor(index, part, limits).map(([company]) => company);
}

/** Returns the ids of the observations that answer a question, best first. */
export function rankedObservations(
  index: ObservationIndex,
  part: QuestionPart,
  filters: unknown = {},
): number[] {
  const ranking = rankObservations(index, {
    question: questionOf(part),
    filters: normalizeFilters(filters),
    now: NOW,
    observations: 100,
  });
  return ranking.observations.map(({ observation_id }) => observation_id);
}
