/**
 * The index component of the Orama instance. Orama's own one scores with a running average that
 * depends on the history of an index, so that replicas disagree; it expands every term to all words
 * that begin with it, and merges their documents in quadratic time. This one keeps whole numbers
 * only and ranks by BM25F: the occurrences of a term in a field count by the field's weight and
 * against the field's own length, and all fields and languages of a document are added before
 * repetition is discounted. Orama's search would also sort and copy every match so as to show the
 * first ten; a shortlist groups all of them, so `rank` is asked directly.
 *
 * Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004);
 * Zaragoza and others: Microsoft Cambridge at TREC-13 (2004), for lengths by field.
 */
import type { AnyIndexStore, IIndex } from "@orama/orama";
import { detectLanguage, documentStems, type Language, LANGUAGES, stem } from "./tokens.ts";

/**
 * How soon repetitions of a term stop counting, and how much long texts are held back. With 0.75, the
 * more usual B, long bilingual notices fall behind short records; the public collections agree with
 * 0.6 (mean nDCG@10 of SciFact, Cranfield and NPL: 0.513, with 0.75 0.510).
 */
const K = 1.2;
const B = 0.6;

export interface Field {
  /** What an occurrence counts. */
  weight: number;
  /** Occurrences of one term are counted up to 2^bits - 1. All fields together have 31 bits. */
  bits: number;
  /** Of all its texts; else each text tells its own. */
  language?: Language;
}

/** Document -> occurrences of a term in its fields, packed: a small integer, not an object. */
type Posting = Map<number, number>;

export interface Postings extends AnyIndexStore {
  fields: readonly Field[];
  /** A text stands under the terms of its own language only. */
  terms: Record<Language, Map<string, Posting>>;
  /** Terms by document and field, the fields of a document side by side; 0 where there is none. */
  lengths: Uint32Array;
  /** Documents that hold any term. */
  count: number;
  /** By field: documents that hold a term in it, and what its lengths add up to. */
  counts: number[];
  totalLengths: number[];
}

/**
 * The index component of these fields: a property of a document holds a text or a list of texts. The
 * language that Orama is given with a document is that of the texts that do not tell theirs.
 */
