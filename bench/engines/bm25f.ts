/**
 * BM25F as the references score (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple
 * weighted fields, CIKM 2004), with the settings of our engine written out again.
 */
import { FIELDS } from "../corpus.ts";
import { WEIGHTS } from "./engine.ts";

export const K = 1.2;
export const B = 0.6;
const FIELD_WEIGHTS = FIELDS.map((field) => WEIGHTS[field]);

/** Returns the weight of one occurrence in a field of a length. */
export function fieldWeight(field: number, { length, mean }: { length: number; mean: number }) {
  return FIELD_WEIGHTS[field]! / (1 - B + B * length / mean);
}

/** Returns the share of a term in a score; `rarity` is that of the term. */
export function termScore(rarity: number, weighted: number): number {
  return rarity * weighted * (K + 1) / (weighted + K);
}

/** @param holding how many of all documents hold the term */
export function rarityOf(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}
