import assert from "node:assert/strict";
import { gleif } from "../../../src/ingest/sources/gleif/gleif.ts";
import { golden, GOLDEN_CSV, type Parts } from "../../support/lei_records.ts";
import { readSource, recordOf } from "../../support/reading.ts";

const lines = (...parts: Parts[]) => parts.map((part) => JSON.stringify(golden(part))).join("\n");

Deno.test("gleif names legal forms by their codes, and derives the sector of banks", async () => {
  const code = ($: string) => ({ EntityLegalFormCode: { $ } });
  const words = ($: string) => ({ ...code("8888"), OtherLegalForm: { $ } });
  const forms = [
    [code("HZEH"), "a limited liability company", "limited liability company", []],
    [code("O90R"), "a corporation", "corporation", []],
    [code("UG3Z"), "a corporation", "corporation", []],
    [code("YG5M"), "a company", "company", []],
    [code("QZMH"), "an unlimited liability corporation", "unlimited liability corporation", []],
    [code("62VJ"), "a bank", "bank", ["52"]],
    [words("Bank"), "a bank", "bank", ["52"]],
    [words("Charter School"), "a charter school", "charter school", []],
    [words("Government"), "an entity", undefined, []],
    [code("380O"), "an entity", undefined, []],
    [code("9999"), "an entity", undefined, []],
  ] as const;
  const parts = forms.map(([legal_form]) => ({ legal_form }));
  const records = (await readSource(gleif, lines(...parts))).map(recordOf);
  for (const [at, [, phrase, name, categories]] of forms.entries()) {
    const { observed_fact, facets, categories: sectors } = records[at]!;
    assert.ok(observed_fact.startsWith(`EQUIFAX INC. is ${phrase} domiciled in `), observed_fact);
    assert.deepEqual([facets.legal_form, sectors], [name, categories]);
  }
});

Deno.test("gleif names a place once if the legal address and the headquarters are equal", async () => {
  const entries = await readSource(
    gleif,
    lines(
      { office_city: "PEACHTREE CORNERS" },
      { office_city: "New York, New York", office_region: "US-NY" },
    ),
  );
  const [same, different] = entries.map(recordOf);
  assert.match(same!.observed_fact, / in Peachtree Corners, GA, US\. LEI/);
  assert.equal(same!.facets.places!.length, 1);
  assert.match(different!.observed_fact, /, with its headquarters in New York, NY, US\. LEI/);
  assert.deepEqual(different!.facets.places![1], { city: "New York", country: "US", region: "NY" });
});

Deno.test("gleif reads up to ten other names from JSON, and five from CSV", async () => {
  const record = golden();
  record.Entity.OtherEntityNames.OtherEntityName = Array.from({ length: 12 }, (_, at) => (
    { "@type": "PREVIOUS_LEGAL_NAME", $: `Credit ${at}` }
  ));
  const csv = GOLDEN_CSV.replaceAll("OtherEntityName.2", "OtherEntityName.5");
  const [json, row] = (await Promise.all(
    [JSON.stringify(record), csv].map((file) => readSource(gleif, file)),
  )).map(([entry]) => recordOf(entry!));
  assert.equal(json!.facets.former_names!.length, 10);
  assert.match(row!.observed_fact, /Also known as EQUIFAX\.$/);
});
