import assert from "node:assert/strict";
import { type Kind, KINDS, SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { labelsOf } from "../../src/search/document.ts";
import { ObservationIndex } from "../../src/search/engine/observation_index.ts";
import { planSearch } from "../../src/search/planning.ts";
import { observationDocument } from "../support/documents.ts";

const CALLED: Record<Kind, string[]> = {
  procurement_request: ["tenders", "RFP", "bids", "solicitation", "appel d'offres", "soumissions"],
  facility_expansion: ["expanding", "new facility", "agrandissements", "nouvelle usine"],
  funding_round: ["funding", "investments", "levée de fonds", "financement"],
  leadership_change: ["CEO", "new president", "chief executives", "PDG", "présidents"],
  product_launch: ["launches", "new product", "lancements"],
  partnership: ["partnerships", "alliance", "partenariats"],
  technology_use: ["technologies", "technologie"],
  job_posting: ["hiring", "recruitment", "jobs", "embauches", "recrutement", "emplois"],
  company_profile: ["profile", "profils"],
};

Deno.test("labelsOf() finds a kind by what people call it in either language", () => {
  const index = new ObservationIndex();
  for (const [place, kind] of KINDS.entries()) {
    index.put(observationDocument(place + 1, { text: labelsOf(kind, []) }));
  }
  for (const kind of KINDS) {
    for (const query of CALLED[kind]) {
      const [best] = index.searchObservations({
        words: planSearch(query, new Date()).terms,
        limit: 1,
      });
      assert.equal(best && KINDS[best.observation_id - 1], kind, query);
    }
  }
});

Deno.test("labelsOf() finds a sector by its title in either language", () => {
  const index = new ObservationIndex();
  for (const [place, code] of SECTOR_CODES.entries()) {
    index.put(observationDocument(place + 1, { text: labelsOf("company_profile", [code]) }));
  }
  for (
    const [query, code] of [
      ["mining", "21"],
      ["minières", "21"],
      ["commerce de gros", "42"],
      ["assurances", "52"],
      ["hébergement", "72"],
    ] as const
  ) {
    const { terms } = planSearch(query, new Date());
    const [best] = index.searchObservations({ words: terms, limit: 1 });
    assert.equal(best && SECTOR_CODES[best.observation_id - 1], code, query);
  }
});

Deno.test("labelsOf() names the sectors of codes, and unknown codes not at all", () => {
  assert.deepEqual(labelsOf("company_profile", ["21", "99", "constructor"]), {
    english_labels: "company profile, overview; Mining, Quarrying, and Oil and Gas Extraction",
    french_labels:
      "profil, présentation; Extraction minière, exploitation en carrière, et extraction " +
      "de pétrole et de gaz",
  });
});
