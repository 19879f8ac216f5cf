/**
 * The observations of one replica in memory. All that the rest of the service sees of Orama is this
 * class: documents go in and out by their id, words come in, scored observations come out.
 */
import { create, insert, remove } from "@orama/orama";
import { type DocumentText, hasExpired, type ObservationDocument } from "../document.ts";
import { createPostingsIndex, type Field, rank } from "./postings.ts";
import { detectLanguage, type Language } from "./tokens.ts";

/** Who and what before the rest. The bits leave room for what a field can hold. */
const FIELDS: Readonly<Record<keyof DocumentText, Field>> = {
  company: { weight: 3, bits: 4 },
  observed_fact: { weight: 2, bits: 6 },
  why_it_may_matter: { weight: 1, bits: 5 },
  excerpts: { weight: 1, bits: 10 },
  english_labels: { weight: 1, bits: 3, language: "english" },
  french_labels: { weight: 1, bits: 3, language: "french" },
};

const SCHEMA = {
  company: "string",
  observed_fact: "string",
  why_it_may_matter: "string",
  excerpts: "string[]",
  english_labels: "string",
  french_labels: "string",
} as const;

/** What Orama keeps: the searched texts, and the document they belong to. */
interface Row extends DocumentText {
  id: string;
  document: ObservationDocument;
  /** Of the texts that do not tell theirs: names, single words. */
  language: Language;
}

/** After every instant, as texts compare. */
const NEVER = "~";

export interface Hit {
  document: ObservationDocument;
  score: number;
}

export class ObservationIndex {
  #orama = create({
    schema: SCHEMA,
    sort: { enabled: false },
    components: { index: createPostingsIndex(SCHEMA, FIELDS) },
  });
  #rows = new Map<number, Row>();
  /** Hostname -> company -> its observations that support the hostname. */
  #hostnames = new Map<string, Map<number, Set<ObservationDocument>>>();
  /** No document expires before. */
  #nextExpiry = NEVER;

  get size(): number {
    return this.#rows.size;
  }

  /** Adds a document, in the place of an earlier one of the same observation. */
  put(document: ObservationDocument): void {
    this.remove(document.observation_id);
    const { text } = document;
    const language = detectLanguage(`${text.observed_fact} ${text.why_it_may_matter}`);
    const row = { ...text, id: String(document.observation_id), document, language };
    insert(this.#orama, row, language);
    this.#rows.set(document.observation_id, row);
    this.#link(document);
    this.#nextExpiry = earlier(this.#nextExpiry, document.expires_at);
  }

  /** Takes an observation out; one that is not there is no error. */
  remove(observationId: number): void {
    const row = this.#rows.get(observationId);
    if (row === undefined) return;
    remove(this.#orama, row.id, row.language);
    this.#rows.delete(observationId);
    this.#unlink(row.document);
  }

  /**
   * Takes out what has expired by `now`: scores depend on all documents, so that replicas agree only
   * while they hold the same ones.
   */
  evictExpired(now: string): void {
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = NEVER;
    for (const { document } of this.#rows.values()) {
      if (hasExpired(document, now)) this.remove(document.observation_id);
      else this.#nextExpiry = earlier(this.#nextExpiry, document.expires_at);
    }
  }

  /** The observations that hold at least one of the words and are admitted, in no order. */
  search(
    words: readonly string[],
    admits: (document: ObservationDocument) => boolean = () => true,
  ): Hit[] {
    const { documentsStore, data } = this.#orama;
    const { documents, scores } = rank(data.index, words);
    const hits: Hit[] = [];
    for (const internalId of documents) {
      const { document } = documentsStore.get(data.docs, internalId) as unknown as Row;
      if (admits(document)) hits.push({ document, score: scores[internalId]! });
    }
    return hits;
  }

  /** The companies that hold a hostname by an observation that has not expired by `now`. */
  companiesWithHostname(hostname: string, now: string): number[] {
    const companies = this.#hostnames.get(hostname);
    if (companies === undefined) return [];
    return [...companies.keys()].filter((company) =>
      companies.get(company)!.values().some((document) => !hasExpired(document, now))
    );
  }

  #link(document: ObservationDocument): void {
    for (const hostname of document.hostnames) {
      let companies = this.#hostnames.get(hostname);
      if (!companies) this.#hostnames.set(hostname, companies = new Map());
      let supporting = companies.get(document.company_id);
      if (!supporting) companies.set(document.company_id, supporting = new Set());
      supporting.add(document);
    }
  }

  #unlink(document: ObservationDocument): void {
    for (const hostname of document.hostnames) {
      const companies = this.#hostnames.get(hostname)!;
      const supporting = companies.get(document.company_id)!;
      supporting.delete(document);
      if (supporting.size === 0) companies.delete(document.company_id);
      if (companies.size === 0) this.#hostnames.delete(hostname);
    }
  }
}

function earlier(a: string, b: string | null): string {
  return b !== null && b < a ? b : a;
}
