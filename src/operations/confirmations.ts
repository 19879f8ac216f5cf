/**
 * Caches the database's confirmations that pages may be shown. The database then need not look up
 * the observations of these pages again.
 */
import type { DeliveryEntry } from "./action.ts";
import type { ObservationText } from "./observation_text.ts";

/** Max number of cached observations. If there are more, all are dropped. */
const OBSERVATIONS_MAX = 50_000;

/** The page that a process expects the database to confirm. The process holds all of its texts. */
export interface ForeseenPage {
  entries: DeliveryEntry[];
  /**
   * First entry after the page. If it may be shown, there is a next page. The database checks only
   * its first observation.
   */
  behind?: DeliveryEntry;
  /** Texts by the ids of their observations. */
  held: ReadonlyMap<number, ObservationText>;
}

/** The database's confirmation that a page may be shown as the process shows it. */
export interface Confirmation {
  /** Identifier of a state of the dataset, as dataset_moment() returns it. */
  moment: string;
  /** Time when the first of the checked observations expires; null if none does. */
  expires_at: string | null;
  /** Names of the companies of the page's entries. */
  company_names: string[];
}

/** A confirmed observation: it may be shown for this company. */
interface Confirmed {
  company_id: number;
  /** Undefined for an observation after a page, whose revision does not matter. */
  revision?: string;
  expires_at: string | null;
}

/**
 * Caches confirmations, all of one moment of the dataset. The cache decides nothing. In each
 * settlement, the database checks whether the moment has changed. If so, it looks up the
 * observations again.
 */
export class Confirmations {
  #moment = "";
  readonly #observations = new Map<number, Confirmed>();
  readonly #names = new Map<number, string>();

  /** Returns the cached confirmation of a page; undefined if any part of it was not confirmed. */
  find({ entries, behind, held }: ForeseenPage): Confirmation | undefined {
    const company_names: string[] = [];
    let expires_at: string | null = null;
    const find = (company_id: number, id: number) => {
      const known = this.#observations.get(id);
      if (known?.company_id !== company_id) return;
      expires_at = earliest(expires_at, known.expires_at);
      return known;
    };
    for (const { company_id, observation_ids } of entries) {
      const isKnown = observation_ids.every((id) => {
        const revision = find(company_id, id)?.revision;
        return revision !== undefined && revision === held.get(id)?.revision;
      });
      const name = this.#names.get(company_id);
      if (!isKnown || name === undefined) return;
      company_names.push(name);
    }
    if (behind && !find(behind.company_id, behind.observation_ids[0]!)) return;
    return { moment: this.#moment, expires_at, company_names };
  }

  /** Adds a page that the database has just confirmed. */
  add(
    { entries, behind, held }: ForeseenPage,
    { moment, expires_at, company_names }: Confirmation,
  ): void {
    if (moment !== this.#moment || this.#observations.size > OBSERVATIONS_MAX) {
      this.#moment = moment;
      this.#observations.clear();
      this.#names.clear();
    }
    for (const [place, { company_id, observation_ids }] of entries.entries()) {
      this.#names.set(company_id, company_names[place]!);
      for (const id of observation_ids) {
        const { revision } = held.get(id)!;
        this.#observations.set(id, { company_id, revision, expires_at });
      }
    }
    if (behind) {
      const [id] = behind.observation_ids as [number];
      const { company_id } = behind;
      this.#observations.set(id, { ...this.#observations.get(id), company_id, expires_at });
    }
  }
}

/**
 * Returns the earlier instant. PostgreSQL writes instants in JSON in UTC, so their texts sort in
 * order of time.
 */
function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
