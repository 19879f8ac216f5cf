import assert from "node:assert/strict";
import { microsecondsOf } from "../../../src/search/index/document.ts";
import { mergeSegments } from "../../../src/search/index/segment.ts";
import { RecordIndex } from "../../../src/search/index/record_index.ts";
import { keyOf } from "../../../src/search/words/terms.ts";
import { observationDocument } from "../../support/documents.ts";

/** Returns the ids of the records that are not removed, in ascending order. */
function liveIds(index: RecordIndex): number[] {
  return index.segments()
    .flatMap(({ observation_id, live }) => [...observation_id].filter((_, n) => live[n] === 1))
    .sort((a, b) => a - b);
}

Deno.test("adopt() keeps out what was removed or replaced since the merge began", () => {
  const index = new RecordIndex();
  for (let id = 1; id <= 1200; id++) {
    index.put(observationDocument(id));
    // Reading seals a segment.
    if (id % 300 === 0) assert.equal(index.records.count, id);
  }
  const due = index.due()!;
  assert.equal(due.length, 4);
  const merged = mergeSegments(due.map(({ arrays }) => arrays));
  index.remove(5);
  index.put(observationDocument(700, { observed_fact: "Zircon." }));
  index.adopt(due, merged);
  const expected = Array.from({ length: 1200 }, (_, n) => n + 1).filter((id) => id !== 5);
  assert.deepEqual(liveIds(index), expected);
});

Deno.test("put() reads the values of a text that lists them, and not its labels", () => {
  const index = new RecordIndex();
  const texts = [
    "state_code: CA\nstatus: operating\ncategory: zircon",
    "Note: a.\nRoof: b.\nSiding: mullite.",
  ];
  index.put(observationDocument(1, { company: "Journaux Roy", texts }));
  const frequencyOf = (word: string) => index.records.frequency(keyOf(`en:${word}`));
  // A name is known by its stems of both languages.
  assert.equal(index.records.frequency(keyOf("fr:journal")), 1);
  assert.deepEqual(["stat", "status", "categori"].map(frequencyOf), [0, 0, 0]);
  assert.deepEqual(["operat", "zircon", "note", "mullit"].map(frequencyOf), [1, 1, 1, 1]);
});

Deno.test("evict() removes a record at the instant of its expiry, also from a restored index", () => {
  const expires_at = "2026-05-01T00:00:00.000000Z";
  for (const isRestored of [false, true]) {
    const built = new RecordIndex();
    built.put(observationDocument(1, { expires_at }));
    built.put(observationDocument(2, { expires_at: "2026-06-01T00:00:00.000000Z" }));
    const index = isRestored ? new RecordIndex(built.segments()) : built;
    index.evict(microsecondsOf(expires_at) - 1);
    assert.deepEqual(liveIds(index), [1, 2]);
    index.evict(microsecondsOf(expires_at));
    assert.deepEqual(liveIds(index), [2]);
    const { count } = index.records;
    assert.deepEqual([count, index.records.frequency(keyOf("country:CA"))], [1, 1]);
    index.evict(microsecondsOf("2026-06-01T00:00:00.000000Z"));
    assert.deepEqual(liveIds(index), []);
  }
});
