import assert from "node:assert/strict";
import { mergeSegments } from "../../../src/search/index/merging.ts";
import { RecordIndex } from "../../../src/search/index/record_index.ts";
import { observationDocument } from "../../support/documents.ts";

/** Returns the ids of the records that are not removed, in ascending order. */
function liveIds(index: RecordIndex): number[] {
  return index.state().segments
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
  index.put(observationDocument(700, { text: { observed_fact: "Zircon." } }));
  index.adopt(due, merged);
  const expected = Array.from({ length: 1200 }, (_, n) => n + 1).filter((id) => id !== 5);
  assert.deepEqual(liveIds(index), expected);
});
