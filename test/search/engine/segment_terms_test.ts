import assert from "node:assert/strict";
import { type Key, keysOf } from "../../../src/search/engine/dictionary.ts";
import { Segment } from "../../../src/search/engine/segment.ts";
import { Tail } from "../../../src/search/engine/tail.ts";
import { hasBit } from "../../../src/search/engine/typed_arrays.ts";

const FIELDS = [{ weight: 1, bits: 8 }];
const DOCUMENTS = 1_000;

/**
 * Returns a segment. All documents contain "steel", every tenth one "crane", and a single one
 * "snow".
 */
function segmentOfWords(): Segment {
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

Deno.test("termsHeld() finds each term in the documents that contain it", () => {
  const segment = segmentOfWords();
  const keys = ["steel", "crane", "snow", "glass"].map((word) => keysOf(word)[0]!);
  const vocabulary = { keys, row: () => -1 };
  for (let turn = 0; turn < 3; turn++) {
    const counts = [0, 0, 0, 0];
    for (let document = 0; document < DOCUMENTS; document++) {
      const places = segment.termsHeld(document, vocabulary);
      for (let row = 0; row < keys.length; row++) if (places[row]! >= 0) counts[row]!++;
    }
    assert.deepEqual(counts, [1_000, 100, 1, 0], `turn ${turn}`);
  }
  const holds = (document: number) =>
    Array.from(segment.termsHeld(document, vocabulary), (place) => place >= 0);
  assert.deepEqual(holds(499), [true, true, true, false]);
  assert.deepEqual(holds(0), [true, false, false, false]);
});

Deno.test("holdingAll() returns a list of documents for rare terms, and a bitmap for others", () => {
  const { termDocuments, size } = segmentOfWords();
  const [steel, crane, snow, glass] = ["steel", "crane", "snow", "glass"].map((word) =>
    keysOf(word)[0]!
  ) as [Key, Key, Key, Key];
  const all = [{ from: 0, to: size }];
  const listed = (groups: Key[][], ranges = all) => {
    const { list } = termDocuments.holdingAll(groups, ranges)!;
    return list === null ? null : Array.from(list);
  };
  assert.deepEqual(listed([[snow]]), [499]);
  assert.deepEqual(listed([[steel], [snow]]), [499]);
  assert.deepEqual(listed([[glass, snow], [crane], [steel]]), [499]);
  assert.deepEqual(listed([[snow]], [{ from: 0, to: 499 }]), []);
  assert.deepEqual(listed([[snow]], [{ from: 0, to: 9 }, { from: 499, to: 500 }]), [499]);
  assert.equal(termDocuments.holdingAll([[steel], [glass]], all), null);
  const { bits, list } = termDocuments.holdingAll([[crane], [steel]], all)!;
  assert.equal(list, null);
  const marked = Array.from({ length: size }).filter((_, at) => hasBit(bits!, at));
  assert.equal(marked.length, 100);
});
