/** Defines the index of a cluster: its settings, its fields, and records as it stores them. */
import { hash } from "node:crypto";
import { z } from "zod";
import { COUNTRIES, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import { VOCABULARY } from "../changes/history.ts";
import { analyze, type AnalyzedDocument } from "../index/analyze.ts";
import type { ObservationDocument } from "../index/document.ts";
import { microsecondsOf } from "../index/instants.ts";
import { STATES } from "../index/segment.ts";

/**
 * Body that creates an index. A term is stored with its impact as its frequency. With so great a
 * `k1`, the score of a term is its impact times its rarity.
 */
export const INDEX_BODY = {
  settings: {
    // A late writer may repeat older changes. The cluster remembers deletions for this time.
    gc_deletes: "1h",
    similarity: { impact: { type: "BM25", k1: 100_000, b: 0 } },
    analysis: {
      analyzer: {
        impacts: { type: "custom", tokenizer: "whitespace", filter: ["delimited_term_freq"] },
      },
    },
  },
  mappings: {
    dynamic: false,
    properties: {
      terms: {
        type: "text",
        analyzer: "impacts",
        index_options: "freqs",
        norms: false,
        similarity: "impact",
      },
      stream: { type: "text", analyzer: "whitespace", norms: false },
      words: { type: "text", analyzer: "whitespace", index_options: "docs", norms: false },
      states: { type: "keyword" },
      demand_class: { type: "keyword" },
      observation_id: { type: "long" },
      company_id: { type: "long" },
      occurred: { type: "long" },
      observed: { type: "long" },
      expires: { type: "long" },
      closes: { type: "long" },
      amount: { type: "double" },
    },
  },
} as const;

/**
 * Version of terms, stems and impacts. Raise it with every change to them, so that the cluster gets
 * a new index.
 */
const FORMAT = 1;

/** Digest of all that an index depends on, beside the dataset. */
export const INDEX_FORMAT = hash("sha256", JSON.stringify([FORMAT, VOCABULARY, INDEX_BODY]))
  .slice(0, 12);

/** Expiry of a record that does not expire. It is later than every instant. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Fields from which recordOf() makes a record again. */
export const RECORD_FIELDS = ["document", "terms", "stream", "company_length", "fact_length"];

/** A record as the cluster returns it. */
export const StoredRecord = z.object({
  document: z.object({
    observation_id: z.int(),
    company_id: z.int(),
    kind: z.enum(KINDS),
    demand_class: z.enum(DEMAND_CLASSES),
    country: z.enum(COUNTRIES),
    occurred_at: z.string().nullable(),
    observed_at: z.string(),
    expires_at: z.string().nullable(),
    facets: z.array(z.string()),
    amount: z.number().nullable(),
    closes_at: z.string().nullable(),
    sectors: z.int(),
  }),
  terms: z.string(),
  stream: z.string(),
  company_length: z.int(),
  fact_length: z.int(),
});

/** Returns the token of a term in the index. @param key see words/terms.ts */
export function tokenOf(key: number): string {
  return key.toString(36);
}

/** Analyzes a document, and returns it as the cluster stores it. */
export function storedOf(whole: ObservationDocument): Record<string, unknown> {
  const { impacts, words, stream, company_length, fact_length } = analyze(whole);
  const { text: _text, hostnames: _hostnames, ...document } = whole;
  const names = document.facets.map((facet) => facet.slice(0, facet.indexOf(":")));
  return {
    document,
    terms: [...impacts].map(([key, impact]) => `${tokenOf(key)}|${impact}`).join(" "),
    stream: stream.join(" "),
    words: [...words].join(" "),
    company_length,
    fact_length,
    states: [...new Set(names.filter((name) => name in STATES))],
    demand_class: document.demand_class,
    observation_id: document.observation_id,
    company_id: document.company_id,
    occurred: instantOrNull(document.occurred_at),
    observed: microsecondsOf(document.observed_at),
    expires: instantOrNull(document.expires_at) ?? NEVER,
    closes: instantOrNull(document.closes_at),
    amount: document.amount,
  };
}

/** Returns an analyzed document, as storedOf() has stored it. Its texts are absent. */
export function recordOf(stored: z.infer<typeof StoredRecord>): AnalyzedDocument {
  const { terms, stream, company_length, fact_length } = stored;
  const text = { company: "", observed_fact: "", why_it_may_matter: "", texts: [] };
  const impacts = new Map<number, number>();
  for (const term of terms.split(" ")) {
    const bar = term.indexOf("|");
    impacts.set(parseInt(term.slice(0, bar), 36), Number(term.slice(bar + 1)));
  }
  return {
    document: { ...stored.document, hostnames: [], text },
    impacts,
    words: new Set(),
    stream: stream === "" ? [] : stream.split(" ").map(Number),
    company_length,
    fact_length,
  };
}

function instantOrNull(instant: string | null): number | null {
  return instant === null ? null : microsecondsOf(instant);
}
