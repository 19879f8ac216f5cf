/**
 * Judges a record by other records of the same company, which show its trade or an excluded
 * subject.
 */
import { KINDS } from "../../contract/vocabulary.ts";
import type { ObservationHit } from "../engine/collecting.ts";
import { sectorMask } from "../index/document.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import type { Question } from "../reading/question.ts";
import { strictConditions } from "./candidates.ts";
import type { Features } from "./features.ts";
import type { Gatherer } from "./gatherer.ts";

/**
 * Returns records that meet all conditions, if other records of the company are about the subject.
 * For example, a job posting of a food manufacturer need not mention food. The score of such a
 * record is CONTEXT_SHARE of the score of the company's best record about the subject.
 *
 * @param about records about the subject
 * @param best the best such record of each company
 */
export function recordsOfTheTrade(
  question: Question,
  { about, best, filters, gatherer }: {
    about: readonly ObservationHit[];
    best: ReadonlyMap<number, ObservationHit>;
    filters: SearchFilters;
    gatherer: Gatherer;
  },
): ObservationHit[] {
  if (best.size === 0) return [];
  const known = new Set(about.map(({ observation_id }) => observation_id));
  const company_ids = [...best.keys()];
  return strictConditions(question, filters)
    .flatMap((conditions) =>
      gatherer.list({ ...conditions, filters: { ...conditions.filters, company_ids } })
    )
    .filter(({ observation_id }) => !known.has(observation_id))
    .map((hit) => ({ ...hit, score: CONTEXT_SHARE * best.get(hit.company_id)!.score }));
}

/** Score of a record that does not mention the subject, as a share of the company's best score. */
const CONTEXT_SHARE = 0.5;

/** A question, and the means to find and measure the records of a company. */
export interface CompanyContext {
  question: Question;
  filters: SearchFilters;
  gatherer: Gatherer;
  features: Features;
}

/**
 * Returns the companies of which at least half of the records are about an excluded subject. A
 * smaller share is ignored, because a single record may only mention a partner of that trade.
 */
export function unwantedCompanies(
  hits: readonly ObservationHit[],
  { question: { excluded }, filters, gatherer, features }: CompanyContext,
): Set<number> {
  const company_ids = [...new Set(hits.map(({ company_id }) => company_id))];
  if (excluded.length === 0 || company_ids.length === 0) return new Set();
  const conditions = { filters: { ...filters, company_ids } };
  const words = [...new Set(features.unwantedWords)];
  const unwanted = gatherer.search(words, conditions).filter((hit) => features.isUnwanted(hit));
  if (unwanted.length === 0) return new Set();
  const counts = countByCompany(unwanted);
  const suspects = [...counts.keys()];
  const sizes = countByCompany(gatherer.list({ filters: { ...filters, company_ids: suspects } }));
  return new Set(suspects.filter((id) => 2 * counts.get(id)! >= (sizes.get(id) ?? 0)));
}

function countByCompany(hits: readonly ObservationHit[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { company_id } of hits) counts.set(company_id, (counts.get(company_id) ?? 0) + 1);
  return counts;
}

/** Kinds of records whose sector is that of the company. */
const COMPANY_KINDS = KINDS.filter((kind) => kind !== "procurement_request");

/**
 * Returns the companies of other sectors if the question asks for companies of a sector. A
 * procurement request does not count, because its sector is that of the purchase.
 */
export function companiesOfOtherTrades(
  hits: readonly ObservationHit[],
  { question: { facets, words }, filters, gatherer }: CompanyContext,
): Set<number> {
  const { index } = gatherer;
  const trade = facets.find(({ names_companies }) => names_companies);
  if (trade === undefined || trade.any.length > 0) return new Set();
  // If the question also has other words, a company of another sector may be about those words.
  if (trade.words.length < words.length) return new Set();
  const asked = sectorMask(trade.sectors);
  const isOther = ({ observation_id }: ObservationHit) => {
    const sectors = index.sectorsOf(observation_id);
    return sectors !== 0 && (sectors & asked) === 0;
  };
  const company_ids = [...new Set(hits.filter(isOther).map(({ company_id }) => company_id))];
  if (company_ids.length === 0) return new Set();
  const known = gatherer.list({ filters: { ...filters, kinds: COMPANY_KINDS, company_ids } })
    .filter(({ observation_id }) => index.sectorsOf(observation_id) !== 0);
  const matching = new Set(
    known.filter((hit) => !isOther(hit)).map(({ company_id }) => company_id),
  );
  return new Set(
    known.map(({ company_id }) => company_id).filter((company_id) => !matching.has(company_id)),
  );
}
