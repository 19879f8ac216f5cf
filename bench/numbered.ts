/**
 * Real records and copies of them, as documents for our engine and as numbers of words for peers. A
 * copy has its own ids and names. Its texts are the same, and are in memory only once.
 */
import { words } from "../src/search/engine/text.ts";
import { stem } from "../src/search/engine/words.ts";
import type { ObservationDocument } from "../src/search/index/document.ts";
import { FIELDS, tokenOf } from "./corpus.ts";
import type { NumberedDocument, NumberedTexts } from "./engines/engine.ts";
import type { Query } from "./queries.ts";

/** Records, each repeated by a number of copies. */
export class RepeatedRecords implements NumberedTexts {
  readonly size: number;
  readonly companies: number;
  readonly stems: string[] = [];
  /** Number of each stem. */
  readonly #numbers = new Map<string, number>();
  /** Number of the stem of each word, for words that were looked up before. */
  readonly #words = new Map<string, number>();
  readonly #originals: readonly ObservationDocument[];
  readonly #numbered: readonly number[][][];
  readonly #originalCompanies: number;
  readonly #copies: number;

  constructor(originals: readonly ObservationDocument[], copies: number) {
    this.#originals = originals;
    this.#copies = copies;
    this.#originalCompanies = originals.reduce(
      (max, { company_id }) => Math.max(max, company_id),
      0,
    );
    this.size = originals.length * copies;
    this.companies = this.#originalCompanies * copies;
    this.#numbered = originals.map(({ text }) =>
      FIELDS.map((field) =>
        [text[field]].flat().flatMap((part) => words(part)).map((word) => this.#number(word))
      )
    );
  }

  /** Yields every document in the form that our engine requires. */
  *records(): Generator<ObservationDocument> {
    for (let copy = 0; copy < this.#copies; copy++) {
      for (const original of this.#originals) {
        const company = copy === 0 ? original.text.company : this.#renamed(original, copy);
        yield {
          ...original,
          observation_id: original.observation_id + copy * this.#originals.length,
          company_id: original.company_id + copy * this.#originalCompanies,
          hostnames: original.hostnames.map((name) => copy === 0 ? name : `c${copy}.${name}`),
          text: { ...original.text, company },
        };
      }
    }
  }

  /** Yields every document with its words as numbers. */
  *documents(): Generator<NumberedDocument> {
    const company = FIELDS.indexOf("company");
    for (let copy = 0; copy < this.#copies; copy++) {
      for (const [place, original] of this.#originals.entries()) {
        const fields = this.#numbered[place]!;
        yield {
          observation_id: place + 1 + copy * this.#originals.length,
          company_id: original.company_id + copy * this.#originalCompanies,
          country: original.country,
          kind: original.kind,
          words: copy === 0
            ? fields
            : fields.with(company, [...fields[company]!, this.#number(nameOfCopy(copy))]),
        };
      }
    }
  }

  /** Returns a query with its words as numbers. Words that occur in no record are left out. */
  query(text: string): Query {
    const numbers = words(text)
      .map((word) => this.#numbers.get(stem(word, "english")))
      .filter((number) => number !== undefined);
    const tokens = numbers.map((number) => tokenOf(this, number)).join(" ");
    return { text, tokens, words: numbers };
  }

  #renamed({ text }: ObservationDocument, copy: number): string {
    return `${text.company} ${nameOfCopy(copy)}`;
  }

  /** Returns the number of a word's English stem. Peers thus have one posting list per word. */
  #number(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const wordStem = stem(word, "english");
    const number = this.#numbers.get(wordStem) ?? this.stems.push(wordStem) - 1;
    this.#numbers.set(wordStem, number);
    this.#words.set(word, number);
    return number;
  }
}

/** Returns a word that occurs in no record and names a copy. */
export function nameOfCopy(copy: number): string {
  const letters = [...String(copy)].map((digit) => "bcdfghjklm"[Number(digit)]).join("o");
  return `zu${letters}ozu`;
}
