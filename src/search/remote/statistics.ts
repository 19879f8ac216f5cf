/** Asks a cluster how many records contain the terms that the reading of a query depends on. */
import { z } from "zod";
import type { IndexedWords, Question } from "../question/question.ts";
import { LANGUAGES } from "../words/language.ts";
import { bestCorrections, SpellingIndex } from "../words/spelling.ts";
import { keyOf, termOf } from "../words/terms.ts";
import type { Cluster } from "./cluster.ts";
import { tokenOf } from "./stored_record.ts";

/** Max number of words near a misspelled word that a shard returns. */
const NEAR_WORDS = 50;

/** Max number of companies per filter of domains. A domain belongs to one company, or to few. */
const COMPANIES_MAX = 10_000;

const Statistics = z.object({
  hits: z.object({ total: z.object({ value: z.int() }) }),
  aggregations: z.object({
    terms: z.object({ buckets: z.record(z.string(), z.object({ doc_count: z.int() })) }).optional(),
    domains: Companies().optional(),
    exclude_domains: Companies().optional(),
  }).optional(),
  suggest: z.record(
    z.string(),
    z.array(z.object({ options: z.array(z.object({ text: z.string(), freq: z.int() })) })),
  ).optional(),
});

function Companies() {
  return z.object({
    companies: z.object({ buckets: z.array(z.object({ key: z.int() })) }),
  });
}

/** Request for the statistics of one search. */
export interface StatisticsRequest {
  alias: string;
  /** Reads the query with what is known of the index. */
  read(words: IndexedWords): Question;
  /** Hostnames of the filters. */
  domains: readonly string[];
  exclude_domains: readonly string[];
  /** Microseconds since 1970, from which records have expired. */
  now: number;
  milliseconds: number;
}

/** Numbers of records with terms, in the whole cluster. */
export interface ClusterStatistics extends IndexedWords {
  /** Number of records. */
  count: number;
  /** Tells whether the number of records with a term was asked for. */
  isKnown(key: number): boolean;
  /** Companies that the filters of domains name. */
  domains: number[];
  exclude_domains: number[];
}

/** Notes what a reading of a query asks of the index, and answers always the same. */
class Probe implements IndexedWords {
  readonly keys = new Set<number>();
  readonly words = new Set<string>();

  constructor(readonly answer: number) {}

  frequency(key: number): number {
    this.keys.add(key);
    return this.answer;
  }

  corrections(word: string): string[] {
    this.words.add(word);
    return [];
  }
}

/**
 * Asks for all statistics of a search in one request. The query is read twice for that: as if all
 * terms were in the index, and as if none were.
 */
export async function readStatistics(
  cluster: Cluster,
  request: StatisticsRequest,
): Promise<ClusterStatistics> {
  const keys = new Set<number>();
  const words = new Set<string>();
  for (const probe of [new Probe(0), new Probe(1)]) {
    for (const { ways } of request.read(probe).units) {
      for (const way of ways) for (const key of way.keys) keys.add(key);
    }
    for (const key of probe.keys) keys.add(key);
    for (const word of probe.words) words.add(word);
  }
  const asked = [...words];
  const { hits, aggregations, suggest } = await cluster.ask({
    method: "POST",
    path: `${request.alias}/_search?allow_partial_search_results=false`,
    milliseconds: request.milliseconds,
    body: {
      size: 0,
      track_total_hits: true,
      aggs: aggregationsOf(request, keys),
      suggest: Object.fromEntries(asked.map((text, n) => [`w${n}`, suggestionOf(text)])),
    },
  }, Statistics);
  const frequencies = new Map<number, number>();
  for (const key of keys) {
    frequencies.set(key, aggregations?.terms?.buckets[tokenOf(key)]?.doc_count ?? 0);
  }
  const corrections = new Map(asked.map((word, n) => {
    const options = suggest?.[`w${n}`]?.flatMap((one) => one.options) ?? [];
    return [word, correctionsOf(word, options, frequencies)];
  }));
  const companies = (name: "domains" | "exclude_domains") =>
    aggregations?.[name]?.companies.buckets.map(({ key }) => key) ?? [];
  return {
    // The position of the writer is a document as well.
    count: Math.max(0, hits.total.value - 1),
    frequency: (key) => frequencies.get(key) ?? 0,
    isKnown: (key) => frequencies.has(key),
    corrections: (word) => corrections.get(word) ?? [],
    domains: companies("domains"),
    exclude_domains: companies("exclude_domains"),
  };
}

function aggregationsOf(request: StatisticsRequest, keys: ReadonlySet<number>) {
  const filters = Object.fromEntries(
    [...keys].map(tokenOf).map((token) => [token, { term: { terms: token } }]),
  );
  const companiesOf = (hostnames: readonly string[]) => ({
    filter: {
      bool: {
        filter: [
          { terms: { terms: hostnames.map((hostname) => tokenOf(keyOf(`host:${hostname}`))) } },
          { range: { expires: { gt: request.now } } },
        ],
      },
    },
    aggs: { companies: { terms: { field: "company_id", size: COMPANIES_MAX } } },
  });
  const { domains, exclude_domains } = request;
  return {
    ...keys.size > 0 ? { terms: { filters: { filters } } } : {},
    ...domains.length > 0 ? { domains: companiesOf(domains) } : {},
    ...exclude_domains.length > 0 ? { exclude_domains: companiesOf(exclude_domains) } : {},
  };
}

function suggestionOf(text: string) {
  return {
    text,
    term: {
      field: "words",
      suggest_mode: "always",
      // The misspelled words that people write begin with the right letter.
      prefix_length: 1,
      min_word_length: 4,
      size: NEAR_WORDS,
      shard_size: NEAR_WORDS,
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
  const texts = options.map(({ text }) => text);
  const near = new SpellingIndex(texts, SpellingIndex.deletionsOf(texts)).near(word);
  const counts = new Map(options.map(({ text, freq }) => [text, freq]));
  const best = bestCorrections(word, new Set(near), (text) => counts.get(text) ?? 0);
  for (const text of best) {
    for (const language of LANGUAGES) {
      const key = keyOf(termOf([text], language));
      if (!frequencies.get(key)) frequencies.set(key, counts.get(text) ?? 0);
    }
  }
  return best;
}
