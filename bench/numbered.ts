/**
 * Real records for the exhaustive peer, and as many copies of them as a large corpus needs. A copy has
 * other ids and other names. Its texts are the same, and are held once.
 */
import { words } from "../src/search/engine/text.ts";
import { stem } from "../src/search/engine/words.ts";
import type { ObservationDocument } from "../src/search/index/document.ts";
import { FIELDS, tokenOf } from "./corpus.ts";
import type { NumberedDocument, NumberedTexts } from "./engines/engine.ts";
import type { Query } from "./queries.ts";

/** Records repeated, for our engine as documents and for the peer as numbers. */
export class RepeatedRecords implements NumberedTexts {
  readonly size: number;
  readonly companies: number;
  readonly stems: string[] = [];
  /** The number of a stem, and of every word that has been met. */
  readonly #numbers = new Map<string, number>();
  readonly #words = new Map<string, number>();
  readonly #originals: readonly ObservationDocument[];
  readonly #numbered: readonly number[][][];
  readonly #originalCompanies: number;
  readonly #copies: number;

  constructor(originals: readonly ObservationDocument[], copies: number) {
    this.#originals = originals;
    this.#copies = copies;
    this.#originalCompanies = originals.reduce((max, one) => Math.max(max, one.company_id), 0);
    this.size = originals.length * copies;
    this.companies = this.#originalCompanies * copies;
    this.#numbered = originals.map(({ text }) =>
      FIELDS.map((field) =>
        [text[field]].flat().flatMap((one) => words(one)).map((word) => this.#number(word))
      )
    );
  }

  /** Makes every document as our engine takes it, one at a time. */
  *records(): Generator<ObservationDocument> {
    for (let copy = 0; copy < this.#copies; copy++) {
      for (const original of this.#originals) {
        const company = copy === 0 ? original.text.company : this.#renamed(original, copy);
        yield {
          ...original,
          observation_id: original.observation_id + copy * this.#originals.length,
          company_id: original.company_id + copy * this.#originalCompanies,
          hostnames: original.hostnames.map((own) => copy === 0 ? own : `c${copy}.${own}`),
          text: { ...original.text, company },
        };
      }
    }
  }

  /** Makes every document with its words as numbers. */
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

  /** Returns a query with its words as numbers. Words that no record has are left out. */
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

  /** The peer knows English alone, so that a word is one list of postings. */
  #number(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const own = stem(word, "english");
    const number = this.#numbers.get(own) ?? this.stems.push(own) - 1;
    this.#numbers.set(own, number);
    this.#words.set(word, number);
    return number;
  }
}

/** A word that no record has. */
function nameOfCopy(copy: number): string {
  const letters = [...String(copy)].map((digit) => "bcdfghjklm"[Number(digit)]).join("o");
  return `zu${letters}ozu`;
}
