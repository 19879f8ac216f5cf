import assert from "node:assert/strict";
import { countryOfName, countryOfPlace, readPlaces } from "../../../src/ingest/classify/places.ts";

const countriesOf = (texts: string[]) => texts.map((text) => [text, countryOfPlace(text)]);
const all = <Value>(texts: string[], value: Value) => texts.map((text) => [text, value]);

Deno.test("countryOfPlace() returns US for places in the United States", () => {
  const texts = [
    "Remote (United States)",
    "United States of America",
    "Remote - US",
    "US-Remote",
    "Remote, U.S.",
    "USA Only",
    "Anywhere in the US",
    "San Francisco, CA",
    "San Francisco, CA, US",
    "San José, CA",
    "US-CA",
    "Compton, CA 90220",
    "Palo Alto, CA",
    "San Francisco",
    "New York, NY",
    "New York City",
    "NYC or SF",
    "Woburn, MA",
    "Santa Fe, New Mexico",
    "Albany, NY 12207",
    "Jersey City",
    "Remote - Texas",
    "Chicago, IL",
    "Denver, CO",
    "Wilmington, DE",
    "Vancouver, WA",
    "Paris, TX",
    "Atlanta, Georgia",
    "Washington, D.C.",
    "Washington, DC",
    "New York, NY; Austin, TX",
    "Remote — Portland, OR",
  ];
  assert.deepEqual(countriesOf(texts), all(texts, "US"));
});

Deno.test("countryOfPlace() returns CA for places in Canada", () => {
  const texts = [
    "Canada",
    "Remote - Canada",
    "Toronto",
    "Toronto, ON",
    "Toronto, ON, CA",
    "Toronto, Ontario, Canada",
    "Toronto, CA",
    "CA-ON",
    "London, ON",
    "Vancouver, BC",
    "Montréal",
    "Québec",
    "Ontario, Canada",
    "St. John's, NL, Canada",
    "St. John's, NL",
    "Waterloo, ON N2L 3G1",
    "N2L3G1",
    "Paris, Ontario",
    "Remote (Alberta)",
  ];
  assert.deepEqual(countriesOf(texts), all(texts, "CA"));
});

Deno.test("countryOfPlace() returns undefined for other, several and ambiguous countries", () => {
  const texts = [
    "",
    "Remote",
    "CA",
    "Remote, CA",
    "Ontario, CA",
    "Georgia",
    "London",
    "London, United Kingdom",
    "London, UK",
    "Berlin, DE",
    "Bengaluru, IN",
    "Tel Aviv, IL",
    "Bogotá, CO",
    "Amsterdam, NL",
    "Lima, PE",
    "Mexico City",
    "San José, Costa Rica",
    "US or Canada",
    "US/Canada",
    "New York or Toronto",
    "New York, NY / Toronto, ON",
    "Remote - US, UK",
    "North America",
    "Worldwide (US company)",
    "ON-SITE",
    "join us",
    "Australia",
    "St. Louis, Senegal",
  ];
  assert.deepEqual(countriesOf(texts), all(texts, undefined));
});

Deno.test("countryOfPlace() ignores an ambiguous name after an unambiguous one", () => {
  const texts = ["New York and London", "Madison, Seattle, Portland"];
  assert.deepEqual(countriesOf(texts), [["New York and London", "US"], [
    "Madison, Seattle, Portland",
    undefined,
  ]]);
});

Deno.test("readPlaces() reads lists, nicknames and places of both countries", () => {
  const cases: [string, string][] = [
    ["US / Canada", "US; CA"],
    ["United States or Canada", "US; CA"],
    ["États-Unis ou Canada", "US; CA"],
    ["Remote - North America", "US; CA"],
    ["North America (Canada)", "CA"],
    ["Toronto, New York, San Francisco", "Toronto ON CA; New York NY US; San Francisco CA US"],
    ["San Francisco, CA | Toronto, ON, CA", "San Francisco CA US; Toronto ON CA"],
    ["Calgary, AB & Houston, TX", "Calgary AB CA; Houston TX US"],
    ["SF", "San Francisco CA US"],
    ["NY or SF", "NY US; San Francisco CA US"],
    ["CHI", "Chicago IL US"],
    ["NYC, LA, DC", "New York NY US; Los Angeles CA US; Washington DC US"],
    ["SF Bay Area; GTA", "San Francisco CA US; Toronto ON CA"],
    ["Bay Area, Seattle, or NYC", "San Francisco CA US; Seattle WA US; New York NY US"],
    ["Dallas/Fort Worth, TX", "Dallas TX US"],
    ["Montréal, Québec, Canada", "Montréal QC CA"],
    ["Québec, QC", "Québec QC CA"],
    ["Nouvelle-Écosse ou Nouveau-Brunswick", "NS CA; NB CA"],
    ["US-CA-San Francisco", "San Francisco CA US"],
    ["CA-ON-Toronto", "Toronto ON CA"],
    ["Canada, Toronto, Vancouver", "Toronto ON CA; Vancouver BC CA"],
    ["Austin TX or Remote", "Austin TX US"],
    ["Cambridge, MA USA", "Cambridge MA US"],
    ["Woburn, MA", "Woburn MA US"],
    ["Springfield, OR", "Springfield OR US"],
    ["Berlin, NH", "Berlin NH US"],
    ["Berlin, US", "unclear"],
    ["Kansas City, OR", "Kansas City MO US; OR US"],
    ["New Orleans, LA", "New Orleans LA US"],
    ["Washington", "US"],
    ["Vancouver, WA", "Vancouver WA US"],
    ["Remote - Canada (excluding Quebec)", "CA"],
    ["Remote (US; not available in CA or NY)", "US"],
    ["US except Texas; Canada, outside Quebec", "US; CA"],
    ["Canada (hors Québec), sauf l'Alberta", "CA"],
    ["Toronto, Ontario; Toronto, ON", "Toronto ON CA"],
    ["London, UK; Boston", "Boston MA US elsewhere"],
    ["London", "unclear"],
    ["Richmond, CA", "unclear"],
    ["Toronto, OH", "unclear"],
    ["St. Louis, Senegal", "unclear"],
    ["Worldwide (US company)", "unclear"],
    ["Tokyo", "elsewhere"],
    ["Remote", ""],
    ["Reading groups for mobile apps", ""],
  ];
  assert.deepEqual(
    cases.map(([text]) => {
      const { places, elsewhere, unclear } = readPlaces(text);
      const named = places.map(({ city, region, country }) =>
        [city, region, country].filter(Boolean).join(" ")
      ).join("; ");
      return [
        text,
        [named, elsewhere && "elsewhere", unclear && "unclear"].filter(Boolean).join(" "),
      ];
    }),
    cases,
  );
});

Deno.test("countryOfName() reads the codes and names of countries", () => {
  const cases: [string, string | undefined][] = [
    ["CA", "CA"],
    ["CAN", "CA"],
    [" canada ", "CA"],
    ["US", "US"],
    ["us", "US"],
    ["USA", "US"],
    ["U.S.A.", "US"],
    ["United States", "US"],
    ["the United States of America", "US"],
    ["États-Unis", "US"],
    ["GB", "elsewhere"],
    ["DEU", "elsewhere"],
    ["United Kingdom", "elsewhere"],
    ["Deutschland", undefined],
    ["", undefined],
  ];
  assert.deepEqual(cases.map(([text]) => [text, countryOfName(text)]), cases);
});
