/**
 * BM25F for the reference engines (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple
 * weighted fields, CIKM 2004). The parameters have the same values as in our engine.
 */
import { FIELDS } from "../corpus.ts";
import { WEIGHTS } from "./engine.ts";

export const K = 1.2;
export const B = 0.6;
const FIELD_WEIGHTS = FIELDS.map((field) => WEIGHTS[field]);

/** Returns the weight of one occurrence of a term in a field. */
export function fieldWeight(field: number, { length, mean }: { length: number; mean: number }) {
  return FIELD_WEIGHTS[field]! / (1 - B + B * length / mean);
}

/** Returns the score of a term in a document. @param weighted sum of the weights of occurrences */
export function termScore(rarity: number, weighted: number): number {
  return rarity * weighted * (K + 1) / (weighted + K);
}

/** Returns the inverse document frequency of a term. @param frequency documents with the term */
export function rarityOf(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}
