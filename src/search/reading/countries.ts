/** Phrases for countries, and for their provinces, territories and states (see passages.ts). */
import { COUNTRIES, type Country } from "../../contract/vocabulary.ts";
import { anyOf, patternsOf, type Reading, readNames } from "./passages.ts";

/** Names of the countries. */
const COUNTRY_NAMES: Readonly<Record<Country, readonly string[]>> = {
  CA: ["canada"],
  US: ["united states(?: of america)?; usa; etats unis(?: d amerique)?; america; the us"],
};

/** Adjectives and demonyms of the countries. */
const COUNTRY_ADJECTIVES: Readonly<Record<Country, readonly string[]>> = {
  CA: ["canadians?; canadien(?:ne|nes|s)?; quebecois(?:e|es)?; quebec(?:er|ker)s?"],
  US: ["americans?; americain(?:e|es|s)?"],
};

/** Pattern of the United States in capitals. In small letters, "us" is a pronoun. */
const UNITED_STATES = /(?<![\p{L}\p{N}.])(?:US|U\.S\.A?\.?)(?![\p{L}\p{N}])/gu;

/** Names of the provinces, territories and states. */
const REGIONS: Readonly<Record<Country, readonly string[]>> = {
  CA: [
    "alberta; british columbia; manitoba; new brunswick; newfoundland(?: and labrador)?; nova scotia; ontario",
    "prince edward island; quebec; saskatchewan; northwest territories; nunavut; yukon; the maritimes; atlantic canada",
    "colombie britannique; nouveau brunswick; nouvelle ecosse; terre neuve(?: et labrador)?; ile du prince edouard",
    "territoires du nord ouest",
  ],
  US: [
    "alabama; alaska; arizona; arkansas; california; colorado; connecticut; delaware; florida; georgia; hawaii; idaho",
    "illinois; indiana; iowa; kansas; kentucky; louisiana; maine; maryland; massachusetts; michigan; minnesota",
    "mississippi; missouri; montana; nebraska; nevada; new hampshire; new jersey; new mexico; new york; north carolina",
    "north dakota; ohio; oklahoma; oregon; pennsylvania; rhode island; south carolina; south dakota; tennessee; texas",
    "utah; vermont; (?:west )?virginia; washington; wisconsin; wyoming; puerto rico; midwest; new england",
    "guam; american samoa; (?:u\\.?s\\.? |united states )virgin islands; northern mariana islands",
    "californie; floride; georgie; louisiane; pennsylvanie; caroline du (?:nord|sud); dakota du (?:nord|sud)",
    "nouveau mexique; nouvelle angleterre",
  ],
};

/** Patterns of codes in capitals after a comma: "Fresno, CA". */
const REGION_CODES: Readonly<Record<Country, RegExp>> = {
  CA: /,\s*(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT)(?![\p{L}\p{N}])/gu,
  US: new RegExp(
    ",\\s*(?:AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|" +
      "NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY)(?![\\p{L}\\p{N}])",
    "gu",
  ),
};

/** Patterns of the names, adjectives, states and provinces of each country. */
export const COUNTRY_PATTERNS = [COUNTRY_NAMES, COUNTRY_ADJECTIVES, REGIONS].flatMap(patternsOf);

/** Pattern of the name of a country after a word such as "in". */
const WHERE = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:in|across|within|throughout|au|aux|en) (?:the |tout le )?" +
    `(?:${anyOf(...Object.values(COUNTRY_NAMES).flat())}|${anyOf("us; u.s")}\\.?)`,
  "gu",
);

/** Pattern of phrases in which "America" does not mean the United States. */
const OTHER_AMERICA = new RegExp(
  anyOf(
    "(?:north|south|latin|central|native) america(?:ns?)?; amerique(?: du nord| du sud| latine| centrale)?",
  ),
  "gu",
);

/** Reads the countries that a query names, or whose states and provinces it names. */
export function readCountries(reading: Reading): Country[] {
  const countries = new Set<Country>();
  for (const passage of reading.find(OTHER_AMERICA)) reading.take(passage);
  for (const country of COUNTRIES) {
    if (reading.nameAll(REGION_CODES[country], "cased")) countries.add(country);
  }
  if (/[a-z]/.test(reading.kept) && reading.nameAll(UNITED_STATES, "cased")) countries.add("US");
  for (const country of readNames(COUNTRY_PATTERNS, reading)) countries.add(country);
  for (const passage of reading.find(WHERE)) {
    const written = reading.kept.slice(passage.start, passage.end);
    if (!/\bus\b|\bu\.s\b/.test(written)) reading.drop(passage);
  }
  return [...countries].sort();
}
