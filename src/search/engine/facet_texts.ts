/** The facet terms of a segment's documents, as texts. */
import { facetNameBit } from "../document.ts";
import { FACET_SPACE, startOfTerm, textOfBytes } from "./dictionary.ts";
import { ESCAPE } from "./layout.ts";
import type { Segment } from "./segment.ts";

/** Marks the names of a document as read: it has more bits than there are names. */
const READ = 0x80;

/** Texts, and documents, that are remembered: a search asks for those of one document several times. */
const TEXTS_MAX = 4_096;
const DOCUMENTS_MAX = 1_024;

export class FacetTexts {
  readonly #segment: Segment;
  /** The code of terms that are no words: they have no occurrences in fields. */
  readonly #code: number;
  readonly #texts = new Map<number, string>();
  readonly #documents = new Map<number, readonly string[]>();

  /** By document: READ and the bits of its names, or 0. */
  #names: Uint8Array | null = null;

  constructor(segment: Segment) {
    this.#segment = segment;
    const code = segment.parts.codes.indexOf(0);
    this.#code = code < 0 ? ESCAPE : code;
  }

  get memory(): number {
    return this.#names?.byteLength ?? 0;
  }

  /** Returns the bits of the names of a document's facets: see facetNameBit. */
  names(document: number): number {
    const names = this.#names ??= new Uint8Array(this.#segment.size);
    if (names[document] === 0) {
      names[document] = this.#read(document).reduce(
        (bits, text) => bits | facetNameBit(text),
        READ,
      );
    }
    return names[document]! & ~READ;
  }

  /** Returns the facet terms of a document in the order of their code units. */
  of(document: number): readonly string[] {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    if (this.#documents.size === DOCUMENTS_MAX) this.#documents.clear();
    const texts = this.#read(document).sort();
    this.#documents.set(document, texts);
    return texts;
  }

  #read(document: number): string[] {
    const { parts } = this.#segment;
    const { forwardTerms, forwardCodes, termBytes } = parts;
    const texts: string[] = [];
    for (let block = 0; block < this.#segment.blocks; block++) {
      const end = this.#segment.forwardStart(document, block + 1);
      for (let place = this.#segment.forwardStart(document, block); place < end; place++) {
        if (forwardCodes[place] !== this.#code) continue;
        const term = block << 16 | forwardTerms[place]!;
        if (termBytes[startOfTerm(parts, term)] === FACET_SPACE) texts.push(this.#textOf(term));
      }
    }
    return texts;
  }

  #textOf(term: number): string {
    const known = this.#texts.get(term);
    if (known !== undefined) return known;
    const { parts } = this.#segment;
    if (this.#texts.size === TEXTS_MAX) this.#texts.clear();
    const text = textOfBytes(
      parts.termBytes,
      startOfTerm(parts, term) + 1,
      startOfTerm(parts, term + 1),
    );
    this.#texts.set(term, text);
    return text;
  }
}
