import assert from "node:assert/strict";
import { countryOfName, countryOfPlace, readPlaces } from "../../../src/ingest/classify/places.ts";
import { regionOf, TERRITORIES, territoryOf } from "../../../src/ingest/classify/gazetteer.ts";
import { normalizeFacets } from "../../../src/ingest/record/facets.ts";
import { countryOf as countryOfCrunchbase } from "../../../src/ingest/sources/crunchbase_2013/cells.ts";
import { countryOfEdgarCode, placeOfEdgar } from "../../../src/ingest/sources/kit/edgar_filing.ts";
import { recordOfEntity } from "../../../src/ingest/sources/gleif/entity.ts";
import { entityOf, GOLDEN_COPY } from "../../../src/ingest/sources/gleif/form.ts";
import { gleif } from "../../../src/ingest/sources/gleif/gleif.ts";
import { countryOf as countryOfSam } from "../../../src/ingest/sources/sam/facts.ts";

/** Codes of each territory, and its name in a text about a place. */
const EXPECTED = [
  { code: "PR", alpha_3: "PRI", edgar: "PR", name: "Puerto Rico", text: "San Juan, PR" },
  { code: "VI", alpha_3: "VIR", edgar: "VI", name: "U.S. Virgin Islands", text: "Christiansted" },
  { code: "GU", alpha_3: "GUM", edgar: "GU", name: "Guam", text: "Tamuning, Guam" },
  { code: "AS", alpha_3: "ASM", edgar: "B5", name: "American Samoa", text: "Pago Pago, AS" },
  { code: "MP", alpha_3: "MNP", edgar: "1V", name: "Northern Mariana Islands", text: "Saipan, MP" },
];

Deno.test("every source counts a territory as a region of the United States", () => {
  assert.deepEqual(Object.keys(TERRITORIES), EXPECTED.map(({ code }) => code));
  for (const { code, alpha_3, edgar, name, text } of EXPECTED) {
    assert.equal(regionOf("US", code), code);
    // Fields for countries: home pages, Ashby, Lever, SAM.gov, Crunchbase, EDGAR and Form D.
    for (const field of [code, alpha_3, name, `The ${name.toUpperCase()}`]) {
      assert.deepEqual([territoryOf(field), countryOfName(field), countryOfSam(field)], [
        code,
        "US",
        "US",
      ]);
    }
    assert.equal(countryOfCrunchbase(alpha_3), "US");
    assert.equal(countryOfEdgarCode(edgar), "US");
    assert.deepEqual(placeOfEdgar("Town", edgar), { country: "US", region: code, city: "Town" });
    // Texts about places: job boards, home pages and remote companies.
    assert.equal(countryOfPlace(name), "US", name);
    assert.equal(countryOfPlace(text), "US", text);
    assert.deepEqual(readPlaces(text).places.map(({ region }) => region), [code]);
    assert.match(code, gleif.remote!.target!.pattern);
    // Every source, and records of suppliers.
    const yukon = { country: "CA", region: "YT" };
    assert.deepEqual(normalizeFacets({ place: [yukon, { country: code, city: "Town" }] }), {
      places: [yukon, { city: "Town", country: "US", region: code }],
    });
  }
});

Deno.test("an entity of the Global LEI Index in a territory is one of the United States", () => {
  const mapped = recordOfEntity(entityOf({
    LEI: { $: "549300MLUDYVRQOOXS22" },
    Entity: {
      LegalName: { $: "Isla Inc" },
      EntityCategory: { $: "GENERAL" },
      LegalAddress: { City: { $: "San Juan" }, Country: { $: "PR" } },
    },
    Registration: { LastUpdateDate: { $: "2026-03-01T00:00:00Z" } },
  }, GOLDEN_COPY));
  assert.ok("source" in mapped, JSON.stringify(mapped));
  assert.equal(mapped.country, "US");
});

Deno.test("territoryOf() knows neither other countries nor states", () => {
  const others =
    "|US|USA|CA|Samoa|WSM|British Virgin Islands|Virgin Islands|VGB|Virginia|Mariana|" +
    "Guatemala|Portugal|PT";
  assert.deepEqual(others.split("|").filter((text) => territoryOf(text) !== undefined), []);
  assert.equal(countryOfName("Samoa"), "elsewhere");
  assert.equal(countryOfPlace("Curitiba, PR, Brazil"), undefined);
  assert.equal(countryOfPlace("Road Town, British Virgin Islands"), undefined);
});
