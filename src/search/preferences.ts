/**
 * What a plan prefers, put to what words and meaning have found: scores are multiplied by bounded
 * factors, so that nothing is added or taken away and filters stay what they are.
 */
import { KINDS, SECTORS } from "../contract/vocabulary.ts";
import { compareHits, type ObservationHit } from "./engine/collectors.ts";
import { companyScore, compareCompanies } from "./engine/companies.ts";
import { microsecondsOf } from "./engine/instants.ts";
import type { CompanyHit, KnownObservation, ObservationIndex } from "./engine/observation_index.ts";
import { LANGUAGES, words } from "./engine/tokens.ts";
import type { SearchFilters } from "./filters.ts";
import { HeldWords } from "./held_words.ts";
import type { Plan, Preferences } from "./planning/plan.ts";
import { SECTOR_NAMES } from "./planning/sector_words.ts";

/** What a score is multiplied by where a preference is met. */
const FACTORS = {
  kind: 3,
  country: 2,
  demand_class: 1.25,
  sector: 2,
  time: 2,
  phrase: 1.5,
  hostname: 3,
  excluded: 0.1,
} as const;

export interface Preferring {
  index: ObservationIndex;
  plan: Plan;
  /** An instant (form: contract/instant.ts): hostnames count while they have not expired. */
  now: string;
}

/** Whether a plan prefers anything. */
export function prefersAny({ phrases, excluded, hostnames, preferences }: Plan): boolean {
  const { occurred_after, occurred_before, ...lists } = preferences;
  return [phrases, excluded, hostnames, ...Object.values(lists)].some(({ length }) => length > 0) ||
    occurred_after !== null || occurred_before !== null;
}

/**
 * Filters that admit only what a plan prefers, as far as filters can say it, for candidates that
 * words alone would have left far behind. They admit nothing that the given ones do not.
 *
 * @returns nothing where they would admit the same
 */
export function narrowedFilters(
  filters: SearchFilters,
  { hostnames, preferences }: Plan,
): SearchFilters | undefined {
  const after = [filters.occurred_after, preferences.occurred_after].filter((own) => own !== null);
  const narrowed = {
    ...filters,
    kinds: narrower(filters.kinds, preferences.kinds),
    countries: narrower(filters.countries, preferences.countries),
    demand_classes: narrower(filters.demand_classes, preferences.demand_classes),
    domains: narrower(filters.domains, hostnames),
    occurred_after: after.sort().at(-1) ?? null,
  };
  const differs = (Object.keys(narrowed) as (keyof SearchFilters)[])
    .some((field) => narrowed[field] !== filters[field]);
  return differs ? narrowed : undefined;
}

/** Empty lists do not restrict; what has nothing in common with the filter says nothing. */
function narrower<Value>(admitted: Value[], preferred: Value[]): Value[] {
  if (preferred.length === 0) return admitted;
  if (admitted.length === 0) return preferred;
  const both = admitted.filter((value) => preferred.includes(value));
  return both.length === 0 || both.length === admitted.length ? admitted : both;
}

/**
 * Words that documents of what a plan prefers are labelled with, whatever a query calls it: one of
 * each sector and kind, of which names begin with the word that tells them, and of all kinds where a
 * company is named.
 */
export function labelsOfPreferred({ named_kinds, hostnames, preferences }: Plan): string[] {
  const kinds = named_kinds.length === 0 && hostnames.length > 0 ? KINDS : named_kinds;
  return [
    ...preferences.sectors.flatMap((sector) => SECTOR_NAMES[sector] ?? []),
    ...kinds.map((kind) => kind.split("_")[0]!),
  ];
}

/**
 * What a plan finds by its terms, the kinds and the hostnames that it names, of what was found by
 * labels too. A sector's label adds to the score of an observation, but it finds none: what belongs
 * to it is more than the query named.
 */
export function foundByPlan(
  companies: readonly CompanyHit[],
  { index, plan, now }: Preferring,
): CompanyHit[] {
  const held = new HeldWords();
  const terms = plan.terms.map((term) => held.add([term], LANGUAGES));
  const holders = holdersOf(plan, { index, now });
  const isFound = ({ observation_id, company_id }: ObservationHit) => {
    if (holders.has(company_id)) return true;
    const known = index.get(observation_id);
    if (known !== undefined && plan.named_kinds.includes(known.kind)) return true;
    held.read(index, observation_id);
    return terms.some((term) => held.has(term));
  };
  return companies.flatMap(({ company_id, observations }) => {
    const own = observations.filter(isFound);
    return own.length === 0 ? [] : [{ company_id, score: companyScore(own), observations: own }];
  });
}

/** @returns the same companies with the same observations, both best first by preference as well */
export function preferCompanies(
  companies: readonly CompanyHit[],
  preferring: Preferring,
): CompanyHit[] {
  const factorOf = createFactor(preferring);
  return companies.map(({ company_id, observations }) => {
    const own = observations
      .map((hit): ObservationHit => ({ ...hit, score: hit.score * factorOf(hit) }))
      .sort(compareHits);
    return { company_id, score: companyScore(own), observations: own };
  }).sort(compareCompanies);
}

/** What the score of an observation is multiplied by. */
function createFactor({ index, plan, now }: Preferring): (hit: ObservationHit) => number {
  const { preferences, phrases, excluded } = plan;
  const isInTime = createTiming(preferences);
  const held = new HeldWords();
  const sectors = preferences.sectors.map((sector) =>
    held.add(words(SECTORS[sector]), ["english"])
  );
  const quoted = phrases.map((phrase) => held.add(phrase, LANGUAGES));
  const unwanted = excluded.map((own) => held.add(own, LANGUAGES));
  const holders = holdersOf(plan, { index, now });
  return ({ observation_id, company_id }) => {
    const known = index.get(observation_id);
    if (known === undefined) return 1;
    if (!held.isEmpty) held.read(index, observation_id);
    let factor = factorOfFacts(known, { preferences, isInTime });
    if (sectors.some((own) => held.has(own))) factor *= FACTORS.sector;
    // The index does not know which words stand side by side: that all are there has to do.
    if (quoted.some((own) => held.has(own))) factor *= FACTORS.phrase;
    if (holders.has(company_id)) factor *= FACTORS.hostname;
    return unwanted.some((own) => held.has(own)) ? factor * FACTORS.excluded : factor;
  };
}

/** The companies that hold a hostname which a plan names. */
function holdersOf(
  { hostnames }: Plan,
  { index, now }: Pick<Preferring, "index" | "now">,
): ReadonlySet<number> {
  return new Set(hostnames.flatMap((name) => index.companiesWithHostname(name, now)));
}

function factorOfFacts(
  { kind, country, demand_class, occurred }: KnownObservation,
  { preferences, isInTime }: { preferences: Preferences; isInTime: (occurred: number) => boolean },
): number {
  return (preferences.kinds.includes(kind) ? FACTORS.kind : 1) *
    (preferences.countries.includes(country) ? FACTORS.country : 1) *
    (preferences.demand_classes.includes(demand_class) ? FACTORS.demand_class : 1) *
    (isInTime(occurred) ? FACTORS.time : 1);
}

/** Whether something occurred when it is preferred; what is not known to have occurred did not. */
function createTiming(
  { occurred_after, occurred_before }: Preferences,
): (occurred: number) => boolean {
  if (occurred_after === null && occurred_before === null) return () => false;
  const after = occurred_after === null ? -Number.MAX_VALUE : microsecondsOf(occurred_after);
  const before = occurred_before === null ? Infinity : microsecondsOf(occurred_before);
  return (occurred) => occurred >= after && occurred < before;
}
