/**
 * The index component of the Orama instance. Orama's own one scores with a running average that
 * depends on the history of an index, so that replicas disagree; it expands every term to all words
 * that begin with it, and merges their documents in quadratic time. This one keeps whole numbers
 * only and ranks by BM25F: by the weighted occurrences of a term in all fields together. Orama's
 * search would also sort and copy every match so as to show the first ten; a shortlist groups all of
 * them, so `rank` is asked directly.
 *
 * Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004).
 */
import type { AnyIndexStore, IIndex, Tokenizer } from "@orama/orama";
import { documentStems, type Language, LANGUAGES, stem } from "./tokens.ts";

/** How soon repetitions of a term stop counting, and how much long documents are held back. */
const K = 1.2;
const B = 0.75;

/** Document -> occurrences of a term in it, each counted with the weight of its field. */
type Posting = Map<number, number>;

export interface Postings extends AnyIndexStore {
  /** A document stands under the terms of its own language only. */
  terms: Record<Language, Map<string, Posting>>;
  /** By document: its weighted length; 0 for one that is not there. */
  lengths: number[];
  /** Documents of any length, and what their lengths add up to. */
  count: number;
  totalLength: number;
}

/** Cuts documents; `rank` looks the words of a query up by itself, in all languages. */
export const documentTokenizer: Tokenizer = {
  language: "english",
  normalizationCache: new Map(),
  tokenize: (text, language) => documentStems(text, language as Language),
};

/** @param weights whole numbers: the fields that are searched, with what an occurrence counts */
export function createPostingsIndex(weights: Readonly<Record<string, number>>): IIndex<Postings> {
  const fields = Object.keys(weights);
  const types = Object.fromEntries(fields.map((field) => [field, "string" as const]));
  return {
    create: () => ({
      terms: { english: new Map(), french: new Map() },
      lengths: [],
      count: 0,
      totalLength: 0,
      vectorIndexes: {},
    }),
    insert: (_component, postings, field, _id, document, value, _type, language, { tokenize }) => {
      const stems = tokenize(value as string, language);
      add(postings, { document, stems, language: language as Language, weight: weights[field]! });
    },
    remove: (_component, postings, field, _id, document, value, _type, language, { tokenize }) => {
      const stems = tokenize(value as string, language);
      add(postings, { document, stems, language: language as Language, weight: -weights[field]! });
      return true;
    },
    getSearchableProperties: () => fields,
    getSearchablePropertiesWithTypes: () => types,
    insertDocumentScoreParameters: () => {},
    insertTokenScoreParameters: () => {},
    removeDocumentScoreParameters: () => {},
    removeTokenScoreParameters: () => {},
    search: () => unsupported("search of its own"),
    calculateResultScores: () => unsupported("scores of one field"),
    searchByWhereClause: () => unsupported("filters"),
    load: () => unsupported("snapshots"),
    save: () => unsupported("snapshots"),
  };
}

function unsupported(what: string): never {
  throw new Error(`the postings index has no ${what}`);
}

interface FieldTerms {
  document: number;
  stems: string[];
  language: Language;
  /** Negative: takes the field out. */
  weight: number;
}

function add(postings: Postings, { document, stems, language, weight }: FieldTerms): void {
  const terms = postings.terms[language];
  for (const term of stems) {
    let posting = terms.get(term);
    if (posting === undefined) terms.set(term, posting = new Map());
    const occurrences = (posting.get(document) ?? 0) + weight;
    // What was removed leaves no trace.
    if (occurrences !== 0) posting.set(document, occurrences);
    else if (posting.delete(document) && posting.size === 0) terms.delete(term);
  }
  const before = postings.lengths[document] ?? 0;
  const after = before + weight * stems.length;
  postings.lengths[document] = after;
  postings.count += Number(after > 0) - Number(before > 0);
  postings.totalLength += after - before;
}

/** Documents that hold one of the words, in no order, and the scores of all documents. */
export interface Ranking {
  documents: number[];
  scores: Float64Array;
}

/** @param words folded, as `words` makes them; they are looked up in all languages */
export function rank(postings: Postings, words: readonly string[]): Ranking {
  const { lengths, count } = postings;
  const averageLength = postings.totalLength / count;
  const scores = new Float64Array(lengths.length);
  const documents: number[] = [];
  const seen = new Set<Posting>();
  for (const word of words) {
    const found = LANGUAGES
      .map((language) => postings.terms[language].get(stem(word, language)))
      .filter((posting) => posting !== undefined);
    const frequency = found.reduce((sum, posting) => sum + posting.size, 0);
    const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
    for (const posting of found) {
      // Two words of one stem count once.
      if (seen.has(posting)) continue;
      seen.add(posting);
      for (const [document, occurrences] of posting) {
        const length = lengths[document]! / averageLength;
        if (scores[document] === 0) documents.push(document);
        scores[document]! += rarity * occurrences * (K + 1) /
          (occurrences + K * (1 - B + B * length));
      }
    }
  }
  return { documents, scores };
}
