/**
 * Names of places for readPlaces() beside those of the gazetteer: parts of countries, and places
 * elsewhere that are often named without a country.
 */
import type { Country } from "../../contract/vocabulary.ts";
import { TERRITORIES } from "./gazetteer.ts";

/** Parts of one country that are not states or provinces. */
export const PARTS_OF_COUNTRIES: Readonly<Record<Country, string>> = {
  US: "New England|Tri-State Area|Nouvelle-Angleterre|Continental US|Lower 48|Midwest",
  CA: "Maritimes|Atlantic Canada|Western Canada|Eastern Canada|Canadian Prairies",
};

/**
 * State and province codes that employers write after a city in two senses: for the region, and for
 * a country with that code.
 */
export const AMBIGUOUS_CODES: ReadonlySet<string> = new Set(
  ["AR CA CO DE ID IL IN NL PE SK".split(" "), Object.keys(TERRITORIES)].flat(),
);

/**
 * Large cities in other countries. A name with a `*` is also that of a place in Canada or the
 * United States, so it needs a region or country.
 */
export const CITIES_ELSEWHERE =
  "London*|Cambridge*|Oxford*|Manchester*|Birmingham*|Bristol*|Leeds|" +
  "Edinburgh|Glasgow|Belfast|Dublin*|Cork|Paris*|Lyon|Toulouse|Berlin|Munich|München|Hamburg|Köln|" +
  "Cologne|Frankfurt|Stuttgart|Vienna*|Zurich|Zürich|Geneva*|Lausanne|Amsterdam|Rotterdam|Utrecht|" +
  "Eindhoven|Brussels|Antwerp|Madrid|Barcelona|Lisbon|Porto|Milan*|Rome*|Athens*|Stockholm|Oslo|" +
  "Copenhagen|Helsinki|Warsaw*|Krakow|Prague|Budapest|Bucharest|Sofia|Belgrade*|Kyiv|Tallinn|Vilnius|" +
  "Riga|Istanbul|Tel Aviv|Jerusalem|Haifa|Dubai|Abu Dhabi|Riyadh|Doha|Cairo*|Lagos|Nairobi|Cape Town|" +
  "Johannesburg|Bengaluru|Bangalore|Hyderabad|Mumbai|Pune|Delhi*|New Delhi|Gurgaon|Gurugram|Noida|" +
  "Chennai|Kolkata|Tokyo|Osaka|Kyoto|Seoul|Beijing|Shanghai|Shenzhen|Guangzhou|Taipei|Bangkok|Manila*|" +
  "Jakarta|Kuala Lumpur|Ho Chi Minh City|Hanoi|Sydney*|Melbourne*|Brisbane*|Perth*|Auckland|" +
  "Mexico City|Guadalajara|Monterrey|São Paulo|Rio de Janeiro|Buenos Aires|Bogotá|Medellín|Lima*|" +
  "Santiago*|Montevideo*";

/**
 * Names of regions that span several countries, and names of countries that the Unicode CLDR does
 * not contain.
 */
export const ELSEWHERE = "Europe|Asia|Africa|Oceania|Latin America|South America|Central America|" +
  "Middle East|England|Scotland|Wales|Northern Ireland|Turkey|Korea|Czech Republic|Holland|Hong Kong|" +
  "Macau|Bosnia|Congo|Palestine|Asia Pacific|Asie|Afrique|Amérique latine|Amérique du Sud|" +
  "Angleterre|Écosse";

/** Words for "anywhere". A text with such a word is unclear, whatever places it names. */
export const WORLDWIDE =
  "Worldwide|Global|Globally|Americas|Amériques|Monde entier|Anywhere in the world";

/** Names of areas that include both Canada and the United States. */
export const BOTH_COUNTRIES = "North America|Amérique du Nord|NORAM|NAMER";
