/**
 * Reports on a file: the number of records that would be recorded, their facets, and the reasons
 * why others would not.
 */
import type { SourceEntry } from "./entry.ts";
import type { NormalRecord } from "./normalize.ts";
import { type CountedReason, Reasons } from "./reasons.ts";

/** Statistics of lengths in characters. */
export interface Lengths {
  count: number;
  median: number;
  p90: number;
  max: number;
}

/** The report on one file, or on several files together. Shares are from 0 to 1. */
export interface Quality {
  /** Number of records of the source: accepted + rejected + left_out. */
  read: number;
  accepted: number;
  /**
   * Number of accepted records that replace an earlier record of the same source and external id.
   */
  repeated: number;
  rejected: number;
  left_out: number;
  /** Records that may have been read wrongly, and damaged rows that may have hidden records. */
  doubtful: number;
  excerpts_cut: number;
  kinds: Record<string, number>;
  countries: Record<string, number>;
  demand_classes: Record<string, number>;
  left_out_reasons: CountedReason[];
  rejected_reasons: CountedReason[];
  /** Reasons of doubtful records that are not rejected. They name the lines. */
  doubtful_reasons: CountedReason[];
  excerpts: Lengths;
  texts: Lengths;
  /**
   * Share of accepted records with each facet. A member of a facet has a key such as
   * "employment.pay".
   */
  facets: Record<string, number>;
  /** Share of accepted records with a category, and number of records per category. */
  categories: { filled: number; records: Record<string, number> };
  /**
   * Number of distinct companies of the source, and shares of them with a hostname or a register
   * identifier. Hostnames and identifiers join companies with those of other sources.
   */
  companies: { distinct: number; with_hostname: number; with_identifier: number };
}

/** Counts entries one by one. It keeps the ids of records and companies, but no texts. */
export class QualityMeter {
  #read = 0;
  #accepted = 0;
  #excerptsCut = 0;
  #repeated = 0;
  readonly #leftOut = new Reasons();
  readonly #rejected = new Reasons();
  readonly #doubtful = new Reasons();
  #doubtfulCount = 0;
  readonly #ids = new Set<string>();
  readonly #companies = new Map<string, { hostname: boolean; identifier: boolean }>();
  readonly #kinds = new Tally();
  readonly #countries = new Tally();
  readonly #demandClasses = new Tally();
  readonly #facets = new Tally();
  readonly #categories = new Tally();
  readonly #excerpts = new Tally<number>();
  readonly #texts = new Tally<number>();
  #categorized = 0;

  /** Counts one record of the source. */
  add({ judged, line, doubt }: Omit<SourceEntry, "raw">): void {
    this.#read++;
    if (doubt !== undefined) {
      this.#doubtfulCount++;
      if (!("reason" in judged)) this.#doubtful.add(`line ${line}: ${doubt}`);
    }
    if ("left_out" in judged) return this.#leftOut.add(judged.left_out);
    if ("reason" in judged) return this.#rejected.add(judged.reason);
    this.#accepted++;
    this.#excerptsCut += judged.excerpts_cut ?? 0;
    this.#addRecord(judged.record);
  }

  /** Returns the report on all added records. */
  report(): Quality {
    const left_out_reasons = this.#leftOut.list();
    const rejected_reasons = this.#rejected.list();
    const companies = [...this.#companies.values()];
    const share = (count: number, of: number) =>
      of === 0 ? 0 : Math.round(count / of * 10_000) / 10_000;
    const facets = Object.entries(this.#facets.byName())
      .map(([name, count]) => [name, share(count, this.#accepted)]);
    return {
      read: this.#read,
      accepted: this.#accepted,
      repeated: this.#repeated,
      rejected: sum(rejected_reasons),
      left_out: sum(left_out_reasons),
      doubtful: this.#doubtfulCount,
      excerpts_cut: this.#excerptsCut,
      kinds: this.#kinds.byCount(),
      countries: this.#countries.byCount(),
      demand_classes: this.#demandClasses.byCount(),
      left_out_reasons,
      rejected_reasons,
      doubtful_reasons: this.#doubtful.list(),
      excerpts: lengthsOf(this.#excerpts),
      texts: lengthsOf(this.#texts),
      facets: Object.fromEntries(facets),
      categories: {
        filled: share(this.#categorized, this.#accepted),
        records: this.#categories.byName(),
      },
      companies: {
        distinct: companies.length,
        with_hostname: share(companies.filter((one) => one.hostname).length, companies.length),
        with_identifier: share(companies.filter((one) => one.identifier).length, companies.length),
      },
    };
  }

  #addRecord(record: NormalRecord): void {
    const id = JSON.stringify([record.source, record.external_id]);
    if (this.#ids.has(id)) this.#repeated++;
    this.#ids.add(id);
    this.#kinds.add(record.kind);
    this.#countries.add(record.country);
    this.#demandClasses.add(record.demand_class);
    for (const category of record.categories) this.#categories.add(category);
    if (record.categories.length > 0) this.#categorized++;
    for (const name of facetNames(record.facets)) this.#facets.add(name);
    for (const { excerpt } of record.evidence) this.#excerpts.add(excerpt.length);
    for (const text of record.texts) this.#texts.add(text.length);
    this.#addCompany(record);
  }

  #addCompany(record: NormalRecord): void {
    const { source, company_external_id, normalized_name, legal_form, country } = record;
    const key = JSON.stringify(
      company_external_id === null
        ? [source, normalized_name, legal_form, country]
        : [source, company_external_id],
    );
    const known = this.#companies.get(key);
    this.#companies.set(key, {
      hostname: known?.hostname || record.hostnames.length > 0,
      identifier: known?.identifier || record.company_identifiers.length > 0,
    });
  }
}

/** Lists the facets of a record. Members of objects, and of objects in lists, are listed too. */
function facetNames(facets: NormalRecord["facets"]): Set<string> {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(facets)) {
    names.add(name);
    // The members of an amount are always the same, so they are not listed.
    if (name === "amount") continue;
    for (const one of [value].flat()) {
      if (typeof one !== "object" || one === null) continue;
      for (const member of Object.keys(one)) names.add(`${name}.${member}`);
    }
  }
  return names;
}

/** Counts how often each value occurs. */
class Tally<Value extends string | number = string> {
  readonly counts = new Map<Value, number>();

  add(value: Value): void {
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
  }

  byCount(): Record<string, number> {
    return Object.fromEntries([...this.counts].sort(([, a], [, b]) => b - a));
  }

  byName(): Record<string, number> {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => a < b ? -1 : 1));
  }
}

/**
 * Returns statistics of lengths. The 90th percentile, for example, is the smallest length that at
 * least 90% of the lengths do not exceed.
 */
function lengthsOf({ counts }: Tally<number>): Lengths {
  const lengths = [...counts].sort(([a], [b]) => a - b);
  const count = lengths.reduce((total, [, times]) => total + times, 0);
  const atShare = (share: number) => {
    let passed = 0;
    for (const [length, times] of lengths) {
      passed += times;
      if (passed >= share * count) return length;
    }
    return 0;
  };
  return { count, median: atShare(0.5), p90: atShare(0.9), max: lengths.at(-1)?.[0] ?? 0 };
}

function sum(reasons: readonly CountedReason[]): number {
  return reasons.reduce((total, { count }) => total + count, 0);
}
