/**
 * Ranks companies and observations by one pipeline: candidates, features, one score, one sort.
 *
 * A record is found if it covers enough of the question's content words, or if the question names
 * its company by a name or hostname. A question without content words finds records by its other
 * conditions.
 *
 * Records of named companies come first, and then records that meet all conditions. Records that do
 * not state a condition follow, and then records of another kind or sector. A record that states
 * another place, time, amount, round or role is not delivered.
 */
import { nearHits, type Nearness, nearnessOf } from "../embeddings/blend.ts";
import type { CompanyHit, ObservationHit } from "../engine/collecting.ts";
import { companyScore, compareHits } from "../engine/collecting.ts";
import { singleTermsOf } from "../engine/scoring.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import type { Question } from "../reading/question.ts";
import { blended, meaningOf } from "../semantics/fuse.ts";
import type { SemanticModel } from "../semantics/model.ts";
import { collectCandidates, searchedWords } from "./candidates.ts";
import {
  companiesOfOtherTrades,
  type CompanyContext,
  recordsOfTheTrade,
  unwantedCompanies,
} from "./company_context.ts";
import { Coverage } from "./coverage.ts";
import { Features } from "./features.ts";
import { type Conditions, Gatherer } from "./gatherer.ts";
import { type FoundHit, foundOf } from "./found.ts";
import { Judges, NEARBY_LOSS } from "./judge.ts";
import { requiredShares } from "./required_shares.ts";

interface RankingRequest {
  question: Question;
  filters: SearchFilters;
  /** Instant (form: contract/instant.ts); observations that have expired by then are left out. */
  now: string;
  /** Nearness of vectors to the query. It adds records, and replaces the model in the ranking. */
  nearness?: Nearness;
  /** Model for ranking without `nearness`. Without both, only words and conditions count. */
  model?: SemanticModel;
}

interface CompanyRanking {
  /** Companies, best first. */
  companies: CompanyHit[];
  /** Number of companies that were found without the nearness. */
  found_by_words: number;
}

/** Ranks companies. Equal documents, questions, and nearness or model give equal results. */
export function rankCompanies(
  index: ObservationIndex,
  { companies, observations_per_company, ...request }: RankingRequest & {
    /** Max number of companies. */
    companies: number;
    observations_per_company: number;
  },
): CompanyRanking {
  const limits = { companies, observations_per_company };
  const { ranked, found_by_words } = rank(request, new Gatherer(index, limits, request.now));
  const all = groupedByCompany(ranked).map((hits) => {
    const { company_id, tier } = hits[0]!;
    // Hits are sorted by tier, so those of the best tier come first.
    const end = hits.findIndex((hit) => hit.tier !== tier);
    const score = companyScore(end < 0 ? hits : hits.slice(0, end));
    return { company_id, tier, score, observations: hits.slice(0, observations_per_company) };
  });
  all.sort((a, b) => b.tier - a.tier || b.score - a.score || a.company_id - b.company_id);
  return {
    companies: all.slice(0, companies).map(({ tier: _, ...company }) => company),
    found_by_words,
  };
}

/** Ranks single observations, best first. */
export function rankObservations(
  index: ObservationIndex,
  { observations, ...request }: RankingRequest & { observations: number },
): { observations: ObservationHit[]; found_by_words: number } {
  const gatherer = new Gatherer(index, { limit: observations }, request.now);
  const { ranked, found_by_words } = rank(request, gatherer);
  return { observations: ranked.slice(0, observations), found_by_words };
}

interface RankedHit extends ObservationHit {
  /** Share of met conditions, less NEARBY_LOSS for each requested city that is only nearby. */
  met: number;
  /** Tier of the record. A higher tier comes first, whatever the scores. */
  tier: number;
}

/** Values by which records are ranked. */
interface RankingContext {
  index: ObservationIndex;
  judges: Judges;
  /** Companies that the question names. */
  named: ReadonlySet<number>;
  question: Question;
  features: Features;
}

/** Weight of the share of met conditions in a score. Words and meaning together count up to 1. */
const MET_WEIGHT = 3;

/**
 * Tiers of records. `named` is for companies that the question names. `context` is the highest tier
 * for results of recordsOfTheTrade(). The others tell how well a record meets the conditions.
 */
