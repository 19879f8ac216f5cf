/** Reads the places of SAM.gov's notices. */
import type { Place } from "../../contract/facets.ts";
import type { Country } from "../../contract/vocabulary.ts";
import { maskedLine } from "../masking/mask_text.ts";
import { regionOf } from "../classify/regions.ts";
import type { SamNotice } from "./sam_notice.ts";

/**
 * Countries by their names and codes in the API, the extract and older notices. Territories also
 * have country codes.
 */
const COUNTRIES: Readonly<Record<string, Country>> = {
  "": "US",
  USA: "US",
  US: "US",
  "UNITED STATES": "US",
  "UNITED STATES OF AMERICA": "US",
  "PUERTO RICO": "US",
  PRI: "US",
  VIR: "US",
  GUM: "US",
  ASM: "US",
  MNP: "US",
  CAN: "CA",
  CA: "CA",
  CANADA: "CA",
};

/** Region codes of the territories, by their country codes. */
const TERRITORIES: Readonly<Record<string, string>> = {
  PRI: "PR",
  VIR: "VI",
  GUM: "GU",
  ASM: "AS",
  MNP: "MP",
};

/** Returns the country; the United States if none is named; undefined for another country. */
export function countryOf(text: string): Country | undefined {
  return COUNTRIES[text.trim().toUpperCase()];
}

/**
 * Returns the place of performance to show: "Grand Junction, CO, US". Returns an empty text if none
 * is named.
 */
export function performanceOf(notice: SamNotice, country: Country): string {
  const parts = [notice.city, notice.state].map(maskedLine).filter((part) => part !== "");
  return parts.length === 0 ? "" : [...new Set([...parts, country])].join(", ");
}

/**
 * Returns the place of performance, if one is stated. It may be a whole country. The place of the
 * office is not used.
 */
export function placeOf(notice: SamNotice, country: Country): Place | undefined {
  const { city, state } = notice;
  const territory = TERRITORIES[notice.country.trim().toUpperCase()];
  if (city.trim() !== "" || state.trim() !== "" || territory !== undefined) {
    return placeIn(country, { city, state: state || (territory ?? "") });
  }
  return notice.country.trim() === "" ? undefined : { country };
}

/** Returns a city and a state of a country as a facet. */
export function placeIn(country: Country, { city, state }: { city: string; state: string }): Place {
  const name = maskedLine(city);
  return { country, region: regionOf(country, state) ?? null, city: name === "" ? null : name };
}
