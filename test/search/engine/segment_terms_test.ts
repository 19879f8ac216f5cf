import assert from "node:assert/strict";
import { keysOf } from "../../../src/search/engine/dictionary.ts";
import { Segment } from "../../../src/search/engine/segment.ts";
import { Tail } from "../../../src/search/engine/tail.ts";

const FIELDS = [{ weight: 1, bits: 8 }];
const DOCUMENTS = 1_000;

/** All hold "steel", every tenth one "crane", and one alone "snow". */
function segmentOfMetals(): Segment {
  const tail = new Tail(FIELDS);
  for (let id = 1; id <= DOCUMENTS; id++) {
    const text = ["steel", id % 10 === 0 ? "crane" : "", id === 500 ? "snow" : ""].join(" ");
    tail.put({
      id,
      company_id: id,
      attribute: 0,
      occurred: 0,
      observed: 0,
      expires: Infinity,
      hostnames: [],
      facets: [],
      amount: NaN,
      closes: NaN,
      sectors: 0,
      texts: [text],
    });
  }
  const buffer = tail.assemble(tail.totals.averages());
  return new Segment({ buffer, deleted: null, losses: null }, FIELDS);
}

Deno.test("termsHeld() answers alike, however often a term has been looked for", () => {
  const segment = segmentOfMetals();
  const keys = ["steel", "crane", "snow", "glass"].map((word) => keysOf(word)[0]!);
  const vocabulary = { keys, row: () => -1 };
  for (let turn = 0; turn < 3; turn++) {
    const counts = [0, 0, 0, 0];
    for (let document = 0; document < DOCUMENTS; document++) {
      const holds = segment.termsHeld(document, vocabulary);
      for (let row = 0; row < keys.length; row++) if (holds(row)) counts[row]!++;
    }
    assert.deepEqual(counts, [1_000, 100, 1, 0], `turn ${turn}`);
  }
  const last = segment.termsHeld(499, vocabulary);
  assert.deepEqual([0, 1, 2, 3].map(last), [true, true, true, false]);
  const first = segment.termsHeld(0, vocabulary);
  assert.deepEqual([0, 1, 2, 3].map(first), [true, false, false, false]);
});
