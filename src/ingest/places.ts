/** In which country a place is, as employers write it: "Toronto, ON", "Remote - US". */
import type { Country } from "../contract/vocabulary.ts";

/** Any other country, or several at once. */
export type Elsewhere = "elsewhere";

/**
 * The country of a free text about a place, where it can only be the one.
 *
 * Named countries, states, provinces and postal codes count first, and have to agree: a text that
 * names two countries, or another one, gives nothing. Large cities count where nothing else does, so
 * that "Vancouver, WA" is in the United States. Codes of states that are also those of countries
 * ("CA", "DE", "IN") say nothing themselves: "Toronto, CA" is in Canada and "Palo Alto, CA" in the
 * United States by their cities, while "Remote, CA" gives nothing.
 */
export function countryOfPlace(text: string): Country | undefined {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/gu, " ");
  const named = new Set<Country | Elsewhere>(countriesOfCodes(plain));
  const cities = new Set<Country>();
  for (const [name] of plain.toLowerCase().matchAll(NAME)) {
    const city = CITY_COUNTRIES.get(name);
    if (city === undefined) named.add(COUNTRIES_OF_NAMES.get(name)!);
    else cities.add(city);
  }
  const [country, second] = named.size > 0 ? named : cities;
  return second === undefined && country !== "elsewhere" ? country : undefined;
}

/**
 * The country that a field for nothing but countries names, in English or French or by its ISO
 * 3166-1 code: there "CA" is Canada.
 *
 * @returns nothing for a text that is no country.
 */
export function countryOfName(text: string): Country | Elsewhere | undefined {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").trim();
  if (/^(?:CAN?|USA?|U\.S\.(?:A\.)?)$/i.test(plain)) return /^c/i.test(plain) ? "CA" : "US";
  if (/^[A-Z]{2,3}$/.test(plain)) return "elsewhere";
  return COUNTRIES_OF_NAMES.get(
    plain.toLowerCase().replace(/^the /, "").replace(/ of america$/, ""),
  );
}

