/** Reads and checks single fields of records of sources. */
import { shownValue } from "../../masking/mask_text.ts";
import { cutAtWord } from "../../text/clean_text.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { regionName } from "../../classify/gazetteer.ts";

/** Max characters of a faulty field that a reason quotes. */
const SHOWN_CHARACTERS = 40;

/**
 * Returns the reason why a field cannot be used: it is empty, or is not `wanted` ("a date"). The text
 * is masked before it is cut, because a half of an e-mail address is not recognized.
 */
export function fieldFault(name: string, text: string, wanted: string): { reason: string } {
  const shown = cutAtWord(shownValue(text), SHOWN_CHARACTERS);
  return { reason: `${name}: ${shown === "" ? "is empty" : `is not ${wanted}: ${shown}`}` };
}

/**
 * Drops the region from the end of a city: "New York, New York" and "WASHINGTON DC" give "New York"
 * and "WASHINGTON". A city whose whole name is that of the region keeps it.
 */
export function cityWithoutRegion(
  city: string,
  country: Country | undefined,
  region: string | undefined,
): string {
  if (country === undefined || region === undefined) return city;
  const [ending = "", last = ""] = /,\s*([^,]+)$/.exec(city) ?? [];
  const isRegion = [region, regionName(country, region)]
    .some((name) => name.toLowerCase() === last.toLowerCase());
  if (isRegion) return city.slice(0, -ending.length).trim() || city;
  // Without a comma, only a code in capitals is dropped.
  return city.endsWith(` ${region}`) ? city.slice(0, -region.length).trim() : city;
}
