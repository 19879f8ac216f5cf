/**
 * What a plan prefers, put to what words and meaning have found: scores are multiplied by bounded
 * factors, so that nothing is added or taken away and filters stay what they are.
 */
import { SECTORS } from "../contract/vocabulary.ts";
import { compareHits, type ObservationHit } from "./engine/collectors.ts";
import { companyScore } from "./engine/companies.ts";
import { type Key, keyOf } from "./engine/dictionary.ts";
import type { Vocabulary } from "./engine/term_rows.ts";
import type { CompanyHit, KnownObservation, ObservationIndex } from "./engine/observation_index.ts";
import { LANGUAGES, stem, words } from "./engine/tokens.ts";
import type { SearchFilters } from "./filters.ts";
import type { Plan } from "./planning/plan.ts";
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

/** The words that documents of the preferred sectors are labelled with, whatever a query calls them. */
export function sectorLabels({ preferences }: Plan): string[] {
  return preferences.sectors.flatMap((sector) => SECTOR_NAMES[sector] ?? []);
}

/**
 * What the terms of a plan find by themselves, of what was found by its labels too: a label adds to
 * the score of an observation, but it finds none.
 */
export function foundByTerms(
  companies: readonly CompanyHit[],
  { index, plan }: Pick<Preferring, "index" | "plan">,
): CompanyHit[] {
  const held = new HeldWords();
  const terms = plan.terms.map((term) => held.add([term], LANGUAGES));
  const isFound = ({ observation_id }: ObservationHit) => {
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
  }).sort((a, b) => b.score - a.score || a.company_id - b.company_id);
}

/** What the score of an observation is multiplied by. */
function createFactor({ index, plan, now }: Preferring): (hit: ObservationHit) => number {
  const { preferences, phrases, excluded, hostnames } = plan;
  const held = new HeldWords();
  const sectors = preferences.sectors.map((sector) =>
    held.add(words(SECTORS[sector]), ["english"])
  );
  const quoted = phrases.map((phrase) => held.add(phrase, LANGUAGES));
  const unwanted = excluded.map((own) => held.add(own, LANGUAGES));
  const holders = new Set(hostnames.flatMap((name) => index.companiesWithHostname(name, now)));
  return ({ observation_id, company_id }) => {
    const known = index.get(observation_id);
    if (known === undefined) return 1;
    if (!held.isEmpty) held.read(index, observation_id);
    let factor = factorOfFacts(known, plan);
    if (sectors.some((own) => held.has(own))) factor *= FACTORS.sector;
    // The index does not know which words stand side by side: that all are there has to do.
    if (quoted.some((own) => held.has(own))) factor *= FACTORS.phrase;
    if (holders.has(company_id)) factor *= FACTORS.hostname;
    return unwanted.some((own) => held.has(own)) ? factor * FACTORS.excluded : factor;
  };
}

function factorOfFacts(
  { kind, country, demand_class, occurred_at }: KnownObservation,
  { preferences }: Plan,
): number {
  const { occurred_after, occurred_before } = preferences;
  const timed = occurred_after !== null || occurred_before !== null;
  const inTime = timed && occurred_at !== null &&
    (occurred_after === null || occurred_at >= occurred_after) &&
    (occurred_before === null || occurred_at < occurred_before);
  return (preferences.kinds.includes(kind) ? FACTORS.kind : 1) *
    (preferences.countries.includes(country) ? FACTORS.country : 1) *
    (preferences.demand_classes.includes(demand_class) ? FACTORS.demand_class : 1) *
    (inTime ? FACTORS.time : 1);
}

/** By word: the rows of its stems. */
type Wording = readonly (readonly number[])[];

/** Tells which of a few words an observation holds. */
class HeldWords implements Vocabulary {
  readonly keys: Key[] = [];
  readonly #rows = new Map<string, number>();
  readonly #held = new Set<number>();

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /** @param languages by any of which a word counts as held */
  add(some: readonly string[], languages: readonly (typeof LANGUAGES)[number][]): Wording {
    return some.map((word) => languages.map((language) => this.#rowOf(word, language)));
  }

  row({ bytes }: Key): number {
    return this.keys.findIndex((key) =>
      key.bytes.length === bytes.length && key.bytes.every((byte, at) => byte === bytes[at])
    );
  }

  read(index: ObservationIndex, observationId: number): void {
    this.#held.clear();
    index.readTerms(observationId, this, (row) => this.#held.add(row));
  }

  /** Whether what was read last holds all words. */
  has(wording: Wording): boolean {
    return wording.length > 0 &&
      wording.every((rows) => rows.some((row) => this.#held.has(row)));
  }

  #rowOf(word: string, language: (typeof LANGUAGES)[number]): number {
    const text = stem(word, language);
    const name = `${language} ${text}`;
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    this.#rows.set(name, this.keys.length);
    return this.keys.push(keyOf(LANGUAGES.indexOf(language), text)) - 1;
  }
}
