/** Reads the places that a text names: "Toronto, ON", "NY or SF", "Remote - US". */
import type { Country } from "../../contract/vocabulary.ts";
import {
  COUNTRIES_BY_NAME,
  type Elsewhere,
  type Mention,
  type MentionMeaning,
  mentionsOf,
  plainOf,
} from "./place_mentions.ts";
import { territoryOf } from "./gazetteer.ts";

export type { Elsewhere } from "./place_mentions.ts";

/** A place in Canada or the United States, as precisely as the text names it. */
export interface NamedPlace {
  country: Country;
  /** Part of an ISO 3166-2 code after the country: "QC", "NY". */
  region?: string;
  city?: string;
}

/** The places that a text names, and how clear the text is. */
export interface PlaceReading {
  /**
   * Places in Canada and the United States that the text clearly names, in order, without
   * duplicates.
   */
  places: NamedPlace[];
  /** True if the text names a place in another country. */
  elsewhere: boolean;
  /**
   * True if a name can be in several countries, if names contradict each other, or if the text says
   * "worldwide".
   */
  unclear: boolean;
  /**
   * True if the country of the text is in doubt, even if it has clear names. This is so if names
   * contradict each other, if adjacent names together fit several countries, or if the text says
   * "worldwide". It is also so if a name that can be in several countries precedes all clear names.
   */
  doubtful: boolean;
}

/** Max UTF-16 units of a text that are read. */
const READ_CHARACTERS = 10_000;
/** Matches words that exclude places, together with the names of these places. */
const EXCLUDED =
  /\b(?:excluding|except|excl\.|not (?:\w+ )?in|outside|other than|sauf|hors)\b[^);]*/giu;

/**
 * Reads the places of a text. Adjacent names that agree are one place: "Austin, TX, US". Names that
 * disagree, or that are separated by "or", "/", ";" or the like, are several places. A name that
 * can be in several countries needs another name that decides: "London, ON", "Newark, DE". A text
 * with "worldwide" is unclear, whatever else it names.
 */
export function readPlaces(text: string): PlaceReading {
  const plain = plainOf(text.slice(0, READ_CHARACTERS)).replace(
    EXCLUDED,
    (words) => " ".repeat(words.length),
  );
  const mentions = mentionsOf(plain);
  if (mentions.some(({ is_worldwide }) => is_worldwide)) {
    return { places: [], elsewhere: false, unclear: true, doubtful: true };
  }
  const reading: PlaceReading = { places: [], elsewhere: false, unclear: false, doubtful: false };
  for (const group of groupsOf(plain, mentions)) addGroup(reading, group);
  return { ...reading, places: distinctPlaces(reading.places) };
}

/**
 * Returns the country of a text about a place, if it clearly names one country and no other. After
 * a clear name, a name that can be in several countries is ignored: "New York and London".
 */
export function countryOfPlace(text: string): Country | undefined {
  const { places, elsewhere, doubtful } = readPlaces(text);
  const [country, second] = new Set(places.map(({ country }) => country));
  return elsewhere || doubtful || second !== undefined ? undefined : country;
}

/**
 * Returns the country in a field for countries: an English or French name or an ISO 3166-1 code, so
 * that "CA" is Canada. A territory is part of the United States. Returns undefined for a text that is not a country.
 */
export function countryOfName(text: string): Country | Elsewhere | undefined {
  const plain = plainOf(text).trim();
  if (/^(?:CAN?|USA?|U\.S\.(?:A\.)?)$/i.test(plain)) return /^c/i.test(plain) ? "CA" : "US";
  if (territoryOf(plain) !== undefined) return "US";
  if (/^[A-Z]{2,3}$/.test(plain)) return "elsewhere";
  return COUNTRIES_BY_NAME.get(
    plain.toLowerCase().replace(/^the /, "").replace(/ of america$/, ""),
  );
}

/** Drops duplicates from a list of places. */
export function distinctPlaces(places: readonly NamedPlace[]): NamedPlace[] {
  return [...new Map(places.map((place) => [
    [place.country, place.region, place.city].join("|"),
    place,
  ])).values()];
}

/** Mentions of one place, with the possible meanings that they have together. */
interface Group {
  meanings: readonly MentionMeaning[];
  mentions: Mention[];
  /** True if its names contradict each other. */
  is_contradictory?: true;
  /** Words before the first name, if they can be an unlisted city: "Medford" in "Medford, MA". */
  unlisted_city?: string;
}

function groupsOf(plain: string, mentions: readonly Mention[]): Group[] {
  const groups: Group[] = [];
  for (const mention of mentions) {
    const last = groups.at(-1);
    const before = plain.slice(last?.mentions.at(-1)?.end ?? 0, mention.start);
    const isNear = before.length < 60 && !before.includes("\n") && FILLERS.test(before);
    if (last !== undefined && isNear) {
      const together = togetherOf(last, mention);
      if (together.length > 0) {
        last.meanings = together;
        last.mentions.push(mention);
        continue;
      }
      if (contradicts(last, mention, before)) {
        last.is_contradictory = true;
        last.mentions.push(mention);
        continue;
      }
    }
    groups.push({
      meanings: mention.meanings,
      mentions: [mention],
      unlisted_city: unlistedCity(before),
    });
  }
  return groups;
}

