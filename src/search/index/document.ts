/** Observations as documents of the index. */
import {
  type Country,
  type DemandClass,
  type Kind,
  SECTOR_CODES,
} from "../../contract/vocabulary.ts";

/** An observation as the index takes it. */
export interface ObservationDocument {
  observation_id: number;
  company_id: number;
  kind: Kind;
  demand_class: DemandClass;
  country: Country;
  /** Instants are texts that compare as the times do: see instant.ts. */
  occurred_at: string | null;
  observed_at: string;
  expires_at: string | null;
  /** Normalized hostnames that this observation supports by an active link of its company. */
  hostnames: string[];
  /** Facet terms such as `round:series_a`: a space of their own, never words of a text. */
  facets: string[];
  /** Money of the fact, in units of its currency; null: unknown. */
  amount: number | null;
  /** The instant until which answers are taken; null: unknown. The index keeps the minute. */
  closes_at: string | null;
  /** Bit mask of NAICS sectors: see sectorMask. */
  sectors: number;
  text: DocumentText;
}

/** The fields that are searched. */
export interface DocumentText {
  company: string;
  observed_fact: string;
  why_it_may_matter: string;
  /**
   * All that the source says, one text per language version; or the excerpts if it says no more.
   */
  texts: string[];
}

/** First two digits of a NAICS code -> the code of its sector: 31, 32 and 33 are "31-33". */
const SECTOR_PLACES = new Map(SECTOR_CODES.flatMap((code, place) => {
  const [first, last = first] = code.split("-").map(Number);
  return Array.from({ length: last! - first! + 1 }, (_, n) => [String(first! + n), place] as const);
}));

/**
 * Returns the bit mask of NAICS codes: bit n stands for SECTOR_CODES[n]. Codes may be of sectors
 * ("31-33") or longer; unknown ones have no bit.
 */
export function sectorMask(codes: readonly string[]): number {
  return codes.reduce((mask, code) => {
    const place = SECTOR_PLACES.get(code.slice(0, 2));
    return place === undefined ? mask : mask | 1 << place;
  }, 0);
}

/** Names of places: a record that names one is in no other. */
const PLACE_NAMES = ["region", "city", "metro"];

/** Names of facets of which another value contradicts the one that is asked for. */
const EXCLUSIVE_NAMES: readonly string[] = [
  ...PLACE_NAMES,
  "round",
  "role",
  "document",
  "set_aside",
];

/** Bits of the names of places: see facetNameBit. */
export const PLACE_FACETS = (1 << PLACE_NAMES.length) - 1;

/** Returns the bit of the name of a facet term such as `round:series_a`; 0 for other names. */
export function facetNameBit(facet: string): number {
  const place = EXCLUSIVE_NAMES.indexOf(facet.slice(0, facet.indexOf(":")));
  return place < 0 ? 0 : 1 << place;
}