const TIERS = { none: -1, differs: 0, unknown: 1, context: 2, meets: 3, named: 4 } as const;

/** Tier and share of a record that is not delivered. */
const UNWANTED = { tier: TIERS.none, met: 0 };

/** Flags of vector neighbours and results of recordsOfTheTrade(), treated as about the subject. */
const IS_ABOUT = { by_words: true, by_subject: true };

function rank(
  request: RankingRequest,
  gatherer: Gatherer,
): { ranked: RankedHit[]; found_by_words: number } {
  const { question, filters, nearness } = request;
  const { index } = gatherer;
  const named = namedCompanies(index, request);
  const judges = new Judges(index, question);
  const found = findHits(request, { gatherer, judges, named });
  const near = nearness === undefined ? [] : nearHits(found, nearness);
  const features = new Features(index, question);
  const context = { index, judges, named, question, features };
  const about = [...found, ...near.map((hit) => ({ ...hit, ...IS_ABOUT }))]
    .map((hit) => rankedHit(hit, context));
  const hasContext = gatherer.groups && question.words.length > 0 && judges.size > 0;
  const more = hasContext
    ? recordsOfTheTrade(question, { best: firstByCompany(about), about, filters, gatherer })
      .map((hit) => rankedHit({ ...hit, ...IS_ABOUT }, context))
    : [];
  for (const hit of more) hit.tier = Math.min(hit.tier, TIERS.context);
  const hits = wantedOf([...about, ...more], { question, filters, gatherer, features });
  setFinalScores(hits.sort(compareRanked), index, request);
  const found_by_words = gatherer.groups ? countCompanies(found) : found.length;
  return { ranked: hits.sort(compareRanked), found_by_words };
}

/** Finds the records about the subject of the question, and those of companies that it names. */
function findHits(
  request: RankingRequest,
  { gatherer, judges, named }: { gatherer: Gatherer; judges: Judges; named: ReadonlySet<number> },
): FoundHit[] {
  const { question, filters } = request;
  const coverage = new Coverage(gatherer.index, question);
  const minShares = requiredShares(coverage.size, 0);
  const candidates = collectCandidates(question, {
    filters,
    standsForWords: coverage.standInShare >= requiredShares(coverage.size, 1).alone,
    wordsNeeded: coverage.wordsNeeded(judges.size > 0 ? minShares.met : minShares.only),
    gatherer,
  });
  for (const hit of gatherNamed(named, request, gatherer)) {
    if (!candidates.has(hit.observation_id)) candidates.set(hit.observation_id, hit);
  }
  return foundOf({ coverage, candidates, judges, named });
}

/** Returns a hit with its tier, and its score by words, neighbouring words and quoted phrases. */
function rankedHit(hit: FoundHit, context: RankingContext): RankedHit {
  const { tier, met } = tierOf(hit, context);
  const { observation_id, company_id } = hit;
  const score = hit.score * context.features.factorOf(hit);
  return { observation_id, company_id, score, tier, met };
}

/** Returns the best hit of each company. */
function firstByCompany(hits: readonly RankedHit[]): Map<number, RankedHit> {
  const first = new Map<number, RankedHit>();
  for (const hit of hits) {
    const known = first.get(hit.company_id);
    if (known === undefined || compareRanked(hit, known) < 0) first.set(hit.company_id, hit);
  }
  return first;
}

/** Sets the scores of sorted hits by words, meaning and met conditions. */
function setFinalScores(
  hits: readonly RankedHit[],
  index: ObservationIndex,
  { question, nearness, model }: RankingRequest,
): void {
  const meanings = nearness !== undefined
    ? nearnessOf(hits, nearness)
    : model !== undefined
    ? meaningOf(hits, { index, model, keys: keysOf(question) })
    : undefined;
  const best = hits.reduce((max, { score }) => Math.max(max, score), 0);
  hits.forEach((hit, place) => {
    const words = best === 0 ? 0 : hit.score / best;
    hit.score = blended(words, meanings?.[place]) + MET_WEIGHT * hit.met;
  });
}