export function createPostingsIndex<Name extends string>(
  types: Readonly<Record<Name, "string" | "string[]">>,
  byName: Readonly<Record<Name, Field>>,
): IIndex<Postings> {
  const names = Object.keys(byName);
  const fields = names.map((name) => byName[name as Name]);
  const cut = (name: string, value: unknown, language: string | undefined): FieldText[] =>
    [value as string | string[]].flat().map((text) => {
      const own = byName[name as Name].language ?? detectLanguage(text, language as Language);
      return { language: own, stems: documentStems(text, own) };
    });
  return {
    create: () => ({
      fields,
      terms: { english: new Map(), french: new Map() },
      lengths: new Uint32Array(fields.length),
      count: 0,
      counts: fields.map(() => 0),
      totalLengths: fields.map(() => 0),
      vectorIndexes: {},
    }),
    insert: (_component, postings, name, _id, document, value, _type, language) => {
      add(postings, { document, field: names.indexOf(name), texts: cut(name, value, language) });
    },
    remove: (_component, postings, name, _id, document, value, _type, language) => {
      drop(postings, { document, field: names.indexOf(name), texts: cut(name, value, language) });
      return true;
    },
    getSearchableProperties: () => names,
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

interface FieldText {
  language: Language;
  stems: string[];
}

interface DocumentField {
  document: number;
  field: number;
  texts: FieldText[];
}

function add(postings: Postings, { document, field, texts }: DocumentField): void {
  const shift = shiftOf(postings.fields, field);
  const most = 2 ** postings.fields[field]!.bits - 1;
  for (const { language, stems } of texts) {
    const terms = postings.terms[language];
    for (const term of stems) {
      let posting = terms.get(term);
      if (posting === undefined) terms.set(term, posting = new Map());
      const packed = posting.get(document) ?? 0;
      if (((packed >>> shift) & most) < most) posting.set(document, packed + (1 << shift));
    }
  }
  setLength(postings, { document, field, length: lengthOf(texts) });
}

/** Takes a field out. Orama takes out all of a document's, so the first leaves none of a term. */
function drop(postings: Postings, { document, field, texts }: DocumentField): void {
  for (const { language, stems } of texts) {
    const terms = postings.terms[language];
    for (const term of stems) {
      const posting = terms.get(term);
      if (posting?.delete(document) && posting.size === 0) terms.delete(term);
    }
  }
  setLength(postings, { document, field, length: 0 });
}

/** Below a field's occurrences stand those of the fields before it. */
function shiftOf(fields: readonly Field[], field: number): number {
  return fields.slice(0, field).reduce((sum, { bits }) => sum + bits, 0);
}

function lengthOf(texts: FieldText[]): number {
  return texts.reduce((sum, { stems }) => sum + stems.length, 0);
}

function setLength(
  postings: Postings,
  { document, field, length }: { document: number; field: number; length: number },
): void {
  const start = document * postings.fields.length;
  const end = start + postings.fields.length;
  if (end > postings.lengths.length) {
    const longer = new Uint32Array(2 * end);
    longer.set(postings.lengths);
    postings.lengths = longer;
  }
  const own = postings.lengths.subarray(start, end);
  const isEmpty = () => own.every((length) => length === 0);
  const before = own[field]!;
  const wasEmpty = isEmpty();
  own[field] = length;
  postings.count += Number(wasEmpty) - Number(isEmpty());
  postings.counts[field]! += Number(length > 0) - Number(before > 0);
  postings.totalLengths[field]! += length - before;
}

/** Documents that hold one of the words, in no order, and the scores of all documents. */
export interface Ranking {
  documents: number[];
  scores: Float64Array;
}

/** @param words folded, as `words` makes them; they are looked up in all languages */
export function rank(postings: Postings, words: readonly string[]): Ranking {
  const size = postings.lengths.length / postings.fields.length;
  const scores = new Float64Array(size);
  const documents: number[] = [];
  /** Of the word at hand; all 0 between words. */
  const occurrences = new Float64Array(size);
  const weigh = occurrenceWeights(postings);
  const seen = new Set<Posting>();
  for (const word of words) {
    const holding: number[] = [];
    for (const language of LANGUAGES) {
      const posting = postings.terms[language].get(stem(word, language));
      // Two words of one stem count once.
      if (posting === undefined || seen.has(posting)) continue;
      seen.add(posting);
      for (const [document, packed] of posting) {
        if (occurrences[document] === 0) holding.push(document);
        occurrences[document]! += weigh(document, packed);
      }
    }
    const rarity = Math.log(
      1 + (postings.count - holding.length + 0.5) / (holding.length + 0.5),
    );
    for (const document of holding) {
      const weighted = occurrences[document]!;
      occurrences[document] = 0;
      if (scores[document] === 0) documents.push(document);
      scores[document]! += rarity * weighted * (K + 1) / (weighted + K);
    }
  }
  return { documents, scores };
}

/** What packed occurrences in a document count, by the weights and lengths of their fields. */
function occurrenceWeights(
  { fields, lengths, counts, totalLengths }: Postings,
): (document: number, packed: number) => number {
  const bits = fields.map((field) => field.bits);
  const weights = fields.map((field) => field.weight);
  const perTerm = totalLengths.map((total, field) => B * counts[field]! / total);
  return (document, packed) => {
    let weighted = 0;
    for (let field = 0, rest = packed; rest !== 0; rest >>>= bits[field++]!) {
      const found = rest & ((1 << bits[field]!) - 1);
      if (found === 0) continue;
      const length = lengths[document * bits.length + field]!;
      weighted += weights[field]! * found / (1 - B + perTerm[field]! * length);
    }
    return weighted;
  };
}
