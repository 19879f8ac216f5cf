/** Searches and lists the records that are ranked, within the limits of a request. */
import type { SearchFilters } from "../../contract/filters.ts";
import type { ObservationHit } from "../engine/collecting.ts";
import type { Narrowing } from "../index/mapping.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import type { AskedWord } from "../reading/question.ts";

/** Filters of a search with the conditions of its question. */
export interface Conditions extends Narrowing {
  filters: SearchFilters;
}

/** Max number of companies and of observations per company, or max number of observations. */
type Limits = { companies: number; observations_per_company: number } | { limit: number };

/** Finds observations for a ranking of companies or of observations. */
export class Gatherer {
  readonly index: ObservationIndex;
  readonly #limits: Limits;
  readonly #now: string;

  /**
   * @param now instant (form: contract/instant.ts); observations that have expired by then are left
   * out
   */
  constructor(index: ObservationIndex, limits: Limits, now: string) {
    this.index = index;
    this.#limits = limits;
    this.#now = now;
  }

  /** Number of companies or observations after which a search may stop. */
  get enough(): number {
    return "limit" in this.#limits ? this.#limits.limit : this.#limits.companies;
  }

  /** True if the records of a company are ranked together. */
  get groups(): boolean {
    return "companies" in this.#limits;
  }

  /** Searches by words. The score of a record does not depend on the conditions. */
  search(words: readonly (string | AskedWord)[], conditions: Conditions): ObservationHit[] {
    const request = { ...conditions, words, now: this.#now };
    if ("limit" in this.#limits) {
      return this.index.searchObservations({ ...request, ...this.#limits });
    }
    return this.index.shortlist({ ...request, ...this.#limits })
      .flatMap(({ observations }) => observations);
  }

  /** Lists the admitted observations, the latest first, with a score of 0. */
  list(conditions: Conditions): ObservationHit[] {
    const request = { ...conditions, now: this.#now };
    if ("limit" in this.#limits) {
      return this.index.listObservations({ ...request, ...this.#limits });
    }
    return this.index.listCompanies({ ...request, ...this.#limits })
      .flatMap(({ observations }) => observations);
  }
}
