/** Reads the places that a query names as a condition and as exclusions. */
import { cityKey } from "../facets/place_terms.ts";
import { type Draft, factWay } from "./draft.ts";
import { negationStart } from "./negation.ts";
import { isBeside, mentionsIn } from "./place_mentions.ts";
import type { PlaceMention } from "./place_codes.ts";
import type { AskedPlace } from "./question.ts";
import type { QueryText, Span } from "./query_text.ts";

/** Reads places as one condition, of which a record needs one, or as exclusions. */
export function readPlaces(draft: Draft): void {
  const mentions = mergedBesides(draft.text, mentionsIn(draft));
  const wanted: PlaceMention[] = [];
  let lastExcluded: PlaceMention | undefined;
  for (const mention of mentions) {
    const start = negationStart(draft.text, mention, lastExcluded);
    if (start === undefined) {
      wanted.push(mention);
      continue;
    }
    const { end } = withCue(draft.text, mention);
    draft.exclude({ on: "place", places: mention.places }, { start, end });
    lastExcluded = mention;
  }
  const spans = wanted.map((mention) => withCue(draft.text, mention));
  for (const [at, mention] of wanted.entries()) {
    draft.addWay(factWay("place", mention.places.flatMap(termsOf)), mention);
    draft.text.take(mention);
    const area = { start: mention.end, end: spans[at]!.end };
    if (area.end > area.start) draft.mark("is_filler", area);
  }
  const certain = wanted.filter(({ is_doubtful }) => !is_doubtful);
  const places = conditionOf(certain);
  if (places.length > 0) {
    draft.addCondition(
      { on: "place", places },
      ...spans.filter((_, at) => !wanted[at]!.is_doubtful),
    );
  }
}

/** Returns the most exact terms of a place. */
function termsOf({ country, region, city, metro }: AskedPlace): string[] {
  const local = [...city ? [`city:${city}`] : [], ...metro ? [`metro:${metro}`] : []];
  if (local.length > 0) return local;
  return [region === undefined ? `country:${country}` : `region:${region}`];
}

/**
 * Returns the alternatives of a condition. A country counts only if the query names no place in it:
 * "Toronto, Canada". An adjective counts only if the query names no other place, because "Canadian
 * companies in Texas" are in Texas.
 */
function conditionOf(mentions: readonly PlaceMention[]): AskedPlace[] {
  const places = mentions.filter(({ level }) => level !== "country")
    .flatMap(({ places }) => places);
  const countries = mentions.filter(({ level }) => level === "country");
  const named = countries.filter(({ is_adjective }) => !is_adjective || places.length === 0)
    .flatMap(({ places }) => places);
  const [only, ...others] = new Set(named.map(({ country }) => country));
  const isOnly = only !== undefined && others.length === 0;
  const within = places.map((place) => isOnly ? { country: only, ...place } : place);
  const isNew = ({ country }: AskedPlace) => !within.some((place) => place.country === country);
  const all = [...within, ...named.filter(isNew)];
  return [...new Map(all.map((place) => [JSON.stringify(place), place])).values()];
}

/** Joins a city and the region right after it: "Austin, TX". */
function mergedBesides(text: QueryText, mentions: readonly PlaceMention[]): PlaceMention[] {
  const merged: PlaceMention[] = [];
  for (const mention of mentions) {
    const last = merged.at(-1);
    if (last === undefined || !isBeside(text, last, mention)) {
      merged.push(mention);
      continue;
    }
    const [{ country, region }] = mention.places as [AskedPlace];
    const cities = last.level === "region"
      ? [{ city: cityKey(text.cased.slice(last.start, last.end)) }]
      : last.places.filter(({ city, metro }) => city ?? metro);
    const places = cities.map((place) => ({ ...place, country, region }));
    merged[merged.length - 1] = { ...last, level: "city", places, end: mention.end };
  }
  return merged;
}

/** Pattern of words after a place that add nothing to its meaning: "area", "state". */
const AREA_AFTER =
  /^[\s-]+(?:metropolitan area|metro area|metro|area|region|based|state|county)(?![\p{L}\p{N}])/u;

/** Pattern of words before a place that add nothing to its meaning: "near", "across". */
const CUE_BEFORE =
  /(?<![\p{L}\p{N}])(?:around|across|within|throughout|near|autour|pres)\s+(?:d[eu]\s|de la\s|the\s)?(?:greater |metro |metropolitan )?$/u;

/** Extends a place by the words around it that add nothing to its meaning: "near the … area". */
function withCue({ rest }: QueryText, { start, end }: PlaceMention): Span {
  const after = AREA_AFTER.exec(rest.slice(end))?.[0].length ?? 0;
  return { start: CUE_BEFORE.exec(rest.slice(0, start))?.index ?? start, end: end + after };
}
