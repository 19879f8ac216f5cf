import assert from "node:assert/strict";
import { recordObservations } from "../../../src/ingest/record/record.ts";
import { homepage } from "../../../src/ingest/sources/homepage.ts";
import { databaseTest } from "../../support/database.ts";
import { companyOf, raw, record } from "../../support/recording.ts";

const LEI = "549300MLUDYVRQOOXS22";
const PAGE = `<!doctype html><html lang="en"><head><title>Victim Inc</title>
<script type="application/ld+json">${
  JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Organization",
    name: "Victim Inc",
    legalName: "Victim Inc",
    leiCode: LEI,
    sameAs: "https://victim.example/",
    address: { addressLocality: "Ottawa", addressRegion: "ON", addressCountry: "CA" },
  })
}</script></head><body></body></html>`;

databaseTest(
  "record_observations() keeps a page that copies name and LEI of a company apart from it",
  async ({ sql }) => {
    await record(
      sql,
      raw("register", {
        source: "gleif",
        country: "CA",
        company: {
          name: "Victim Inc",
          external_id: LEI,
          domains: ["victim.example"],
          identifiers: { lei: LEI },
        },
      }),
    );
    const context = { retrieved_at: new Date("2026-08-01T00:00:00Z"), target: "copy.example" };
    for await (const { judged } of homepage.read(new Blob([PAGE]).stream(), context)) {
      assert.ok("record" in judged);
      await recordObservations(sql, [judged.record]);
    }
    assert.notEqual(await companyOf(sql, "copy.example"), await companyOf(sql, "register"));
  },
);
