/** Defines observations as documents of the index, and the numbers that the index stores of them. */
import {
  COUNTRIES,
  type Country,
  DEMAND_CLASSES,
  type DemandClass,
  type Kind,
  KINDS,
} from "../../contract/vocabulary.ts";

/** An observation as a document of the index. */
export interface ObservationDocument {
  observation_id: number;
  company_id: number;
  kind: Kind;
  demand_class: DemandClass;
  country: Country;
  /** Instants are texts that sort in the order of time: see contract/instant.ts. */
  occurred_at: string | null;
  observed_at: string;
  expires_at: string | null;
  /** Normalized hostnames that this observation links to the company. */
  hostnames: string[];
  /** Facet terms such as `round:series_a`. They are distinct from the words of texts. */
  facets: string[];
  /** Amount of money that the observation states, in units of its currency; null: unknown. */
  amount: number | null;
  /** Instant until which responses to a request or posting are accepted; null: unknown. */
  closes_at: string | null;
  /** NAICS sectors, some of them perhaps twice. */
  sectors: string[];
  company: string;
  observed_fact: string;
  why_it_may_matter: string;
  /**
   * Full texts of the source, one per language. If there are none, or if an excerpt is withdrawn,
   * the excerpts that are not withdrawn.
   */
  texts: string[];
}

/** Number columns of an index: one number of each document. Instants are microseconds since 1970. */
export const COLUMNS = {
  observation_id: Float64Array,
  company_id: Float64Array,
  /** Places in KINDS, COUNTRIES and DEMAND_CLASSES. */
  kind: Uint8Array,
  country: Uint8Array,
  demand_class: Uint8Array,
  /** NaN: unknown. */
  occurred_at: Float64Array,
  observed_at: Float64Array,
  /** Infinity: never. */
  expires_at: Float64Array,
  /** NaN: unknown. */
  closes_at: Float64Array,
  amount: Float64Array,
} as const;

/** Numbers of a document by the names of their columns. */
export type DocumentNumbers = Record<keyof typeof COLUMNS, number>;

/** Returns the numbers of a document. */
export function numbersOf(document: ObservationDocument): DocumentNumbers {
  const at = (instant: string | null, absent: number) =>
    instant === null ? absent : microsecondsOf(instant);
  return {
    observation_id: document.observation_id,
    company_id: document.company_id,
    kind: KINDS.indexOf(document.kind),
    country: COUNTRIES.indexOf(document.country),
    demand_class: DEMAND_CLASSES.indexOf(document.demand_class),
    occurred_at: at(document.occurred_at, NaN),
    observed_at: at(document.observed_at, NaN),
    expires_at: at(document.expires_at, Infinity),
    closes_at: at(document.closes_at, NaN),
    amount: document.amount ?? NaN,
  };
}

/**
 * Converts an instant in the form of contract/instant.ts to microseconds since 1970, which are exact
 * from 1684 to 2255. Instants beyond are rounded, but keep their order.
 */
export function microsecondsOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`) * 1000 + Number(instant.slice(23, 26));
}
