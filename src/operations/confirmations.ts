/** Remembers what the database has confirmed of pages, so that it need not look them up again. */
import type { DeliveryEntry } from "./action.ts";
import type { ObservationText } from "./observation_text.ts";

/** Maximum number of observations that are remembered. Beyond it, all are forgotten. */
const OBSERVATIONS_MAX = 50_000;

/** A page of entries that the process can show by the texts that it holds. */
export interface ForeseenPage {
  entries: DeliveryEntry[];
  /** The first entry behind the page. The database looks at its first observation. */
  behind?: DeliveryEntry;
  /** Texts by their observations. */
  held: ReadonlyMap<number, ObservationText>;
}

/** The database's word that a page may be shown as the process shows it. */
export interface Confirmation {
  /** Names one state of the dataset, as dataset_moment() does. */
  moment: string;
  /** When the first of the observations that were looked at expires; null if none does. */
  expires_at: string | null;
  /** Names of the companies of the page's entries. */
  company_names: string[];
}

/** An observation that may be shown, for this company. */
interface Confirmed {
  company_id: number;
  /** Undefined for one that was behind a page: whatever its revision is. */
  revision?: string;
  expires_at: string | null;
}

/**
 * Remembers what the database has confirmed, all at one moment of the dataset. It decides nothing: the
 * database says in each settlement whether the moment still lasts, and looks the observations up
 * again if it does not.
 */
export class Confirmations {
  #moment = "";
  readonly #observations = new Map<number, Confirmed>();
  readonly #names = new Map<number, string>();

  /** Returns what is known of a page; undefined if anything of it was not confirmed. */
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

  /** Remembers a page that the database has just confirmed. */
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

/** Instants as PostgreSQL writes them in JSON, in UTC: their texts compare as they do. */
function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
