/**
 * Judges records by the conditions of a question other than its words: kinds, places, times,
 * amounts and facets.
 */
import { facetNameBit, PLACE_FACETS, sectorMask } from "../index/document.ts";
import { HeldWords, type Wording } from "../index/held_words.ts";
import { microsecondsOf } from "../index/instants.ts";
import type { KnownObservation } from "../index/mapping.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import {
  type AskedAmount,
  type AskedFacet,
  type AskedPeriod,
  hasSectorFacet,
  isOpen,
  type Question,
} from "../reading/question.ts";

/**
 * Judgement of a record by one condition: unknown if the record says nothing about it. A record that
 * differs has another kind, class of demand, sector or document. A record that contradicts states
 * another place, time, round or role.
 */
export type Judgement = "met" | "unknown" | "differs" | "contradicted";

/** Number of conditions of a question by judgement. */
interface JudgementCounts {
  met: number;
  unknown: number;
  differs: number;
  contradicted: number;
  /** Number of requested cities for which the record is only in the area around the city. */
  nearby: number;
}

/** Facets of which another value than the requested one rules a record out. */
const HARD_FACETS = PLACE_FACETS | facetNameBit("round:") | facetNameBit("role:");

/** Share of met conditions that a record loses if it is only in the area of a requested city. */
export const NEARBY_LOSS = 0.15;

type Judge = (record: KnownObservation) => Judgement;

/** Judges the records of an index by one question. */
export class Judges {
  readonly #judges: Judge[] = [];
  /** Facet terms of the requested cities: of the city, and of the area around it. */
  readonly #cities: { city: Wording; area: Wording }[] = [];
  readonly #index: ObservationIndex;
  /** Requested facet terms. Tells which of them the last judged record contains. */
  readonly #held = new HeldWords();
  /** Bit mask of the sectors if the question asks only for companies of them, or else 0. */
  readonly #wholeSector: number;
  /** True if the words of the question only name a sector and a kind of record. */
  readonly asksWholeSector: boolean;
  readonly #question: Question;

