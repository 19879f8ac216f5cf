/** Documents on their way into a segment: analyzed, numbered by arrival, in a few growing arrays. */
import { assemble, type Source } from "./assemble.ts";
import {
  FACET_SPACE,
  findTerm,
  grown,
  HOSTNAME_SPACE,
  type Key,
  keyOfTerm,
  startOfTerm,
  TermTable,
} from "./dictionary.ts";
import { minutesOf, roundAmount, roundToMinute } from "./columns.ts";
import { type Field, lengthCode, shiftsOf } from "./fields.ts";
import { copyFilters, PairCollector } from "./pairs.ts";
import { type Analysis, ANALYZER, type Language, languageOf, LANGUAGES } from "./tokens.ts";

/** A document as the engine takes it. */
export interface IndexedDocument extends DocumentFacts {
  hostnames: readonly string[];
  /** Facet terms, such as `round:series_a`: never words of a text. */
  facets: readonly string[];
  /** By field. */
  texts: readonly (string | readonly string[])[];
}

/** What is known of a document beside its words. */
export interface DocumentFacts {
  /** Positive safe integers. Ties are broken by ids. */
  id: number;
  company_id: number;
  /** 0 to 255: which combination of closed vocabularies it has. */
  attribute: number;
  /** Microseconds since 1970 (see instants.ts); -Infinity: never. */
  occurred: number;
  observed: number;
  /** Infinity: never. */
  expires: number;
  /** Money of the fact, rounded to 24 significant bits; NaN: unknown. */
  amount: number;
  /** When answers close, rounded down to the minute; NaN: unknown. See columns.ts. */
  closes: number;
  /** Bit mask of sectors. */
  sectors: number;
}

export class Drafts {
  readonly fields: readonly Field[];
  /** By place; undefined: taken out. */
  readonly facts: (DocumentFacts | undefined)[] = [];
  /** Facet terms by place. */
  readonly facets: (readonly string[])[] = [];
  /** How many have been taken out. */
  removals = 0;
  /** Place * fields + field: the byte of the length. */
  lengths = new Uint8Array(1 << 12);
  /** By place, and at last where the next one starts: into `terms` and `packed`. */
  readonly starts = [0];
  terms = new Uint32Array(1 << 14);
  packed = new Uint32Array(1 << 14);
  /** By term: how many documents that are there hold it. */
  frequencies = new Uint32Array(1 << 12);
  /** By place: the filters of neighbouring words. */
  readonly pairs = new PairCollector();
  readonly #table = new TermTable();
  /** By field: what one occurrence and all that are counted make in a packed number. */
  readonly #ones: readonly number[];
  readonly #alls: readonly number[];
  /** By term: packed occurrences in the document at hand; 0 between documents. */
  #counts = new Uint32Array(1 << 12);
  /** Where the terms of the document at hand end. */
  #end = 0;
  /** The texts of the document at hand, field by field. */
  readonly #analyses: Analysis[][];

  constructor(fields: readonly Field[]) {
    this.fields = fields;
    this.#ones = shiftsOf(fields).map((shift) => 1 << shift);
    this.#alls = fields.map(({ bits }, field) => (2 ** bits - 1) * this.#ones[field]!);
    this.#analyses = fields.map(() => []);
  }

  /** All terms, those that no document holds any more included. */
  get table(): TermTable {
    return this.#table;
  }

