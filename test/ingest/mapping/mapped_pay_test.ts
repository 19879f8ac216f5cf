/** Reads the pay of a job by a mapping. */
import assert from "node:assert/strict";
import { parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import { readerOfMapping } from "../../../src/ingest/mapping/read_mapped.ts";
import { PRICED_TENDER } from "../../support/tender_mapping.ts";

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

Deno.test("a mapping reads a pay with only a maximum", async () => {
  const text = JSON.stringify({
    source: "feed",
    format: "csv",
    record: {
      ...PRICED_TENDER,
      "kind": "job_posting",
      "demand_class": "structural",
      "facets.amount.value": undefined,
      "facets.amount.currency": undefined,
      "facets.employment.pay.max": "{price}",
      "facets.employment.pay.currency": "CAD",
      "facets.employment.pay.period": "year",
    },
  });
  const file = "id,buyer,title,date,price\n1,Acme,Welder,2026-11-03,90000\n";
  const reader = readerOfMapping(parseMapping(text));
  for await (const { judged } of reader(bytesOf(file), { retrieved_at: new Date(0) })) {
    assert.ok("record" in judged, JSON.stringify(judged));
    const { employment } = judged.record.facets as { employment?: object };
    assert.deepEqual(employment, { pay: { max: 90000, currency: "CAD", period: "year" } });
  }
});
