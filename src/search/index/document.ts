/** Defines observations as documents of the index. */
import {
  type Country,
  type DemandClass,
  type Kind,
  SECTOR_CODES,
} from "../../contract/vocabulary.ts";

/** An observation in the form that the index takes. */
export interface ObservationDocument {
  observation_id: number;
  company_id: number;
  kind: Kind;
  demand_class: DemandClass;
  country: Country;
  /** Instants are texts that sort in the order of time: see instant.ts. */
  occurred_at: string | null;
  observed_at: string;
  expires_at: string | null;
  /** Normalized hostnames that this observation supports by an active link of its company. */
  hostnames: string[];
  /**
   * Facet terms such as `round:series_a`. They have a separate space and are never words of a text.
   */
  facets: string[];
  /** Amount of money that the observation states, in units of its currency; null: unknown. */
  amount: number | null;
  /** Deadline for answers; null: unknown. The index keeps the minute. */
  closes_at: string | null;
  /** Bit mask of NAICS sectors: see sectorMask. */
  sectors: number;
  text: DocumentText;
}

/** Searched fields. */
export interface DocumentText {
  company: string;
  observed_fact: string;
  why_it_may_matter: string;
  /**
   * Full text of the source, one text per language version; the excerpts if there is no other text.
   */
  texts: string[];
}

/**
 * Position of the sector by the first two digits of a NAICS code: 31, 32 and 33 belong to "31-33".
 */
const SECTOR_PLACES = new Map(SECTOR_CODES.flatMap((code, place) => {
  const [first, last = first] = code.split("-").map(Number);
  return Array.from({ length: last! - first! + 1 }, (_, n) => [String(first! + n), place] as const);
}));

/**
 * Returns the bit mask of NAICS codes: bit n stands for SECTOR_CODES[n]. Codes may be sectors
 * ("31-33") or longer codes; unknown ones have no bit.
 */
export function sectorMask(codes: readonly string[]): number {
  return codes.reduce((mask, code) => {
    const place = SECTOR_PLACES.get(code.slice(0, 2));
    return place === undefined ? mask : mask | 1 << place;
  }, 0);
}

/** Facet names of places. A record that names one place is in no other. */
const PLACE_NAMES = ["region", "city", "metro"];

/** Facet names of which another value contradicts the requested one. */
const EXCLUSIVE_NAMES: readonly string[] = [
  ...PLACE_NAMES,
  "round",
  "role",
  "document",
  "set_aside",
];

/** Bits of the facet names of places: see facetNameBit. */
export const PLACE_FACETS = (1 << PLACE_NAMES.length) - 1;

/** Returns the bit of the name of a facet term such as `round:series_a`; 0 for other names. */
export function facetNameBit(facet: string): number {
  const place = EXCLUSIVE_NAMES.indexOf(facet.slice(0, facet.indexOf(":")));
  return place < 0 ? 0 : 1 << place;
}
