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

/** Gathers for companies or for observations. */
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

  /** Max number of companies or observations that are needed. */
  get enough(): number {
    return "limit" in this.#limits ? this.#limits.limit : this.#limits.companies;
  }

  /** True if the records of a company are ranked together. */
  get groups(): boolean {
    return "companies" in this.#limits;
  }

  /** Searches by words. The score of a record is the same under all conditions. */
  search(words: readonly (string | AskedWord)[], conditions: Conditions): ObservationHit[] {
    const asked = { ...conditions, words, now: this.#now };
    if ("limit" in this.#limits) {
      return this.index.searchObservations({ ...asked, ...this.#limits });
    }
    return this.index.shortlist({ ...asked, ...this.#limits })
      .flatMap(({ observations }) => observations);
  }

  /** Lists the admitted observations, the latest first, with a score of 0. */
  list(conditions: Conditions): ObservationHit[] {
    const asked = { ...conditions, now: this.#now };
    if ("limit" in this.#limits) return this.index.listObservations({ ...asked, ...this.#limits });
    return this.index.listCompanies({ ...asked, ...this.#limits })
      .flatMap(({ observations }) => observations);
  }
}