/** With a full stop, "U.S."; lower-case "us" is a word. */
const UNITED_STATES = /(?<![\p{L}\p{N}])(?:USA?|U\.S\.(?:A\.)?)(?![\p{L}\p{N}])/u;
/** Of countries and of regions that hold several. */
const ABROAD = /(?<![\p{L}\p{N}])(?:UK|U\.K\.|GB|EU|EMEA|APAC|LATAM|UAE)(?![\p{L}\p{N}])/u;
const CANADIAN_POSTAL_CODE =
  /(?<![\p{L}\p{N}])[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d(?![\p{L}\p{N}])/u;
const CALIFORNIAN_ZIP_CODE = /(?<![\p{L}\p{N}])CA,? 9[0-6]\d{3}(?!\d)/u;
/** As an item of its own, and "NY 10001": "ON-SITE" and "NY OR LA" hold no Ontario or Oregon. */
const CODE =
  /(?:^|[,;:(/|•]|(?<=\s)[-–—]|(?<![\p{L}\p{N}])(?:USA?|CA)-)\s*([A-Z]{2})(?=\s*(?:$|[,;:)/|•]|\s[-–—]|\s[\dA-Z]\d))/gu;

/** Left out, as the codes of countries whose employers write them so: AR CA CO DE ID IL IN. */
const STATES = new Set(
  ("AK AL AZ CT DC FL GA HI IA KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR " +
    "PA RI SC SD TN TX UT VA VT WA WI WV WY").split(" "),
);
/** Left out for the same reason: NL PE SK. */
const PROVINCES = new Set("AB BC MB NB NS NT NU ON QC YT".split(" "));

function* countriesOfCodes(text: string): Generator<Country | Elsewhere> {
  if (UNITED_STATES.test(text) || CALIFORNIAN_ZIP_CODE.test(text)) yield "US";
  if (CANADIAN_POSTAL_CODE.test(text)) yield "CA";
  if (ABROAD.test(text)) yield "elsewhere";
  for (const [, code] of text.matchAll(CODE)) {
    if (STATES.has(code!)) yield "US";
    if (PROVINCES.has(code!)) yield "CA";
  }
}

/** Without Georgia, which is a country too, and New York, which is more often the city. */
const STATE_NAMES = "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|" +
  "District of Columbia|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|" +
  "Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|" +
  "New Hampshire|New Jersey|New Mexico|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|" +
  "Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|" +
  "Washington|West Virginia|Wisconsin|Wyoming|New England";

const PROVINCE_NAMES = "Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Labrador|" +
  "Nova Scotia|Northwest Territories|Nunavut|Ontario|Prince Edward Island|Quebec|Saskatchewan|Yukon";

/** Without those that have a known namesake abroad (Cambridge, London, Halifax, Hamilton). */
const US_CITIES =
  "New York|NYC|Brooklyn|Manhattan|Jersey City|Hoboken|San Francisco|South San Francisco|" +
  "Bay Area|Palo Alto|East Palo Alto|Mountain View|Menlo Park|Sunnyvale|Redwood City|San Mateo|" +
  "Santa Clara, CA|San Jose, CA|Cupertino|Oakland|Berkeley|Emeryville|Fremont|Burlingame|" +
  "Pleasanton|Foster City|Los Gatos|San Bruno|Los Angeles|Santa Monica|Culver City|El Segundo|" +
  "Pasadena|Burbank|Irvine, CA|Newport Beach|Long Beach|Costa Mesa|San Diego|Carlsbad|Sacramento|" +
  "Santa Barbara|Fresno|Chicago|Evanston|Naperville|Schaumburg|Seattle|Bellevue|Redmond|" +
  "Boston|Somerville|Austin|Dallas|Houston|San Antonio|Fort Worth|Plano|Denver|Boulder|" +
  "Colorado Springs|Fort Collins|Broomfield|Atlanta|Philadelphia|Pittsburgh|Miami|Tampa|Orlando|" +
  "Fort Lauderdale|Jacksonville|Phoenix|Scottsdale|Tempe|Las Vegas|Salt Lake City|Minneapolis|" +
  "Saint Paul, MN|Detroit|Ann Arbor|Cleveland|Cincinnati|Columbus, OH|Indianapolis|Fort Wayne|" +
  "Nashville|Memphis|Charlotte|Raleigh|Milwaukee|Kansas City|Saint Louis|St. Louis|Baltimore|" +
  "Omaha|Tulsa|Oklahoma City|New Orleans|Honolulu|Anchorage|Boise|Bentonville|Little Rock|" +
  "Wilmington, DE|Newark, DE|Dover, DE|Savannah, Georgia|Albuquerque|Sioux Falls";

const CANADIAN_CITIES = "Toronto|Montreal|Vancouver|Calgary|Edmonton|Ottawa|Winnipeg|Mississauga|" +
  "Brampton|Markham|Kitchener|Laval, CA|Gatineau|Longueuil|Saskatoon|Regina, SK|Kelowna|Burnaby|" +
  "Fredericton|Moncton|Charlottetown|St. John's, NL|Victoria, BC";

/** Beside the English names of the Unicode CLDR. "Ontario, CA" is a city of California, or Canada. */
const ELSEWHERE =
  "Europe|Asia|Africa|Oceania|Latin America|South America|Central America|Americas|" +
  "North America|Middle East|Worldwide|Global|England|Scotland|Wales|Northern Ireland|Turkey|" +
  "Korea|Czech Republic|Holland|Hong Kong|Macau|Bosnia|Congo|Palestine|Ontario, CA";

const COUNTRIES_OF_NAMES = new Map<string, Country | Elsewhere>([
  ...namedCountries(),
  ...listed(ELSEWHERE, "elsewhere"),
  ...listed(STATE_NAMES, "US"),
  ...listed(PROVINCE_NAMES, "CA"),
  ...listed("USA|Etats-Unis", "US"),
]);

const CITY_COUNTRIES = new Map<string, Country>([
  ...listed(US_CITIES, "US"),
  ...listed(CANADIAN_CITIES, "CA"),
]);

/** The longest name counts: New Mexico is not Mexico. */
const NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${
    [...COUNTRIES_OF_NAMES.keys(), ...CITY_COUNTRIES.keys()]
      .sort((a, b) => b.length - a.length).map(RegExp.escape).join("|")
  })(?![\\p{L}\\p{N}])`,
  "gu",
);

function listed<const Value extends Country | Elsewhere>(
  names: string,
  value: Value,
): [string, Value][] {
  return names.split("|").map((name) => [name.toLowerCase(), value]);
}

function* namedCountries(): Generator<[string, Country | Elsewhere]> {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code)?.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    if (name === undefined || code === "GE") continue;
    yield [name, code === "CA" || code === "US" ? code : "elsewhere"];
  }
}
