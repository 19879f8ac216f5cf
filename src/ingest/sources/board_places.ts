/** Reads places whose city, region and country have fields of their own. */
import { regionOf } from "../classify/gazetteer.ts";
import { countryOfName, type PlaceReading, readPlaces } from "../classify/places.ts";
import { territoryOf } from "../classify/territories.ts";
import { readingInCountry } from "./job_board.ts";

/** A place in the board's words, with the parts of its address. */
export interface AddressedPlace {
  text?: string | null;
  city?: string | null;
  region?: string | null;
  country?: string | null;
  country_code?: string | null;
}

/**
 * Reads a place from its text, in the country of its address. If the text names neither a city nor
 * several places, region and city of the address are added.
 */
export function readingOf(place: AddressedPlace): PlaceReading {
  const { text, city, region } = place;
  const code = place.country_code?.trim().toUpperCase() ?? "";
  const named = place.country ?? code;
  const country = countryOfName(named);
  const reading = readingInCountry(text ?? "", country);
  const [first, second] = reading.places;
  if (country === undefined || country === "elsewhere") {
    return first === undefined && country === undefined ? readPlaces(nameOf(place)) : reading;
  }
  if (second !== undefined || first?.city !== undefined) return reading;
  const regionCode = regionOf(country, region ?? "") ?? territoryOf(named) ?? first?.region;
  const cityName = city?.trim() || undefined;
  return {
    ...reading,
    places: [{
      country,
      ...regionCode && { region: regionCode },
      ...cityName && { city: cityName },
    }],
  };
}

/**
 * Returns the text of a place, with the parts of its address that the text lacks: "San Francisco,
 * California".
 */
export function nameOf(place: AddressedPlace): string {
  const { city, region, country } = place;
  const text = place.text?.trim() ?? "";
  const [read] = readPlaces(text).places;
  const named = countryOfName(country ?? "");
  const code = named === "CA" || named === "US" ? regionOf(named, region ?? "") : undefined;
  const contains = (word: string) =>
    new RegExp(`(?<![\\p{L}])${RegExp.escape(word)}(?![\\p{L}])`, "iu").test(text);
  const isContained = {
    city: contains(city ?? "") || read?.city === city?.trim(),
    region: contains(region ?? "") || code !== undefined && contains(code) ||
      region?.trim() === city?.trim(),
    country: contains(country ?? "") || named === "US" && /\b(?:USA?|U\.S\.)/.test(text) ||
      named !== undefined && countryOfName(text) === named,
  };
  const missing = [
    isContained.city ? "" : city,
    isContained.region ? "" : region,
    isContained.country ? "" : country,
  ];
  return [text, ...missing].map((part) => part?.trim() ?? "").filter(Boolean).join(", ");
}
