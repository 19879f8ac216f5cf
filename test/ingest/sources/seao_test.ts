import assert from "node:assert/strict";
import { seao } from "../../../src/ingest/sources/seao/seao.ts";
import { contentOf, outcomesOf, readSource } from "../../support/reading.ts";

const SAMPLE = new URL("../../../src/ingest/sources/seao/sample.json", import.meta.url);

Deno.test("seao maps the releases of its sample", async () => {
  const entries = await readSource(seao, SAMPLE);
  assert.deepEqual(outcomesOf(entries).map(([, outcome]) => outcome), [
    "accepted",
    "accepted",
    "left out: not an open call for bids",
  ]);
  const times = {
    occurred_at: "2026-07-21T18:50:45.000Z",
    observed_at: "2026-07-21T18:50:45.000Z",
  };
  const excerpt = "Services d'isolation mécanique\nServices de construction, de réparation et " +
    "d’entretien d’immeubles";
  assert.deepEqual(contentOf(entries[1]!), {
    source: "seao",
    external_id: "ocds-ec9k95-20160595",
    company_name: "Université McGill",
    company_external_id: "OP-24914",
    company_identifiers: [],
    hostnames: [],
    kind: "procurement_request",
    observed_fact: "Université McGill requests bids: Services d'isolation mécanique. Procedure: " +
      "Avis d’appel d’offres. Number of the buyer: C0004823.",
    why_it_may_matter:
      "A public body in Québec asks for bids in SEAO. Suppliers can bid until the deadline.",
    demand_class: "explicit_request",
    country: "CA",
    confidence: 0.95,
    ...times,
    expires_at: "2026-09-02T14:00:00.000Z",
    categories: [],
    texts: [`${excerpt}\nTravaux de construction\nC01 - Bâtiments`],
    facets: {
      places: [{ country: "CA" }],
      deadline: "2026-09-02T14:00:00.000000Z",
      document: "Avis d’appel d’offres",
      unspsc: ["72100000"],
    },
    evidence: [{
      source_uri:
        "https://seao.gouv.qc.ca/avis-resultat-recherche/consulter?ItemId=f1da11d7-25da-4c80-a155-fd11cb350dd1",
      excerpt,
      ...times,
    }],
  });
});

Deno.test("seao names the field of a fault, and masks persons in titles", async () => {
  const { releases } = JSON.parse(await Deno.readTextFile(SAMPLE));
  const [release] = releases;
  const { tender } = release;
  const faulty = [
    { ...release, buyer: {} },
    { ...release, tender: { ...tender, tenderPeriod: { startDate: "bientôt" } } },
    null,
    { ...release, tender: { ...tender, title: "Personne-ressource : Jeanne Tremblay" } },
  ];
  const entries = await readSource(seao, JSON.stringify({ releases: faulty }));
  assert.deepEqual(outcomesOf(entries).map(([, outcome]) => outcome), [
    "company.name (buyer.name): is empty",
    "occurred_at (tender.tenderPeriod.startDate): is not a date: bientôt",
    "the row is not an object",
    "accepted",
  ]);
  assert.match(contentOf(entries[3]!).observed_fact, /Personne-ressource : \[redacted\]/);
});

Deno.test("seao ends a call with the release that cancels it", async () => {
  const { releases: [release] } = JSON.parse(await Deno.readTextFile(SAMPLE));
  const date = "2026-07-28T09:00:00-04:00";
  const statuses = ["active", "cancelled", "unsuccessful", "withdrawn"];
  const changed = statuses.map((status) => ({
    ...release,
    date,
    tender: { ...release.tender, status },
  }));
  const entries = await readSource(seao, JSON.stringify({ releases: changed }));
  assert.deepEqual(
    entries.map((entry) => [contentOf(entry).external_id, contentOf(entry).expires_at]),
    ["2026-08-27T15:00:00.000Z", ...Array(3).fill("2026-07-28T13:00:00.000Z")]
      .map((end) => ["ocds-ec9k95-20004970", end]),
  );
});
