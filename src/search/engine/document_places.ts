/** Places of documents in the segments of an index, by the ids of the documents. */
import { hashCompany } from "./dictionary.ts";

/** Max number of documents that are remembered. */
const DOCUMENTS_MAX = 4_096;

/** Slots of a table once it holds a document. It has at least twice as many slots as documents. */
const FIRST_SLOTS = 64;

const NO_IDS = new Float64Array(1);

const NO_PLACES = new Uint32Array(1);

/** A place is the position of a segment and, in the lower bits, a document of it. */
const DOCUMENT_BITS = 16;

/** Returns a place as one number. */
export function placeOf(segment: number, document: number): number {
  return segment * 2 ** DOCUMENT_BITS + document;
}

/** Returns the position of the segment of a place. */
export function segmentOf(place: number): number {
  return place >>> DOCUMENT_BITS;
}

/** Returns the document of a place in its segment. */
export function documentOf(place: number): number {
  return place & (2 ** DOCUMENT_BITS - 1);
}

/**
 * A hash table of places by id. A search scores hundreds of documents and then asks several things
 * of each. The table saves looking up a scored document by its id again.
 */
export class DocumentPlaces {
  /** Ids by slot; 0: free. */
  #ids = NO_IDS;
  #places = NO_PLACES;
  #size = 0;

  /** Returns the place of a document, or -1 if it is not known. */
  get(id: number): number {
    const slot = this.#slot(id);
    return this.#ids[slot] === id ? this.#places[slot]! : -1;
  }

  /** Remembers the place of a document. All others are forgotten when there are too many. */
  note(id: number, place: number): void {
    let slot = this.#slot(id);
    if (this.#ids[slot] !== id) {
      if (2 * (this.#size + 1) > this.#ids.length) {
        this.#makeRoom();
        slot = this.#slot(id);
      }
      this.#size++;
    }
    this.#ids[slot] = id;
    this.#places[slot] = place;
  }

  #makeRoom(): void {
    const [ids, places] = [this.#ids, this.#places];
    this.#size = 0;
    if (ids.length >= 2 * DOCUMENTS_MAX) {
      ids.fill(0);
      return;
    }
    const slots = Math.max(FIRST_SLOTS, 2 * ids.length);
    this.#ids = new Float64Array(slots);
    this.#places = new Uint32Array(slots);
    ids.forEach((id, slot) => {
      if (id !== 0) this.note(id, places[slot]!);
    });
  }

  /** Returns the slot of a document, or the free one that it belongs to. */
  #slot(id: number): number {
    const mask = this.#ids.length - 1;
    let slot = hashCompany(id) & mask;
    while (this.#ids[slot] !== 0 && this.#ids[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }
}
