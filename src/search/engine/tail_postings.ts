/**
 * Postings of drafts by term: chains through three arrays of numbers. A list for each term would be
 * thousands of objects for every search with search nodes, and most of them would outlive the young
 * generation.
 */
import type { Key } from "./dictionary.ts";
import { grown } from "./typed_arrays.ts";
import type { Drafts } from "./writing.ts";

export class TailPostings {
  /** Place of the document of each posting, in the order of the drafts' terms. */
  places = new Uint16Array(0);
  /** Following posting of the same term, plus 1; 0 where there is none. */
  next = new Uint32Array(0);
  readonly #drafts: Drafts;
  /** First and last posting of each term, plus 1; 0 where there is none. */
  #firsts = new Uint32Array(0);
  #lasts = new Uint32Array(0);
  /** Number of documents whose postings are in the chains. */
  #documents = 0;

  constructor(drafts: Drafts) {
    this.#drafts = drafts;
  }

  get memory(): number {
    return this.places.byteLength + this.next.byteLength + 2 * this.#firsts.byteLength;
  }

  /**
   * Returns the first posting of a term, or -1. It brings the chains up to date, which may replace
   * the arrays.
   */
  first(key: Key): number {
    this.#chain();
    const term = this.#drafts.term(key);
    return term < 0 ? -1 : this.#firsts[term]! - 1;
  }

  #chain(): void {
    const { facts, starts, terms, table } = this.#drafts;
    if (this.#documents === facts.length) return;
    this.#makeRoom({ postings: starts[facts.length]!, terms: table.size });
    const { places, next } = this;
    const firsts = this.#firsts;
    const lasts = this.#lasts;
    for (; this.#documents < facts.length; this.#documents++) {
      const end = starts[this.#documents + 1]!;
      for (let at = starts[this.#documents]!; at < end; at++) {
        const term = terms[at]!;
        places[at] = this.#documents;
        if (firsts[term] === 0) firsts[term] = at + 1;
        else next[lasts[term]! - 1] = at + 1;
        lasts[term] = at + 1;
      }
    }
  }

  #makeRoom({ postings, terms }: { postings: number; terms: number }): void {
    if (postings > this.next.length) {
      this.places = grown(this.places, postings);
      this.next = grown(this.next, postings);
    }
    if (terms > this.#firsts.length) {
      this.#firsts = grown(this.#firsts, terms);
      this.#lasts = grown(this.#lasts, terms);
    }
  }
}
