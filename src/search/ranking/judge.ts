/** Judges records by what a question asks beside its words: kinds, places, times, amounts, facets. */
import { microsecondsOf } from "../engine/instants.ts";
import type { KnownObservation, ObservationIndex } from "../engine/observation_index.ts";
import { facetNameBit, PLACE_FACETS, sectorMask } from "../document.ts";
import { HeldWords } from "../held_words.ts";
import {
  type AskedFacet,
  type AskedPeriod,
  hasSectorFacet,
  type Question,
} from "../reading/question.ts";

/** A record meets a condition, contradicts it, or does not say. */
export type Judgement = "met" | "unknown" | "contradicted";

/** The judgements of all conditions of a question, counted. */
export interface Standing {
  met: number;
  unknown: number;
  contradicted: number;
}

type Judge = (record: KnownObservation) => Judgement;

/** Judges the records of an index by one question. */
export class Judges {
  readonly #judges: Judge[] = [];
  readonly #index: ObservationIndex;
  /** The facet terms that are asked for. */
  readonly #held = new HeldWords();
  /** Bit mask of the sectors that are all the question is about; 0 if it is about more. */
  readonly #wholeSector: number;
  readonly #asksWholeSector: boolean;
  readonly #question: Question;

  constructor(index: ObservationIndex, question: Question) {
    this.#index = index;
    this.#question = question;
    this.#wholeSector = wholeSectorOf(question);
    this.#asksWholeSector = question.kinds.length > 0 && wholeFacetOf(question) !== undefined;
    const { kinds, countries, demand_classes, sectors, occurred, closes, amount } = question;
    // Kinds that are only all but the unwanted ones tell nothing of what is wanted.
    if (kinds.length > 0 && question.excluded_kinds.length === 0) {
      this.#judges.push(({ kind }) => isMet(kinds.includes(kind)));
    }
    if (countries.length > 0) {
      this.#judges.push(({ country }) => isMet(countries.includes(country)));
    }
    if (demand_classes.length > 0) {
      this.#judges.push(({ demand_class }) => isMet(demand_classes.includes(demand_class)));
    }
    if (sectors.length > 0 && !hasSectorFacet(question.facets)) {
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
    for (const facet of question.facets) this.#judges.push(this.#judgeOfFacet(facet));
  }

  /**
   * Whether a record is of a company of another sector than the one that is all the question is
   * about: "construction companies that raised money". The sector of a request is that of what is
   * bought.
   */
  isOpposed({ kind, sectors }: KnownObservation): boolean {
    return this.#wholeSector !== 0 && kind !== "procurement_request" && sectors !== 0 &&
      (sectors & this.#wholeSector) === 0;
  }

  /** Whether a record is of a kind or country that the question does not want. */
  isExcluded({ kind, country }: KnownObservation): boolean {
    const { excluded_kinds, excluded_countries } = this.#question;
    return excluded_kinds.includes(kind) || excluded_countries.includes(country);
  }

  /** Whether a record states an amount that is out of the bounds asked for: no answer at all. */
  missesAmount({ amount: value }: KnownObservation): boolean {
    const { amount } = this.#question;
    if (amount === null || Number.isNaN(value)) return false;
    const { min, max } = amount;
    return (min !== null && value < min) || (max !== null && value > max);
  }

  /** Whether a sector is all that the words of a question say, beside a kind of record. */
  get asksWholeSector(): boolean {
    return this.#asksWholeSector;
  }

  /** The number of conditions. */
  get size(): number {
    return this.#judges.length;
  }

  judge(record: KnownObservation): Standing {
    if (!this.#held.isEmpty) this.#held.read(this.#index, record.observation_id);
    const standing: Standing = { met: 0, unknown: 0, contradicted: 0 };
    for (const judge of this.#judges) standing[judge(record)]++;
    return standing;
  }

  /**
   * Judges by facet terms and sectors. A record may say by its words what it has no facet for, so
   * words that stand for a facet do not contradict.
   */
  #judgeOfFacet(facet: AskedFacet): Judge {
    const asked = this.#held.addFacets(facet.any);
    const mask = sectorMask(facet.sectors);
    const contradicting = namesContradicting(facet);
    const namesCompanies = facet.names_companies === true;
    return ({ observation_id, kind, sectors }) => {
      if ((sectors & mask) !== 0 || this.#held.has(asked)) return "met";
      if (namesCompanies && sectors !== 0 && kind !== "procurement_request") return "contradicted";
      if (contradicting === 0) return "unknown";
      const names = this.#index.facetNamesOf(observation_id);
      return (names & contradicting) !== 0 ? "contradicted" : "unknown";
    };
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

/** Returns the bits of the facet names that contradict facet terms which a record does not hold. */
function namesContradicting({ any, words }: AskedFacet): number {
  if (words.length > 0) return 0;
  const names = any.reduce((bits, facet) => bits | facetNameBit(facet), 0);
  // A record that names one place contradicts another one, whatever the kind of place.
  return (names & PLACE_FACETS) === 0 ? names : names | PLACE_FACETS;
}

function wholeSectorOf(question: Question): number {
  const { kinds } = question;
  const whole = wholeFacetOf(question);
  if (whole === undefined) return 0;
  const isAsked = whole.names_companies === true ||
    (kinds.length > 0 && !kinds.includes("procurement_request"));
  return isAsked ? sectorMask(whole.sectors) : 0;
}

/** Returns the facet of a sector that stands for all words. */
function wholeFacetOf({ words, facets }: Question): AskedFacet | undefined {
  return facets.find((facet) =>
    facet.sectors.length > 0 && facet.any.length === 0 && facet.words.length === words.length
  );
}
