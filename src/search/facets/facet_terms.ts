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
  const { facets } = record;
  const terms = new Set<string>();
  for (const name of [record.company, ...facets.former_names ?? []]) {
    const key = nameKey(name);
    if (key !== "") terms.add(`name:${key}`);
  }
  for (const ticker of facets.tickers ?? []) terms.add(`ticker:${ticker.toLowerCase()}`);
  addColumns(terms, record);
  addFromSentence(terms, record);
  return [...terms];
}

function addColumns(terms: Set<string>, { country, facets }: FacetRecord): void {
  for (const place of facets.places ?? []) addPlace(terms, place, country);
  if (facets.round != null) terms.add(roundTerm(facets.round));
  if (facets.role != null) { for (const term of roleTermsOf(facets.role)) terms.add(term); }
  for (const name of facets.technologies ?? []) {
    const key = technologyKey(name);
    if (key !== "") terms.add(`technology:${key}`);
  }
  if (facets.industry != null) {
    const key = industryKey(facets.industry);
    if (key !== "") terms.add(`industry:${key}`);
  }
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

/** Adds facet terms from the sentence of a record, in place of missing columns. */
function addFromSentence(terms: Set<string>, { kind, facets, observed_fact }: FacetRecord): void {
  if (kind === "funding_round" && facets.round == null) {
    const round = roundTermOfFact(observed_fact);
    if (round !== undefined) terms.add(round);
  }
  if (kind === "leadership_change" && facets.role == null) {
    for (const term of roleTermsOf(observed_fact)) terms.add(term);
  }
}
