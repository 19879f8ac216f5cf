/** Reads the places of a posting, as the mapping of its board says. */
import type { Country } from "../../../contract/vocabulary.ts";
import { regionOf, territoryOf } from "../../classify/gazetteer.ts";
import {
  countryOfName,
  distinctPlaces,
  type Elsewhere,
  type PlaceReading,
  readPlaces,
} from "../../classify/places.ts";
import { textOf, valueIn } from "../../mapping/template.ts";
import type { BoardPlace } from "./board_mapping.ts";

/** A place in the board's words, with the parts of its address. Missing parts are empty. */
type AddressedPlace = Record<Exclude<keyof BoardPlace, "each">, string>;

/** The places of a posting, in words and as they are read. */
interface PostingPlaces {
  /** Texts of the places in the board's words, without their addresses. */
  texts: string[];
  /** Texts of the places, with the parts of their addresses that the texts lack. */
  names: string[];
  reading: PlaceReading;
}

/** Reads all places of a posting. */
export function placesOf(posting: unknown, mapped: readonly BoardPlace[]): PostingPlaces {
  const places = withoutRepeats(mapped.flatMap((place) => addressedPlaces(posting, place)));
  const readings = places.map(readingOf);
  return {
    texts: places.map(({ text }) => text),
    names: [...new Set(places.map(nameOf))].filter((name) => name !== ""),
    reading: {
      places: distinctPlaces(readings.flatMap(({ places }) => places)),
      elsewhere: readings.some(({ elsewhere }) => elsewhere),
      unclear: readings.some(({ unclear }) => unclear),
      doubtful: readings.some(({ doubtful }) => doubtful),
    },
  };
}

/** Returns the elements of the list at a path; without a path, the posting itself. */
export function elementsAt(posting: unknown, each: string | undefined): unknown[] {
  return each === undefined ? [posting] : [valueIn(posting, each) ?? []].flat();
}

function addressedPlaces(posting: unknown, { each, ...paths }: BoardPlace): AddressedPlace[] {
  return elementsAt(posting, each).flatMap((element) => {
    const at = (path: string | undefined) => path && textOf(valueIn(element, path)) || "";
    const address = {
      city: at(paths.city),
      region: at(paths.region),
      country: at(paths.country),
      country_code: at(paths.country_code).toUpperCase(),
    };
    // A member with a list of texts states several places.
    const texts = [paths.text && valueIn(element, paths.text)].flat().map(textOf);
    return texts.map((text) => ({ ...address, text }));
  });
}

/** Drops places without an address whose text an earlier place has. */
function withoutRepeats(places: readonly AddressedPlace[]): AddressedPlace[] {
  return places.filter(({ text, ...address }, at) =>
    Object.values(address).some((part) => part !== "") ||
    !places.slice(0, at).some((one) => one.text === text)
  );
}

/**
 * Reads a place from its text, in the country of its address. If the text names neither a city nor
 * several places, region and city of the address are added.
 */
function readingOf(place: AddressedPlace): PlaceReading {
  const { text, city, region } = place;
  const named = place.country || place.country_code;
  const country = countryOfName(named);
  const reading = readingInCountry(text, country);
  const [first, second] = reading.places;
  if (country === undefined || country === "elsewhere") {
    return first === undefined && country === undefined ? readPlaces(nameOf(place)) : reading;
  }
  if (second !== undefined || first?.city !== undefined) return reading;
  const regionCode = regionOf(country, region) ?? territoryOf(named) ?? first?.region;
  return {
    ...reading,
    places: [{ country, ...regionCode && { region: regionCode }, ...city && { city } }],
  };
}

/**
 * Reads a place with a separate field for the country. If the text names that country too, returns
 * the reading of the text, which may name further countries. Otherwise the field decides.
 */
function readingInCountry(text: string, country: Country | Elsewhere | undefined): PlaceReading {
  const reading = readPlaces(text);
  if (country === undefined) return reading;
  const isAgreed = country === "elsewhere"
    ? reading.elsewhere && reading.places.length > 0
    : reading.places.some((place) => place.country === country);
  if (isAgreed) return reading;
  return {
    places: country === "elsewhere" ? [] : [{ country }],
    elsewhere: country === "elsewhere",
    unclear: false,
    doubtful: false,
  };
}

/**
 * Returns the text of a place, with the parts of its address that the text lacks: "San Francisco,
 * California".
 */
function nameOf({ text, city, region, country }: AddressedPlace): string {
  const [read] = readPlaces(text).places;
  const named = countryOfName(country);
  const code = named === "CA" || named === "US" ? regionOf(named, region) : undefined;
  const contains = (word: string) =>
    new RegExp(`(?<![\\p{L}])${RegExp.escape(word)}(?![\\p{L}])`, "iu").test(text);
  const isContained = {
    city: contains(city) || read?.city === city,
    region: contains(region) || code !== undefined && contains(code) || region === city,
    country: contains(country) || named === "US" && /\b(?:USA?|U\.S\.)/.test(text) ||
      named !== undefined && countryOfName(text) === named,
  };
  return [
    text,
    isContained.city ? "" : city,
    isContained.region ? "" : region,
    isContained.country ? "" : country,
  ].filter(Boolean).join(", ");
}
