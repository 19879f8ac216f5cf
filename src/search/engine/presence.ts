/** Which segments may hold documents of a company: one look instead of one for each segment. */
import { hashCompany } from "./groups.ts";
import type { OpenDocument, SegmentSearch } from "./ranking.ts";
import type { Segment } from "./segment.ts";

/** A segment has one of so many bits; more segments share them. */
export const PRESENCE_BITS = 32;

export class Presence {
  /** By the hash of a company: the bits of the segments that hold it, or another one like it. */
  readonly #masks: Uint32Array;
  readonly #segments: Segment[] = [];

  constructor(segments: readonly Segment[]) {
    const documents = segments.reduce((sum, { size }) => sum + size, 0);
    this.#masks = new Uint32Array(2 ** Math.ceil(Math.log2(1 + documents / 2)));
    for (const segment of segments) this.add(segment);
  }

  get memory(): number {
    return this.#masks.byteLength;
  }

  /** Takes in one more segment, after the others. */
  add(segment: Segment): void {
    const bit = 1 << (this.#segments.length % PRESENCE_BITS);
    this.#segments.push(segment);
    for (const company of segment.parts.companies) this.#masks[this.#slot(company)]! |= bit;
  }

  /** Tells whether one segment alone may hold a company. */
  isInOne(company: number): boolean {
    const mask = this.#masks[this.#slot(company)]!;
    return (mask & (mask - 1)) === 0 && this.#segments.length <= PRESENCE_BITS;
  }

  /** By company: its documents in any of the segments that were not offered and may match. */
  openDocuments(
    companies: readonly number[],
    segments: readonly SegmentSearch[],
  ): OpenDocument[][] {
    const open = companies.map((): OpenDocument[] => []);
    const masks = companies.map((company) => this.#masks[this.#slot(company)]!);
    for (const segment of segments) {
      const places: number[] = [];
      for (let at = 0; at < masks.length; at++) {
        if (((masks[at]! >>> segment.bit) & 1) === 1) places.push(at);
      }
      const ids = places.map((at) => companies[at]!);
      segment.addOpen(ids, (at, document) => open[places[at]!]!.push(document));
    }
    return open;
  }

  #slot(company: number): number {
    return hashCompany(company) & (this.#masks.length - 1);
  }
}
