/** Observations in the form of the wire: written once per revision and kept in the process. */
import type { Evidence, NestedObservation } from "../contract/observation.ts";
import { RECORD_LIMITS } from "../contract/record.ts";
import { Confirmations } from "./confirmations.ts";

/** Body of an observation from observation_bodies(); instants as the wire writes them. */
export interface ObservationBody extends Omit<NestedObservation, "id" | "evidence" | "categories"> {
  source_id: number;
  last_seen_at: string | null;
  categories: NonNullable<NestedObservation["categories"]>;
  evidence: Omit<Evidence, "last_seen_at">[];
}

/** One revision of an observation, ready to be put into answers. */
export interface ObservationText {
  /** Names what is shown, as observation_revision() does. */
  revision: string;
  source_id: number;
  demand_class: NestedObservation["demand_class"];
  observed_at: string;
  why_it_may_matter: string;
  /** JSON of the observation without its company. */
  text: string;
}

/** Maximum number of bytes that texts take in the process, each character counted as two. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

/** Bytes of an entry beside its text: the object, its place in the map, its shorter texts. */
const ENTRY_BYTES = 500;

/**
 * A bounded memory of texts, the longest unused one going first. It decides nothing: a statement says
 * for each answer which revisions may be shown, and only a text of exactly that revision is used.
 */
export class ObservationTexts {
  /** Remembers which of them the database has confirmed. */
  readonly confirmations = new Confirmations();
  readonly #texts = new Map<number, ObservationText>();
  readonly #bytes_max: number;
  #bytes = 0;

  constructor(bytes_max = TEXT_BYTES_MAX) {
    this.#bytes_max = bytes_max;
  }

  /** Bytes that the texts take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the revision that is kept, whichever it is. */
  find(id: number): ObservationText | undefined {
    const kept = this.#texts.get(id);
    if (kept === undefined) return;
    this.#texts.delete(id);
    this.#texts.set(id, kept);
    return kept;
  }

  /** Writes a body down and keeps the text in place of an earlier revision. */
  write(id: number, revision: string, body: ObservationBody): ObservationText {
    const { source_id, demand_class, observed_at, why_it_may_matter } = body;
    const text = JSON.stringify(nestedObservation(id, body));
    const written = { revision, source_id, demand_class, observed_at, why_it_may_matter, text };
    this.#drop(id);
    // An excerpt that an earlier version has stored whole is cut without a new revision.
    if (!body.evidence.some(isUncut)) {
      this.#texts.set(id, written);
      this.#bytes += bytesOf(written);
      this.#dropOldest();
    }
    return written;
  }

  #drop(id: number): void {
    const kept = this.#texts.get(id);
    if (kept === undefined) return;
    this.#texts.delete(id);
    this.#bytes -= bytesOf(kept);
  }

  #dropOldest(): void {
    for (const id of this.#texts.keys()) {
      if (this.#bytes <= this.#bytes_max) return;
      this.#drop(id);
    }
  }
}

function bytesOf({ text, why_it_may_matter }: ObservationText): number {
  return ENTRY_BYTES + 2 * (text.length + why_it_may_matter.length);
}

function isUncut({ excerpt }: { excerpt: string }): boolean {
  return [...excerpt].length > RECORD_LIMITS.excerpt_characters;
}

function nestedObservation(id: number, body: ObservationBody): NestedObservation {
  const { kind, observed_fact, why_it_may_matter, demand_class, country, confidence } = body;
  const { occurred_at, observed_at, expires_at, categories, last_seen_at } = body;
  return {
    id,
    kind,
    observed_fact,
    why_it_may_matter,
    demand_class,
    country,
    confidence,
    occurred_at,
    observed_at,
    expires_at,
    evidence: last_seen_at === null
      ? body.evidence
      : body.evidence.map((evidence) => ({ ...evidence, last_seen_at })),
    ...categories.length > 0 && { categories },
  };
}
