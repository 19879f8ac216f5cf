/** Normalizes facets to their stored form. */
import { FACET_LIMITS, type Facets, type Place } from "../../contract/facets.ts";
import { normalizeInstant } from "../../contract/instant.ts";
import { territoryOf } from "../classify/gazetteer.ts";
import { cleanLine, cutAtWord } from "../text/clean_text.ts";

/** Stored facets. Places are a list, and empty members are absent. */
export type NormalFacets = Omit<Facets, "place"> & { places?: Place[] };

/** Cleans and bounds the texts of facets, and drops members that are null, empty or blank. */
export function normalizeFacets({ place, deadline, ...facets }: Facets): NormalFacets {
  const instant = deadline == null ? undefined : normalizeInstant(deadline);
  const places = (place == null ? [] : [place].flat()).map(inUnitedStates);
  return (pruned({ ...facets, places, deadline: instant }) ?? {}) as NormalFacets;
}

/** Returns a place, with a territory as a region of the United States. */
function inUnitedStates(place: Place): Place {
  const territory = territoryOf(place.country ?? "");
  return territory === undefined ? place : { ...place, country: "US", region: territory };
}

/**
 * Returns the value with all its texts cleaned and without empty members; undefined if it is empty.
 */
function pruned(value: unknown): unknown {
  if (value == null) return undefined;
  if (typeof value === "string") return facetText(value);
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const kept = value.map(pruned).filter((member) => member !== undefined);
    const distinct = new Map(kept.map((member) => [JSON.stringify(member), member]));
    return distinct.size > 0 ? [...distinct.values()] : undefined;
  }
  const members = Object.entries(value).map(([name, one]) => [name, pruned(one)] as const)
    .filter(([, member]) => member !== undefined).sort(([a], [b]) => a < b ? -1 : 1);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/**
 * Returns a text as a facet, on one line and cut to the limit of facets. Returns undefined if it is
 * empty.
 */
export function facetText(text: string): string | undefined {
  return cutAtWord(cleanLine(text), FACET_LIMITS.text_characters) || undefined;
}