  /** The number of a term, or -1. */
  term(key: Key): number {
    return findTerm(this.#table, key);
  }

  /** @returns its place */
  put(document: IndexedDocument): number {
    const place = this.facts.push(factsOf(document)) - 1;
    this.facets.push(document.facets);
    const start = this.#end;
    this.#analyze(document.texts);
    const leading = this.#leadingLanguage();
    const width = this.fields.length;
    if ((place + 1) * width > this.lengths.length) {
      this.lengths = grown(this.lengths, (place + 1) * width);
    }
    for (let field = 0; field < width; field++) {
      let length = 0;
      const { neighbours } = this.fields[field]!;
      for (const analysis of this.#analyses[field]!) {
        const space = LANGUAGES.indexOf(languageOf(analysis, leading));
        this.#count(analysis, { field, space });
        if (neighbours) this.pairs.add(analysis, { space, table: this.#table });
        length += analysis.to - analysis.from;
      }
      this.lengths[place * width + field] = lengthCode(length);
    }
    this.pairs.end();
    this.#addTerms(HOSTNAME_SPACE, document.hostnames);
    this.#addTerms(FACET_SPACE, document.facets);
    const { terms, packed, frequencies } = this;
    const counts = this.#counts;
    for (let at = start; at < this.#end; at++) {
      const term = terms[at]!;
      packed[at] = counts[term]!;
      counts[term] = 0;
      frequencies[term]!++;
    }
    this.starts.push(this.#end);
    return place;
  }

  /** Adds terms that are no words to those of the document at hand. */
  #addTerms(space: number, texts: readonly string[]): void {
    for (const text of new Set(texts)) {
      const term = this.#table.addText(space, text);
      this.#makeRoom(term);
      this.#take(term);
    }
  }

  remove(place: number): void {
    this.facts[place] = undefined;
    this.facets[place] = [];
    this.removals++;
    for (let at = this.starts[place]!; at < this.starts[place + 1]!; at++) {
      this.frequencies[this.terms[at]!]!--;
    }
  }

  /** A segment of the documents that are there. */
  assemble(averages: Float64Array): SharedArrayBuffer {
    const places = [...this.facts.keys()].filter((place) => this.facts[place] !== undefined)
      .sort((a, b) => compareFacts(this.facts[a]!, this.facts[b]!));
    const facts = places.map((place) => this.facts[place]!);
    const column = (name: keyof DocumentFacts) => Float64Array.from(facts, (own) => own[name]);
    const width = this.fields.length;
    const lengths = new Uint8Array(places.length * width);
    for (const [document, place] of places.entries()) {
      for (let field = 0; field < width; field++) {
        lengths[document * width + field] = this.lengths[place * width + field]!;
      }
    }
    return assemble({
      fields: this.fields,
      averages,
      ids: column("id"),
      company_ids: column("company_id"),
      occurred: column("occurred"),
      observed: column("observed"),
      expires: column("expires"),
      attributes: Uint8Array.from(facts, ({ attribute }) => attribute),
      amounts: Float32Array.from(facts, ({ amount }) => amount),
      closes: Uint32Array.from(facts, ({ closes }) => minutesOf(closes)),
      sectors: Uint32Array.from(facts, ({ sectors }) => sectors),
      lengths,
      ...copyFilters(places, () => this.pairs),
      ...this.#postingsOf(places),
    });
  }

  #postingsOf(places: number[]): Pick<Source, "table" | "starts" | "terms" | "packed"> {
    const starts = new Uint32Array(places.length + 1);
    for (const [document, place] of places.entries()) {
      starts[document + 1] = starts[document]! + this.starts[place + 1]! - this.starts[place]!;
    }
    const { table, numbers } = this.#held();
    const terms = new Uint32Array(starts[places.length]!);
    const packed = new Uint32Array(terms.length);
    for (const [document, place] of places.entries()) {
      let to = starts[document]!;
      for (let at = this.starts[place]!; at < this.starts[place + 1]!; at++, to++) {
        terms[to] = numbers === null ? this.terms[at]! : numbers[this.terms[at]!]!;
        packed[to] = this.packed[at]!;
      }
    }
    return { table, starts, terms, packed };
  }

  /** The terms that any document still holds, and their numbers by those here; null: the same. */
  #held(): { table: TermTable; numbers: Uint32Array | null } {
    if (this.removals === 0) return { table: this.#table, numbers: null };
    const table = new TermTable();
    const former = this.#table;
    const { termBytes, size } = former;
    const numbers = new Uint32Array(size);
    for (let term = 0; term < size; term++) {
      if (this.frequencies[term] === 0) continue;
      numbers[term] = table.add(
        termBytes,
        startOfTerm(former, term),
        startOfTerm(former, term + 1),
      );
    }
    return { table, numbers };
  }

  #analyze(texts: IndexedDocument["texts"]): void {
    ANALYZER.begin();
    for (let field = 0; field < texts.length; field++) {
      const analyses = this.#analyses[field]!;
      analyses.length = 0;
      const own = texts[field]!;
      if (typeof own === "string") analyses.push(ANALYZER.add(own));
      else for (const text of own) analyses.push(ANALYZER.add(text));
    }
  }

  /** Of the texts that are too short to tell theirs. */
  #leadingLanguage(): Language {
    const sums = { english: 0, french: 0 };
    const leads = this.fields.some((field) => field.leads);
    for (let field = 0; field < this.fields.length; field++) {
      if (leads && !this.fields[field]!.leads) continue;
      for (const { english, french } of this.#analyses[field]!) {
        sums.english += english;
        sums.french += french;
      }
    }
    return languageOf(sums, "english");
  }

  #count({ from, to }: Analysis, { field, space }: { field: number; space: number }): void {
    const { words, lexicon } = ANALYZER;
    const table = this.#table;
    const one = this.#ones[field]!;
    const all = this.#alls[field]!;
    let counts: Uint32Array = this.#counts;
    for (let at = from; at < to; at++) {
      const term = lexicon.term(words[at]! * LANGUAGES.length + space, table);
      if (term >= counts.length) counts = this.#makeRoom(term);
      const packed = counts[term]!;
      if (packed === 0) this.#take(term);
      if ((packed & all) !== all) counts[term] = packed + one;
    }
  }

  /** @returns the counts, with room for a term */
  #makeRoom(term: number): Uint32Array {
    if (term >= this.#counts.length) {
      this.#counts = grown(this.#counts, term + 1);
      this.frequencies = grown(this.frequencies, term + 1);
    }
    return this.#counts;
  }

  /** The key of a term. */
  key(term: number): Key {
    return keyOfTerm(this.#table, term);
  }

  /** Adds a term to those of the document at hand. */
  #take(term: number): void {
    if (this.#end === this.terms.length) {
      this.terms = grown(this.terms, this.#end + 1);
      this.packed = grown(this.packed, this.#end + 1);
    }
    this.terms[this.#end++] = term;
  }
}

/** Picks the facts of a document, rounded as segments keep them. */
function factsOf(document: IndexedDocument): DocumentFacts {
  const { id, company_id, attribute, occurred, observed, expires, sectors } = document;
  const amount = roundAmount(document.amount);
  const closes = roundToMinute(document.closes);
  return { id, company_id, attribute, occurred, observed, expires, amount, closes, sectors };
}

/** As they stand in segments. */
function compareFacts(a: DocumentFacts, b: DocumentFacts): number {
  return a.attribute - b.attribute || a.id - b.id;
}
