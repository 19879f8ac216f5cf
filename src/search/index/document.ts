/** Defines observations as documents of the index. */
import {
  type Country,
  type DemandClass,
  type Kind,
  SECTOR_CODES,
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
  /**
   * Normalized hostnames that are linked to the company, with this observation as evidence of the
   * link.
   */
  hostnames: string[];
  /** Facet terms such as `round:series_a`. They are distinct from the words of texts. */
  facets: string[];
  /** Amount of money that the observation states, in units of its currency; null: unknown. */
  amount: number | null;
  /**
   * Instant until which responses to a request or posting are accepted; null: unknown. The index
   * rounds it down to the minute.
   */
  closes_at: string | null;
  /** Bit mask of NAICS sectors: see sectorMask. */
  sectors: number;
  text: DocumentText;
}

/** Fields of a document that are searched. */
export interface DocumentText {
  company: string;
  observed_fact: string;
  why_it_may_matter: string;
  /**
   * Full texts of the source, one per language. If there are none, or if an excerpt is withdrawn,
   * the excerpts that are not withdrawn.
   */
  texts: string[];
}

/**
 * Position of each sector in SECTOR_CODES, by the first two digits of a NAICS code. 31, 32 and 33
 * belong to "31-33".
 */
const SECTOR_PLACES = new Map(SECTOR_CODES.flatMap((code, place) => {
  const [first, last = first] = code.split("-").map(Number);
  return Array.from({ length: last! - first! + 1 }, (_, n) => [String(first! + n), place] as const);
}));

/**
 * Returns the bit mask of NAICS codes: bit n stands for SECTOR_CODES[n]. Codes may be sectors
 * ("31-33") or longer codes. Unknown codes have no bit.
 */
export function sectorMask(codes: readonly string[]): number {
  return codes.reduce((mask, code) => {
    const place = SECTOR_PLACES.get(code.slice(0, 2));
    return place === undefined ? mask : mask | 1 << place;
  }, 0);
}

/** Names of the facets that are places. */
const PLACE_NAMES = ["region", "city", "metro"];

/**
 * Names of exclusive facets. A record with another value than the requested one contradicts the
 * request.
 */
const EXCLUSIVE_NAMES: readonly string[] = [
  ...PLACE_NAMES,
  "round",
  "role",
  "document",
  "set_aside",
];

/** Bits of the facet names of places: see facetNameBit. */
export const PLACE_FACETS = (1 << PLACE_NAMES.length) - 1;

/**
 * Returns the bit of a facet term's name, such as `round` of `round:series_a`; 0 if the name is not
 * in EXCLUSIVE_NAMES.
 */
export function facetNameBit(facet: string): number {
  const place = EXCLUSIVE_NAMES.indexOf(facet.slice(0, facet.indexOf(":")));
  return place < 0 ? 0 : 1 << place;
}
