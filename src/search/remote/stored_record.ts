/** Defines the index of a cluster: its settings, its fields, and records as it stores them. */
import { hash } from "node:crypto";
import { VOCABULARY } from "../changes/history.ts";
import { analyze, type AnalyzedDocument } from "../index/analyze.ts";
import { COLUMNS, type DocumentNumbers, type ObservationDocument } from "../index/document.ts";

/** A field with words. Their number does not count. */
const TEXT = { type: "text", norms: false };

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
    // They are searched, but not read.
    _source: { excludes: ["stream", "words"] },
    properties: {
      terms: { ...TEXT, analyzer: "impacts", index_options: "freqs", similarity: "impact" },
      stream: { ...TEXT, analyzer: "whitespace" },
      words: { ...TEXT, analyzer: "whitespace", index_options: "docs" },
      ...fieldsOf("keyword", ["kind", "country", "demand_class"]),
      ...fieldsOf("long", ["observation_id", "company_id"]),
      ...fieldsOf("long", ["occurred_at", "observed_at", "expires_at", "closes_at"]),
      amount: { type: "double" },
    },
  },
};

function fieldsOf(type: string, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { type }]));
}

/** Digest of all that an index depends on, beside the dataset. */
export const INDEX_FORMAT = hash("sha256", JSON.stringify([VOCABULARY, INDEX_BODY])).slice(0, 12);

/** Returns the token of a term in the index. @param key see words/terms.ts */
export function tokenOf(key: number): string {
  return key.toString(36);
}

/** A record as the cluster stores it. JSON has no NaN, but null. */
export type StoredRecord = ReturnType<typeof storedOf>;

/** Analyzes a document, and returns it as the cluster stores it. */
export function storedOf(document: ObservationDocument) {
  const { numbers, keys, impacts, words, stream } = analyze(document);
  return {
    ...numbers,
    // A record that does not expire has a number as well, because filters compare numbers.
    expires_at: Math.min(numbers.expires_at, Number.MAX_SAFE_INTEGER),
    terms: Array.from(keys, (key, n) => `${tokenOf(key)}|${impacts[n]}`).join(" "),
    /** Words that are found next to each other. */
    stream: stream.join(" "),
    stream_length: stream.length,
    words,
  };
}

/**
 * Returns an analyzed document, as storedOf() has stored it, with some of its terms. Its stream has
 * only the number of words, by which the judge knows the length of the text.
 *
 * @param tokens tokens of the terms that are kept
 */
export function recordOf(
  { terms, stream_length, ...numbers }: StoredRecord,
  tokens: ReadonlySet<string>,
): AnalyzedDocument {
  const keys: number[] = [];
  const impacts: number[] = [];
  for (const term of terms.split(" ")) {
    const bar = term.indexOf("|");
    const token = term.slice(0, bar);
    if (!tokens.has(token)) continue;
    keys.push(parseInt(token, 36));
    impacts.push(Number(term.slice(bar + 1)));
  }
  return {
    numbers: Object.fromEntries(
      Object.keys(COLUMNS).map((name) => [name, numbers[name as keyof DocumentNumbers] ?? NaN]),
    ) as DocumentNumbers,
    keys: Float64Array.from(keys),
    impacts: Uint8Array.from(impacts),
    words: "",
    stream: new Uint16Array(stream_length),
  };
}
