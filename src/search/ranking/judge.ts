/** Judges records by what a question asks beside its words: kinds, places, times, amounts, facets. */
import { microsecondsOf } from "../engine/instants.ts";
import type { KnownObservation, ObservationIndex } from "../engine/observation_index.ts";
import { sectorMask } from "../document.ts";
import type { AskedFacet, AskedPeriod, Question } from "../reading/question.ts";

/** A record meets a condition, contradicts it, or does not say. */
export type Judgement = "met" | "unknown" | "contradicted";

/** The judgements of all conditions of a question, counted. */
export interface Standing {
  met: number;
  unknown: number;
  contradicted: number;
}

/** Facets of which a record has one value each: another value contradicts. */
const EXCLUSIVE: ReadonlySet<string> = new Set(["round", "role", "document", "set_aside"]);
/** A record that names one place contradicts another one, whatever the kind of place. */
const PLACES: ReadonlySet<string> = new Set(["region", "city", "metro"]);

type Judge = (record: KnownObservation, facets: readonly string[]) => Judgement;

/** Judges the records of an index by one question. */
export class Judges {
  readonly #judges: Judge[] = [];
  readonly #index: ObservationIndex;
  readonly #readsFacets: boolean;
  /** Bit mask of the sectors that are all the question is about; 0 if it is about more. */
  readonly #wholeSector: number;

  constructor(index: ObservationIndex, question: Question) {
    this.#index = index;
    this.#readsFacets = question.facets.length > 0;
    this.#wholeSector = wholeSectorOf(question);
    const { kinds, countries, demand_classes, sectors, occurred, closes, amount } = question;
    if (kinds.length > 0) this.#judges.push(({ kind }) => isMet(kinds.includes(kind)));
    if (countries.length > 0) {
      this.#judges.push(({ country }) => isMet(countries.includes(country)));
    }
    if (demand_classes.length > 0) {
      this.#judges.push(({ demand_class }) => isMet(demand_classes.includes(demand_class)));
    }
    if (sectors.length > 0 && !question.facets.some((facet) => facet.sectors.length > 0)) {
      const asked = sectorMask(sectors);
      this.#judges.push((record) =>
        record.sectors === 0 ? "unknown" : isMet((record.sectors & asked) !== 0)
      );
    }
    this.#addPeriod(occurred, ({ occurred }) => occurred);
    this.#addPeriod(closes, ({ closes }) => closes);
    if (amount !== null) {
      const { min, max } = amount;
      this.#judges.push(({ amount: value }) =>
        Number.isNaN(value)
          ? "unknown"
          : isMet((min === null || value >= min) && (max === null || value <= max))
      );
    }
    for (const facet of question.facets) this.#judges.push(judgeOfFacet(facet));
  }

  /**
   * Whether a record is of a company of another sector than the one that is all the question is
   * about: "construction companies that raised money". A request may come from any sector.
   */
  isOpposed({ sectors }: KnownObservation): boolean {
    return this.#wholeSector !== 0 && sectors !== 0 && (sectors & this.#wholeSector) === 0;
  }

  /** The number of conditions. */
  get size(): number {
    return this.#judges.length;
  }

  judge(record: KnownObservation): Standing {
    const facets = this.#readsFacets ? this.#index.facetsOf(record.observation_id) : [];
    const standing: Standing = { met: 0, unknown: 0, contradicted: 0 };
    for (const judge of this.#judges) standing[judge(record, facets)]++;
    return standing;
  }

  #addPeriod(period: AskedPeriod, instantOf: (record: KnownObservation) => number): void {
    if (period.after === null && period.before === null) return;
    const after = period.after === null ? -Number.MAX_VALUE : microsecondsOf(period.after);
    const before = period.before === null ? Infinity : microsecondsOf(period.before);
    this.#judges.push((record) => {
      const instant = instantOf(record);
      return Number.isFinite(instant) ? isMet(instant >= after && instant < before) : "unknown";
    });
  }
}

function isMet(met: boolean): Judgement {
  return met ? "met" : "contradicted";
}

/** A record may say by its words what it has no facet for, so words that stand for a facet do not contradict. */
function judgeOfFacet({ any, sectors, words }: AskedFacet): Judge {
  const asked = new Set(any);
  const mask = sectorMask(sectors);
  const contradicting = new Set(
    words.length > 0
      ? []
      : any.map(nameOf).flatMap((name) =>
        PLACES.has(name) ? [...PLACES] : EXCLUSIVE.has(name) ? [name] : []
      ),
  );
  return (record, facets) => {
    if ((record.sectors & mask) !== 0 || facets.some((facet) => asked.has(facet))) return "met";
    return facets.some((facet) => contradicting.has(nameOf(facet))) ? "contradicted" : "unknown";
  };
}

function nameOf(facet: string): string {
  return facet.slice(0, facet.indexOf(":"));
}

function wholeSectorOf({ words, facets, kinds }: Question): number {
  if (kinds.length === 0 || kinds.includes("procurement_request")) return 0;
  const whole = facets.find((facet) =>
    facet.sectors.length > 0 && facet.any.length === 0 && facet.words.length === words.length
  );
  return whole === undefined ? 0 : sectorMask(whole.sectors);
}
