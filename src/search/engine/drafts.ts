/** Documents on their way into a segment: analyzed, numbered by arrival, in a few growing arrays. */
import { assemble, type Source } from "./assemble.ts";
import { grown, HOSTNAME_SPACE, TermTable } from "./dictionary.ts";
import { type Field, lengthCode, shiftsOf } from "./fields.ts";
import { type Analysis, analyze, type Language, languageOf, LANGUAGES } from "./tokens.ts";

/** A document as the engine takes it. */
export interface IndexedDocument extends DocumentFacts {
  hostnames: readonly string[];
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
}

/** Tells whose numbers stems carry. */
let stamps = 0;

export class Drafts {
  readonly fields: readonly Field[];
  /** By place; undefined: taken out. */
  readonly facts: (DocumentFacts | undefined)[] = [];
  /** Place * fields + field: the byte of the length. */
  lengths = new Uint8Array(1 << 12);
  /** By place, and at last where the next one starts: into `terms` and `packed`. */
  readonly starts = [0];
  terms = new Uint32Array(1 << 14);
  packed = new Uint32Array(1 << 14);
  /** By term: how many documents that are there hold it. */
  frequencies = new Uint32Array(1 << 12);
  readonly #shifts: readonly number[];
  readonly #stamp = ++stamps;
  readonly #numbers = [...LANGUAGES, HOSTNAME_SPACE].map(() => new Map<string, number>());
  readonly #names: [space: number, text: string][] = [];
  /** By term: packed occurrences in the document at hand; 0 between documents. */
  #counts = new Uint32Array(1 << 12);

  constructor(fields: readonly Field[]) {
    this.fields = fields;
    this.#shifts = shiftsOf(fields);
  }

  /** The number of a term, or nothing. */
  term(space: number, text: string): number | undefined {
    return this.#numbers[space]!.get(text);
  }

  /** @returns its place */
  put({ hostnames, texts, ...facts }: IndexedDocument): number {
    const place = this.facts.push(facts) - 1;
    const analyses = texts.map((text) =>
      typeof text === "string" ? [analyze(text)] : text.map(analyze)
    );
    this.#makeRoom(analyses, hostnames.length);
    const leading = this.#leadingLanguage(analyses);
    const start = this.starts[place]!;
    let end = start;
    analyses.forEach((own, field) => {
      let length = 0;
      for (const analysis of own) {
        const language = this.fields[field]!.language ?? languageOf(analysis, leading);
        const counted = this.#count(analysis, { field, language, end });
        length += counted.length;
        end = counted.end;
      }
      this.lengths[place * this.fields.length + field] = lengthCode(length);
    });
    for (const hostname of new Set(hostnames)) {
      this.terms[end++] = this.#number(HOSTNAME_SPACE, hostname);
    }
    for (let at = start; at < end; at++) {
      const term = this.terms[at]!;
      this.packed[at] = this.#counts[term]!;
      this.#counts[term] = 0;
      this.frequencies[term]!++;
    }
    this.starts.push(end);
    return place;
  }

  remove(place: number): void {
    this.facts[place] = undefined;
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
    places.forEach((place, document) => {
      lengths.set(this.lengths.subarray(place * width, (place + 1) * width), document * width);
    });
    return assemble({
      fields: this.fields,
      averages,
      ids: column("id"),
      company_ids: column("company_id"),
      occurred: column("occurred"),
      observed: column("observed"),
      expires: column("expires"),
      attributes: Uint8Array.from(facts, ({ attribute }) => attribute),
      lengths,
      ...this.#postingsOf(places),
    });
  }

  #postingsOf(places: number[]): Pick<Source, "table" | "starts" | "terms" | "packed"> {
    const table = new TermTable();
    const renumbered = new Uint32Array(this.#names.length);
    this.#names.forEach(([space, text], term) => {
      if (this.frequencies[term]! > 0) renumbered[term] = table.addText(space, text);
    });
    const starts = new Uint32Array(places.length + 1);
    places.forEach((place, document) => {
      starts[document + 1] = starts[document]! + this.starts[place + 1]! - this.starts[place]!;
    });
    const terms = new Uint32Array(starts[places.length]!);
    const packed = new Uint32Array(terms.length);
    places.forEach((place, document) => {
      const [from, to] = [this.starts[place]!, this.starts[place + 1]!];
      packed.set(this.packed.subarray(from, to), starts[document]);
      for (let at = from; at < to; at++) {
        terms[starts[document]! + at - from] = renumbered[this.terms[at]!]!;
      }
    });
    return { table, starts, terms, packed };
  }

  /** Of the texts that are too short to tell theirs. */
  #leadingLanguage(analyses: Analysis[][]): Language {
    const sums = { english: 0, french: 0 };
    const leads = this.fields.some((field) => field.leads);
    analyses.forEach((own, field) => {
      if (leads && !this.fields[field]!.leads) return;
      for (const { english, french } of own) {
        sums.english += english;
        sums.french += french;
      }
    });
    return languageOf(sums, "english");
  }

  #count(
    { words }: Analysis,
    { field, language, end }: { field: number; language: Language; end: number },
  ): { length: number; end: number } {
    const space = LANGUAGES.indexOf(language);
    const one = 1 << this.#shifts[field]!;
    const all = (2 ** this.fields[field]!.bits - 1) * one;
    let length = 0;
    for (const word of words) {
      if (word.text === "") continue;
      length++;
      const stem = word.stem(language);
      if (stem.owner !== this.#stamp) {
        stem.owner = this.#stamp;
        stem.term = this.#number(space, stem.text);
      }
      const packed = this.#counts[stem.term]!;
      if (packed === 0) this.terms[end++] = stem.term;
      if ((packed & all) !== all) this.#counts[stem.term] = packed + one;
    }
    return { length, end };
  }

  #number(space: number, text: string): number {
    const numbers = this.#numbers[space]!;
    const found = numbers.get(text);
    if (found !== undefined) return found;
    const term = this.#names.push([space, text]) - 1;
    numbers.set(text, term);
    if (term === this.#counts.length) {
      this.#counts = grown(this.#counts, term + 1);
      this.frequencies = grown(this.frequencies, term + 1);
    }
    return term;
  }

  /** What a term was numbered for. */
  name(term: number): [space: number, text: string] {
    return this.#names[term]!;
  }

  #makeRoom(analyses: Analysis[][], hostnames: number): void {
    const needed = this.starts.at(-1)! + hostnames +
      analyses.flat().reduce((sum, { words }) => sum + words.length, 0);
    if (needed > this.terms.length) {
      this.terms = grown(this.terms, needed);
      this.packed = grown(this.packed, needed);
    }
    const width = this.facts.length * this.fields.length;
    if (width > this.lengths.length) this.lengths = grown(this.lengths, width);
  }
}

/** As they stand in segments. */
function compareFacts(a: DocumentFacts, b: DocumentFacts): number {
  return a.attribute - b.attribute || a.id - b.id;
}
