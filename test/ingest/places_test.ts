import assert from "node:assert/strict";
import { countryOfName, countryOfPlace } from "../../src/ingest/places.ts";

const found = (texts: string[]) => texts.map((text) => [text, countryOfPlace(text)]);
const all = <Value>(texts: string[], value: Value) => texts.map((text) => [text, value]);

Deno.test("countryOfPlace() finds the United States", () => {
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
  assert.deepEqual(found(texts), all(texts, "US"));
});

Deno.test("countryOfPlace() finds Canada", () => {
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
  assert.deepEqual(found(texts), all(texts, "CA"));
});

Deno.test("countryOfPlace() says nothing of elsewhere, of several countries and in doubt", () => {
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
  assert.deepEqual(found(texts), all(texts, undefined));
});

Deno.test("countryOfName() reads a field that holds a country", () => {
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
