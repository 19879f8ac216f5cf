/** Maps Crunchbase's categories to sectors. */
import type { Sector } from "../../contract/vocabulary.ts";

/**
 * Sectors of NAICS 2022 by category. A category has a sector only if all its companies are in one
 * sector. Categories with both makers and users of a technology have none: "cleantech", "medical",
 * "mobile".
 */
const SECTORS: Readonly<Record<string, Sector>> = {
  advertising: "54",
  consulting: "54",
  design: "54",
  ecommerce: "44-45",
  education: "61",
  finance: "52",
  games_video: "51",
  government: "92",
  hardware: "31-33",
  health: "62",
  hospitality: "72",
  legal: "54",
  manufacturing: "31-33",
  network_hosting: "51",
  news: "51",
  public_relations: "54",
  real_estate: "53",
  search: "51",
  semiconductor: "31-33",
  social: "51",
  software: "51",
  sports: "71",
  transportation: "48-49",
  web: "51",
};

/** Returns the sector of a category such as "network_hosting", or an empty list. */
export function sectorsOfCategory(category: string): Sector[] {
  const sector = SECTORS[category.trim()];
  return sector === undefined ? [] : [sector];
}
