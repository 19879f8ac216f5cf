import assert from "node:assert/strict";
import { companyLimitations } from "../../src/dataset/present.ts";
import type { ObservationRow } from "../../src/operations/answer.ts";

Deno.test("companyLimitations() names what is true of all observations of a company", () => {
  const at = (days: number) => ({ observed_at: new Date(days * 86_400_000).toISOString() });
  const plain = { source_id: 1, demand_class: "proxy", ...at(1_000) };
  const [other, structural] = [{ source_id: 2 }, { demand_class: "structural" }];
  const cases: [rows: object[], limitations: string[]][] = [
    [[{}, {}], ["single_source"]],
    [[{}, other], []],
    [[structural, { ...structural, ...other }], ["structural_only"]],
    [[structural, other], []],
    [[at(819), { ...at(819), ...other }], ["stale_evidence"]],
    [[at(819), { ...at(820), ...other }], []],
  ];
  for (const [rows, limitations] of cases) {
    const all = rows.map((row) => ({ ...plain, ...row }) as ObservationRow);
    assert.deepEqual(companyLimitations(all, at(1_000).observed_at), limitations);
  }
});
