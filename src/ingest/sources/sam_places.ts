/** Reads the places of SAM.gov's notices. */
import type { Place } from "../../contract/facets.ts";
import type { Country } from "../../contract/vocabulary.ts";
import { maskedLine } from "../masking/mask_text.ts";
import { regionOf } from "../classify/gazetteer.ts";
import { territoryOf } from "../classify/territories.ts";
import type { SamNotice } from "./sam_notice.ts";

/** Countries by their names and codes in the API, the extract and older notices. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  "": "US",
  USA: "US",
  US: "US",
  "UNITED STATES": "US",
  "UNITED STATES OF AMERICA": "US",
  CAN: "CA",
  CA: "CA",
  CANADA: "CA",
};

/** Returns the country; the United States if none is named; undefined for another country. */
export function countryOf(text: string): Country | undefined {
  return territoryOf(text) === undefined ? COUNTRIES[text.trim().toUpperCase()] : "US";
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
  if ((city + state).trim() !== "" || territoryOf(notice.country) !== undefined) {
    return placeIn(country, notice);
  }
  return notice.country.trim() === "" ? undefined : { country };
}

/** Returns a city and a state of a country as a facet. A territory counts as a state. */
export function placeIn(
  country: Country,
  { city, state, country: stated }: { city: string; state: string; country: string },
): Place {
  const name = maskedLine(city);
  const region = regionOf(country, state) ?? territoryOf(stated);
  return { country, region: region ?? null, city: name === "" ? null : name };
}
