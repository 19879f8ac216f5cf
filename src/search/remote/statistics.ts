/** Asks a cluster how many records contain the terms that the reading of a query depends on. */
import { z } from "zod";
import { microsecondsOf } from "../index/instants.ts";
import type { RecordFilters } from "../match/criteria.ts";
import type { IndexedWords, Question } from "../question/question.ts";
import { LANGUAGES } from "../words/language.ts";
import { bestCorrections, SpellingIndex } from "../words/spelling.ts";
import { keyOf, termOf } from "../words/terms.ts";
import type { Cluster } from "./cluster.ts";
import { tokenOf } from "./stored_record.ts";

/** Max number of words near a misspelled word that a shard returns. */
const NEAR_WORDS = 50;

/** Max number of companies with a hostname. A domain belongs to one company, or to few. */
const COMPANIES_MAX = 10_000;

const Buckets = z.object({
  buckets: z.record(
    z.string(),
    z.object({
      doc_count: z.int(),
      companies: z.object({ buckets: z.array(z.object({ key: z.int() })) }).optional(),
    }),
  ),
});

const Answer = z.object({
  hits: z.object({ total: z.object({ value: z.int() }) }),
  aggregations: z.object({ terms: Buckets, hostnames: Buckets }).partial().optional(),
  suggest: z.record(
    z.string(),
    z.array(z.object({ options: z.array(z.object({ text: z.string(), freq: z.int() })) })),
  ).optional(),
});

/** A search of a cluster. */
export interface RemoteRequest {
  alias: string;
  /** Reads the query with what is known of the index. */
  read(words: IndexedWords): Question;
  filters: RecordFilters;
  /** Max milliseconds of all requests together. */
  milliseconds: number;
}

/** Numbers and words of a whole cluster, with which a query is read. */
export interface ClusterStatistics extends IndexedWords {
  /** Number of records. */
  count: number;
  /** Number of records with each term that was asked for. */
  frequencies: ReadonlyMap<number, number>;
  /** Returns the companies with one of the hostnames of the filters in unexpired records. */
  companiesWith(hostnames: readonly string[]): number[];
}

/**
 * Asks for all statistics of a search in one request. The query is read twice for that: as if all
 * terms were in the index, and as if none were.
 */
export async function readStatistics(
  cluster: Cluster,
  { alias, read, filters, milliseconds }: RemoteRequest,
): Promise<ClusterStatistics> {
  const keys = new Set<number>();
  const words = new Set<string>();
  for (const answer of [0, 1]) {
    const { units } = read({
      frequency: (key) => (keys.add(key), answer),
      corrections: (word) => (words.add(word), []),
    });
    for (const { ways } of units) for (const way of ways) for (const key of way.keys) keys.add(key);
  }
  const terms = [...keys].map(tokenOf).map((token) => [token, { term: { terms: token } }]);
  const hostnames = [...filters.domains, ...filters.exclude_domains];
  const { hits, aggregations, suggest } = await cluster.ask({
    method: "POST",
    path: `${alias}/_search?allow_partial_search_results=false`,
    milliseconds,
    body: {
      size: 0,
      track_total_hits: true,
      aggs: {
        ...keys.size > 0 && { terms: { filters: { filters: Object.fromEntries(terms) } } },
        ...hostnames.length > 0 && { hostnames: hostnameAggregation(hostnames, filters.now) },
      },
      suggest: Object.fromEntries([...words].map((text) => [`_${text}`, suggestionOf(text)])),
    },
  }, Answer);
  const frequencies = new Map([...keys].map((key) => {
    return [key, aggregations?.terms?.buckets[tokenOf(key)]?.doc_count ?? 0];
  }));
  const corrections = new Map([...words].map((word) => {
    const options = suggest?.[`_${word}`]?.flatMap((one) => one.options) ?? [];
    return [word, correctionsOf(word, options, frequencies)];
  }));
  return {
    // The position of the writer is a document as well.
    count: Math.max(0, hits.total.value - 1),
    frequencies,
    frequency: (key) => frequencies.get(key) ?? 0,
    corrections: (word) => corrections.get(word) ?? [],
    companiesWith: (named) =>
      named.flatMap((one) => aggregations?.hostnames?.buckets[one]?.companies?.buckets ?? [])
        .map(({ key }) => key),
  };
}

function hostnameAggregation(hostnames: readonly string[], now: string) {
  const filterOf = (hostname: string) => ({
    bool: {
      filter: [
        { term: { terms: tokenOf(keyOf(`host:${hostname}`)) } },
        { range: { expires_at: { gt: microsecondsOf(now) } } },
      ],
    },
  });
  return {
    filters: { filters: Object.fromEntries(hostnames.map((one) => [one, filterOf(one)])) },
    aggs: { companies: { terms: { field: "company_id", size: COMPANIES_MAX } } },
  };
}

function suggestionOf(text: string) {
  return {
    text,
    term: {
      field: "words",
      suggest_mode: "missing",
      // The misspelled words that people write begin with the right letter.
      prefix_length: 1,
      min_word_length: 4,
      size: NEAR_WORDS,
    },
  };
}

/**
 * Returns the best corrections of a word, by the rules of the index in memory. Their stems get the
 * frequencies of the words, because a reading asks for them as soon as it knows the words.
 */
function correctionsOf(
  word: string,
  options: readonly { text: string; freq: number }[],
  frequencies: Map<number, number>,
): string[] {
  const counts = new Map(options.map(({ text, freq }) => [text, freq]));
  const texts = [...counts.keys()];
  const near = new SpellingIndex(texts, SpellingIndex.deletionsOf(texts)).near(word);
  const best = bestCorrections(word, near, (text) => counts.get(text) ?? 0);
  for (const text of best) {
    for (const language of LANGUAGES) {
      const key = keyOf(termOf([text], language));
      if (!frequencies.get(key)) frequencies.set(key, counts.get(text) ?? 0);
    }
  }
  return best;
}
