/**
 * Lists admitted documents without any words: what occurred last comes first, then the lower id. What
 * never occurred comes last. Companies stand in the order of their first documents.
 */
import { Admission, type Conditions } from "./admission.ts";
import type { ObservationHit } from "./collectors.ts";
import type { CompanyHit } from "./companies.ts";
import type { DocumentFacts } from "./drafts.ts";
import type { Segment } from "./segment.ts";
import type { Tail } from "./tail.ts";

type Occurrence = Pick<DocumentFacts, "id" | "company_id" | "occurred">;

/** Documents beyond the limit that are kept before the list is sorted and cut. */
const SLACK_MIN = 64;

/** The documents of an index, and which of them are admitted. */
export class Listing {
  readonly #segments: readonly { segment: Segment; admission: Admission }[];
  readonly #tail: readonly DocumentFacts[];

  constructor(
    { segments, tail }: { segments: readonly Segment[]; tail: Tail },
    conditions: Conditions,
  ) {
    this.#segments = segments
      .map((segment) => ({ segment, admission: new Admission(segment, conditions) }))
      .filter(({ admission }) => admission.count > 0);
    this.#tail = [...tail.admitted(conditions)];
  }

  /** Returns the first documents. Their score is 0. */
  documents(limit: number): ObservationHit[] {
    return this.#first(limit).map(hitOf);
  }

  /** Returns the first companies, each with its first documents. Their score is 0. */
  companies(limits: { companies: number; observations_per_company: number }): CompanyHit[] {
    const ids = this.#companyIds(limits.companies);
    return ids.map((company_id) => ({
      company_id,
      score: 0,
      observations: this.#ofCompany(company_id, limits.observations_per_company),
    }));
  }

  /** Takes more documents until there are enough companies among them. */
  #companyIds(limit: number): number[] {
    if (limit === 0) return [];
    for (let count = 8 * limit;; count *= 8) {
      const first = this.#first(count);
      const ids = new Set(first.map(({ company_id }) => company_id));
      if (ids.size >= limit || first.length < count) return [...ids].slice(0, limit);
    }
  }

  #first(limit: number): Occurrence[] {
    const newest = new Newest(limit);
    for (const { segment, admission } of this.#segments) {
      const { ids } = segment.parts;
      for (const document of admission.documents()) {
        const occurred = segment.occurred(document);
        if (!newest.wants(occurred)) continue;
        newest.add({ id: ids[document]!, company_id: segment.companyId(document), occurred });
      }
    }
    for (const facts of this.#tail) newest.add(facts);
    return newest.list();
  }

  #ofCompany(companyId: number, limit: number): ObservationHit[] {
    const newest = new Newest(limit);
    for (const { segment, admission } of this.#segments) {
      const { ids, companyStarts, companyDocuments } = segment.parts;
      const company = segment.company(companyId);
      if (company < 0) continue;
      for (let at = companyStarts[company]!; at < companyStarts[company + 1]!; at++) {
        const document = companyDocuments[at]!;
        if (!admission.admits(document)) continue;
        newest.add({
          id: ids[document]!,
          company_id: companyId,
          occurred: segment.occurred(document),
        });
      }
    }
    for (const facts of this.#tail) if (facts.company_id === companyId) newest.add(facts);
    return newest.list().map(hitOf);
  }
}

/** Keeps the newest documents: sorts and cuts its list whenever it has doubled. */
class Newest {
  readonly #limit: number;
  #kept: Occurrence[] = [];
  /** No document that occurred before can be among the first. */
  #bound = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Tells whether a document that occurred then may be among the first. */
  wants(occurred: number): boolean {
    return occurred >= this.#bound;
  }

  add(document: Occurrence): void {
    this.#kept.push(document);
    if (this.#kept.length >= 2 * this.#limit + SLACK_MIN) this.#cut();
  }

  list(): Occurrence[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept = this.#kept.sort(compareOccurrences).slice(0, this.#limit);
    if (this.#kept.length === this.#limit) this.#bound = this.#kept.at(-1)?.occurred ?? Infinity;
  }
}

/** Compares without subtracting: two that never occurred are alike. */
function compareOccurrences(a: Occurrence, b: Occurrence): number {
  if (a.occurred !== b.occurred) return a.occurred > b.occurred ? -1 : 1;
  return a.id - b.id;
}

function hitOf({ id, company_id }: Occurrence): ObservationHit {
  return { observation_id: id, company_id, score: 0 };
}
