/** Writes observations as JSON, once per revision, and caches the texts in the process. */
import type { Evidence, NestedObservation } from "../contract/observation.ts";
import { JsonText } from "../contract/json_text.ts";
import { RECORD_LIMITS } from "../contract/record.ts";
import { Confirmations } from "./confirmations.ts";

/** Body of an observation from observation_bodies(), with instants in the form of the API. */
export interface ObservationBody extends Omit<NestedObservation, "id" | "evidence" | "categories"> {
  source_id: number;
  last_seen_at: string | null;
  categories: NonNullable<NestedObservation["categories"]>;
  evidence: Omit<Evidence, "last_seen_at">[];
}

/** One revision of an observation as JSON text for answers. */
export interface ObservationText {
  /** Identifier of the shown revision, as observation_revision() returns it. */
  revision: string;
  source_id: number;
  demand_class: NestedObservation["demand_class"];
  observed_at: string;
  why_it_may_matter: string;
  /** The observation without its company. */
  json: JsonText;
}

/** Max number of bytes of all texts in the process. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Number of bytes of an entry in addition to its text: its object, its slot in the map, and its
 * shorter texts.
 */
const ENTRY_BYTES = 500;

interface Kept {
  written: ObservationText;
  /** True if the text was used since it was written or last moved to the end. */
  used: boolean;
}

/**
 * Bounded cache of texts. The oldest text is dropped first, unless it was used: it then moves to
 * the end and counts as unused again. The cache does not decide which texts may be shown. For each
 * answer, a statement returns the revisions that may be shown. Only texts of these revisions are
 * used.
 */
export class ObservationTexts {
  /** Cached confirmations of pages by the database. */
  readonly confirmations = new Confirmations();
  readonly #texts = new Map<number, Kept>();
  readonly #bytes_max: number;
  #bytes = 0;

  constructor(bytes_max = TEXT_BYTES_MAX) {
    this.#bytes_max = bytes_max;
  }

  /** Number of bytes of the texts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the cached revision of an observation. */
  find(id: number): ObservationText | undefined {
    const kept = this.#texts.get(id);
    if (kept === undefined) return;
    // The use is only noted. If each use moved the entry, the map would often rebuild its table.
    kept.used = true;
    return kept.written;
  }

  /** Writes a body as JSON and caches the text in place of an earlier revision. */
  write(id: number, revision: string, body: ObservationBody): ObservationText {
    const { source_id, demand_class, observed_at, why_it_may_matter } = body;
    const json = new JsonText(JSON.stringify(nestedObservation(id, body)));
    const written = { revision, source_id, demand_class, observed_at, why_it_may_matter, json };
    this.#drop(id);
    // An earlier version of the service may have stored an overlong excerpt. Its text is not
    // cached, because cutting the stored excerpt later does not change the revision.
    if (!body.evidence.some(isUncut)) {
      this.#texts.set(id, { written, used: false });
      this.#bytes += bytesOf(written);
      this.#dropOldest(id);
    }
    return written;
  }

  #drop(id: number): void {
    const kept = this.#texts.get(id);
    if (kept === undefined) return;
    this.#texts.delete(id);
    this.#bytes -= bytesOf(kept.written);
  }

  /** Drops the oldest texts. @param newest observation that stays, even if all others were used */
  #dropOldest(newest: number): void {
    // The iteration includes entries that are added at the end.
    for (const [id, { written, used }] of this.#texts) {
      if (this.#bytes <= this.#bytes_max || this.#texts.size === 1) return;
      if (used || id === newest) {
        this.#texts.delete(id);
        this.#texts.set(id, { written, used: false });
      } else this.#drop(id);
    }
  }
}

/**
 * Returns the number of bytes of an entry. A character takes two bytes. A character of the JSON
 * takes two more, because the JSON is also kept in UTF-8, both plain and quoted.
 */
function bytesOf({ json, why_it_may_matter }: ObservationText): number {
  return ENTRY_BYTES + 4 * json.text.length + 2 * why_it_may_matter.length;
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