/** Matches words and signs that may occur between the names of one place. */
const FILLERS =
  /^(?:[\s,():.–—-]|\b(?:area|metro(?:politan)?|greater|region|remote|hybrid|city|state|only|based|office|hq|downtown|the|in)\b)*$/i;

/**
 * Returns the meanings that a group and the next name have together. Returns an empty list if they
 * name two places.
 */
function togetherOf(group: Group, mention: Mention): MentionMeaning[] {
  if (group.is_contradictory) return [];
  const isBoth = group.mentions.some(({ is_both }) => is_both);
  if (mention.is_both && group.mentions.length > 0) return [];
  const merged = group.meanings.flatMap((one) =>
    mention.meanings.flatMap((next) => mergedOf(one, next, isBoth) ?? [])
  );
  if (merged.length > 0) return merged;
  // "Springfield, OR": many cities have the name, and the city in this region is not listed.
  const [first, second] = group.mentions;
  if (first!.is_common && second === undefined) return commonNameIn(first!, mention.meanings);
  return [];
}

function mergedOf(
  one: MentionMeaning,
  next: MentionMeaning,
  isBoth: boolean,
): MentionMeaning | undefined {
  if (one.country !== next.country) return undefined;
  if (one.city !== undefined && next.city !== undefined) return undefined;
  const isRegion = (meaning: MentionMeaning) =>
    meaning.region !== undefined && meaning.city === undefined;
  const isCountry = (meaning: MentionMeaning) =>
    meaning.region === undefined && meaning.city === undefined;
  if (isRegion(one) && isRegion(next)) return undefined;
  if (isCountry(one) && isCountry(next) && !isBoth) return undefined;
  if (one.region !== undefined && next.region !== undefined && one.region !== next.region) {
    return undefined;
  }
  return { country: one.country, region: one.region ?? next.region, city: one.city ?? next.city };
}

function commonNameIn(first: Mention, meanings: readonly MentionMeaning[]): MentionMeaning[] {
  const city = first.meanings.find((meaning) => meaning.city !== undefined)?.city;
  // "Berlin, NH" is a city in New Hampshire, but "Berlin, US" is two places.
  const isSure = first.meanings.some(({ needs_support }) => !needs_support);
  return meanings
    .filter((meaning) => meaning.city === undefined && !meaning.needs_support)
    .filter((meaning) => !isSure || meaning.region !== undefined)
    .map(({ country, region }) => ({ country, region, city }));
}

/**
 * Returns whether a known city directly precedes another country or a region of another country:
 * "Toronto, OH".
 */
function contradicts(group: Group, mention: Mention, gap: string): boolean {
  const [first, second] = group.mentions;
  return second === undefined && /^\s*,?\s*\(?$/.test(gap) &&
    first!.meanings.every(({ city }) => city !== undefined) &&
    mention.meanings.every((meaning) =>
      meaning.city === undefined && meaning.country !== first!.meanings[0]!.country
    );
}

const UNLISTED_CITY = /(?:^|[;/|•(]|\s-\s|\b(?:or|and|ou|et)\b)\s*(\p{Lu}[\p{L}.' -]{1,40}),\s*$/u;
const NOT_A_CITY = /remote|hybrid|office|anywhere|multiple|various|home|locations?\b/i;

function unlistedCity(before: string): string | undefined {
  const city = UNLISTED_CITY.exec(before)?.[1]?.trim();
  return city === undefined || NOT_A_CITY.test(city) ? undefined : city;
}

function addGroup(reading: PlaceReading, group: Group): void {
  const isAlone = group.mentions.length === 1;
  const meanings = isAlone
    ? group.meanings.filter(({ needs_support }) => !needs_support)
    : group.meanings;
  const countries = new Set(meanings.map(({ country }) => country));
  if (group.is_contradictory || countries.size === 0) {
    reading.unclear = true;
    reading.doubtful ||= group.is_contradictory === true || reading.places.length === 0;
    return;
  }
  if (isAlone && group.mentions[0]!.is_both) {
    reading.places.push({ country: "US" }, { country: "CA" });
    return;
  }
  const [country, second] = countries;
  if (second !== undefined) {
    reading.unclear = true;
    reading.doubtful = true;
  } else if (country === "elsewhere") reading.elsewhere = true;
  else reading.places.push(placeOf(country!, meanings, group.unlisted_city));
}

/** Returns the place with the parts that all meanings have in common. */
function placeOf(
  country: Country,
  meanings: readonly MentionMeaning[],
  unlistedCity: string | undefined,
): NamedPlace {
  const common = <Key extends "region" | "city">(key: Key): string | undefined =>
    meanings.every((meaning) => meaning[key] === meanings[0]![key]) ? meanings[0]![key] : undefined;
  const region = common("region");
  const city = common("city") ?? (region === undefined ? undefined : unlistedCity);
  return {
    country,
    ...region === undefined ? {} : { region },
    ...city === undefined ? {} : { city },
  };
}
