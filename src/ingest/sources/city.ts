/** Drops the region that some sources repeat in the names of cities. */
import type { Country } from "../../contract/vocabulary.ts";
import { regionName } from "../classify/gazetteer.ts";

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
