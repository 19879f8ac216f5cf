/** Facet terms of a record, from its columns, or from its sentence if a column is missing. */
import type { Place } from "../../contract/facets.ts";
import type { Country, Kind } from "../../contract/vocabulary.ts";
import type { NormalFacets } from "../../ingest/record/facets.ts";
import { industryKey } from "./industries.ts";
import { nameKey } from "./name_keys.ts";
import { cityKey, metroKey, metroOfCity, regionOfCity } from "./place_terms.ts";
import { roleTermsOf } from "./roles.ts";
import { roundTerm, roundTermOfFact } from "./rounds.ts";
import { technologyKey } from "./technologies.ts";

/** Parts of a record from which facet terms are made. */
export interface FacetRecord {
  company: string;
  kind: Kind;
  country: Country;
  observed_fact: string;
  /** Facets, including former names and tickers of the company. */
  facets: NormalFacets;
}

/** Returns the distinct facet terms of a record. */
export function facetTermsOf(record: FacetRecord): string[] {
  const { company, kind, country, observed_fact, facets } = record;
  const terms = new Set<string>();
  for (const name of [company, ...facets.former_names ?? []]) {
    const key = nameKey(name);
    if (key !== "") terms.add(`name:${key}`);
  }
  for (const ticker of facets.tickers ?? []) terms.add(`ticker:${ticker.toLowerCase()}`);
  for (const place of facets.places ?? []) addPlace(terms, place, country);
  // The sentence of a record replaces a missing column.
  const round = facets.round != null
    ? roundTerm(facets.round)
    : kind === "funding_round" && roundTermOfFact(observed_fact);
  if (round) terms.add(round);
  const role = facets.role ?? (kind === "leadership_change" ? observed_fact : "");
  for (const term of roleTermsOf(role)) terms.add(term);
  for (const name of facets.technologies ?? []) {
    const key = technologyKey(name);
    if (key !== "") terms.add(`technology:${key}`);
  }
  if (facets.industry != null) {
    const key = industryKey(facets.industry);
    if (key !== "") terms.add(`industry:${key}`);
  }
  return [...terms];
}

function addPlace(terms: Set<string>, place: Place, recordCountry: Country): void {
  const country = place.country ?? recordCountry;
  const city = place.city == null ? "" : cityKey(place.city);
  const region = place.region == null
    ? regionOfCity(country, city) ?? ""
    : `${country}-${place.region}`;
  if (region !== "") terms.add(`region:${region}`);
  if (city !== "") terms.add(`city:${city}`);
  const metro = place.metro == null ? metroOfCity(region, city) : metroKey(place.metro);
  if (metro !== undefined && metro !== "") terms.add(`metro:${metro}`);
}