/**
 * Returns the wanted hits: not about an excluded subject, and not of a company that
 * company_context.ts excludes. If records contain all quoted phrases, the others are unwanted.
 */
function wantedOf(all: readonly RankedHit[], context: CompanyContext): RankedHit[] {
  const { features } = context;
  const unwanted = unwantedCompanies(all, context);
  const others = companiesOfOtherTrades(all, context);
  const quoting = all.filter((hit) => features.holdsPhrases(hit));
  return (quoting.length > 0 ? quoting : all).filter((hit) =>
    hit.tier !== TIERS.none && !unwanted.has(hit.company_id) && !features.isUnwanted(hit) &&
    (hit.tier === TIERS.named || !others.has(hit.company_id))
  );
}

/** Groups hits by company, in their order. A loop takes half as long as Map.groupBy(). */
function groupedByCompany(hits: readonly RankedHit[]): RankedHit[][] {
  const groups = new Map<number, RankedHit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.company_id);
    if (group === undefined) groups.set(hit.company_id, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

function countCompanies(hits: readonly ObservationHit[]): number {
  const companies = new Set<number>();
  for (const { company_id } of hits) companies.add(company_id);
  return companies.size;
}

function compareRanked(a: RankedHit, b: RankedHit): number {
  return b.tier - a.tier || compareHits(a, b);
}

function keysOf(question: Question) {
  return singleTermsOf(question.words.map(({ text }) => text)).map(({ key }) => key);
}

/** Returns the companies that a question names, by a name or a hostname. */
function namedCompanies(
  index: ObservationIndex,
  { question: { names, hostnames }, now }: RankingRequest,
): Set<number> {
  return new Set([
    ...names.flatMap((name) => index.companiesWithFacet(name, now)),
    ...hostnames.flatMap((name) => index.companiesWithHostname(name, now)),
  ]);
}

function gatherNamed(
  named: ReadonlySet<number>,
  { filters, question }: RankingRequest,
  gatherer: Gatherer,
): ObservationHit[] {
  const ids = [...named].filter((id) =>
    filters.company_ids.length === 0 || filters.company_ids.includes(id)
  );
  if (ids.length === 0) return [];
  const conditions: Conditions = { filters: { ...filters, company_ids: ids } };
  const words = searchedWords(question);
  const found = words.length > 0 ? gatherer.search(words, conditions) : [];
  return [...found, ...gatherer.list(conditions)];
}

/** Returns the tier of a record, and the share of the conditions that it meets. */
function tierOf(
  { observation_id, company_id, by_words, by_subject }: FoundHit,
  { index, judges, named, question }: RankingContext,
): Pick<RankedHit, "tier" | "met"> {
  const record = index.view(observation_id);
  if (question.excluded_facets.length > 0) {
    const facets = index.facetsOf(observation_id);
    if (question.excluded_facets.some((facet) => facets.includes(facet))) return UNWANTED;
  }
  const isNamed = named.has(company_id);
  if (record === undefined || judges.isExcluded(record)) return UNWANTED;
  if (!isNamed && (judges.isOpposed(record) || judges.missesAmount(record))) return UNWANTED;
  const { met, differs, contradicted, nearby } = judges.judge(record);
  const share = judges.size === 0 ? 0 : met / judges.size - NEARBY_LOSS * nearby;
  if (isNamed) return { tier: TIERS.named, met: share };
  // Without content words, a record is found only by the conditions that it meets.
  const isWordless = question.words.length === 0 && judges.size > 0;
  if (isWordless && met === 0) return UNWANTED;
  if (contradicted > 0) return UNWANTED;
  if (differs > 0) {
    // It has to be about the subject, or of a requested kind if there is no subject.
    const { words, kinds } = question;
    const isOfKind = kinds.includes(record.kind);
    // If the words only name a sector, records of that sector also have to be of a requested kind.
    const isAbout = words.length === 0 || judges.asksWholeSector
      ? isOfKind && (words.length === 0 || by_subject)
      : by_words || (by_subject && (kinds.length === 0 || isOfKind));
    return { tier: isAbout ? TIERS.differs : TIERS.none, met: share };
  }
  return { tier: met === judges.size ? TIERS.meets : TIERS.unknown, met: share };
}