  constructor(index: ObservationIndex, question: Question) {
    this.#index = index;
    this.#question = question;
    this.#wholeSector = wholeSectorOf(question);
    this.asksWholeSector = question.kinds.length > 0 && wholeFacetOf(question) !== undefined;
    const { kinds, countries, demand_classes, sectors, occurred, closes, amount } = question;
    // If the question excludes kinds, `kinds` may contain all other kinds. None of them is then
    // preferred.
    if (kinds.length > 0 && question.excluded_kinds.length === 0) {
      this.#judges.push(({ kind }) => kinds.includes(kind) ? "met" : "differs");
    }
    if (countries.length > 0) {
      this.#judges.push(({ country }) => isMet(countries.includes(country)));
    }
    if (demand_classes.length > 0) {
      this.#judges.push(({ demand_class }) =>
        demand_classes.includes(demand_class) ? "met" : "differs"
      );
    }
    if (sectors.length > 0 && !hasSectorFacet(question.facets)) {
      const asked = sectorMask(sectors);
      this.#judges.push((record) =>
        record.sectors === 0 ? "unknown" : (record.sectors & asked) !== 0 ? "met" : "differs"
      );
    }
    this.#addPeriod(occurred, ({ occurred }) => occurred);
    this.#addPeriod(closes, ({ closes }) => closes);
    if (amount !== null) {
      this.#judges.push(({ amount: value }) =>
        Number.isNaN(value) ? "unknown" : isMet(isInBounds(value, amount))
      );
    }
    for (const facet of question.facets) this.#judges.push(this.#judgeOfFacet(facet));
  }

  /**
   * Returns whether the question asks only for companies of a sector, such as "construction
   * companies that raised money", but the record's company is of another sector. Returns false for
   * a procurement request, because its sector is that of the purchase.
   */
  isOpposed({ kind, sectors }: KnownObservation): boolean {
    return this.#wholeSector !== 0 && kind !== "procurement_request" && sectors !== 0 &&
      (sectors & this.#wholeSector) === 0;
  }

  /** Returns whether a record is of a kind or country that the question excludes. */
  isExcluded({ kind, country }: KnownObservation): boolean {
    const { excluded_kinds, excluded_countries } = this.#question;
    return excluded_kinds.includes(kind) || excluded_countries.includes(country);
  }

  /** Returns whether a record states an amount outside of the requested bounds. */
  missesAmount({ amount: value }: KnownObservation): boolean {
    const { amount } = this.#question;
    return amount !== null && !Number.isNaN(value) && !isInBounds(value, amount);
  }

  /** Number of conditions of the question other than its words. */
  get size(): number {
    return this.#judges.length;
  }

  /** Counts the conditions that a record meets, leaves unknown and contradicts. */
  judge(record: KnownObservation): JudgementCounts {
    if (!this.#held.isEmpty) this.#held.read(this.#index, record.observation_id);
    const counts: JudgementCounts = { met: 0, unknown: 0, differs: 0, contradicted: 0, nearby: 0 };
    for (const judge of this.#judges) counts[judge(record)]++;
    for (const { city, area } of this.#cities) {
      if (this.#held.has(area) && !this.#held.has(city)) counts.nearby++;
    }
    return counts;
  }

  /**
   * Returns the judge of a facet, by its facet terms and sectors. If the facet stands for words,
   * other facet terms do not contradict it, because a record may contain the words instead.
   */
  #judgeOfFacet(facet: AskedFacet): Judge {
    const asked = this.#held.addFacets(facet.any);
    const cities = facet.any.filter((term) => term.startsWith("city:"));
    if (cities.length > 0 && cities.length < facet.any.length) {
      this.#cities.push({ city: this.#held.addFacets(cities), area: asked });
    }
    const mask = sectorMask(facet.sectors);
    const contradicting = namesContradicting(facet);
    const isHard = (contradicting & HARD_FACETS) !== 0;
    const namesCompanies = facet.names_companies === true;
    return ({ observation_id, kind, sectors }) => {
      if ((sectors & mask) !== 0 || this.#held.has(asked)) return "met";
      if (namesCompanies && sectors !== 0 && kind !== "procurement_request") return "differs";
      if (contradicting === 0) return "unknown";
      const names = this.#index.facetNamesOf(observation_id);
      if ((names & contradicting) === 0) return "unknown";
      return isHard ? "contradicted" : "differs";
    };
  }

  #addPeriod(period: AskedPeriod, instantOf: (record: KnownObservation) => number): void {
    if (isOpen(period)) return;
    const after = period.after === null ? -Number.MAX_VALUE : microsecondsOf(period.after);
    const before = period.before === null ? Infinity : microsecondsOf(period.before);
    this.#judges.push((record) => {
      const instant = instantOf(record);
      return Number.isFinite(instant) ? isMet(instant >= after && instant < before) : "unknown";
    });
  }
}

function isInBounds(value: number, { min, max }: AskedAmount): boolean {
  return (min === null || value >= min) && (max === null || value <= max);
}

function isMet(met: boolean): Judgement {
  return met ? "met" : "contradicted";
}

/**
 * Returns a bit mask of facet names, such as `role`. A record with a facet of such a name
 * contradicts the requested facet, unless the record meets that facet.
 */
function namesContradicting({ any, words }: AskedFacet): number {
  if (words.length > 0) return 0;
  const names = any.reduce((bits, facet) => bits | facetNameBit(facet), 0);
  // A record of one place contradicts a question for another place, even if one is a city and the
  // other a region.
  return (names & PLACE_FACETS) === 0 ? names : names | PLACE_FACETS;
}

/** Returns the bit mask of sectors if the question asks only for companies of them, or else 0. */
function wholeSectorOf(question: Question): number {
  const { kinds } = question;
  const whole = wholeFacetOf(question);
  if (whole === undefined) return 0;
  const asksCompanies = whole.names_companies === true ||
    (kinds.length > 0 && !kinds.includes("procurement_request"));
  return asksCompanies ? sectorMask(whole.sectors) : 0;
}

/** Returns the facet that has only sectors and stands for all words of a question. */
function wholeFacetOf({ words, facets }: Question): AskedFacet | undefined {
  return facets.find((facet) =>
    facet.sectors.length > 0 && facet.any.length === 0 && facet.words.length === words.length
  );
}
