import assert from "node:assert/strict";
import { RecordIndex } from "../../src/search/index/record_index.ts";
import { IndexMaintenance } from "../../src/search/index_maintenance.ts";
import type { IndexWork } from "../../src/search/index_work.ts";
import { observationDocument } from "../support/documents.ts";
import { silent } from "../support/operations.ts";

const MINUTES = 60_000;

Deno.test("run() saves a changed index every ten minutes, and retries a failure after one", async () => {
  const index = new RecordIndex();
  for (let id = 1; id < 2_000; id++) index.put(observationDocument(id));
  let saves = 0;
  let fails = false;
  const ask = () => (saves++, fails ? Promise.reject(new Error("full")) : Promise.resolve());
  const maintenance = new IndexMaintenance({ ask } as unknown as IndexWork, {
    ...{ log: silent, snapshot_path: "unused", signal: new AbortController().signal },
  });
  const { now } = performance;
  const savesAt = async (minutes: number, clock: number) => {
    performance.now = () => minutes * MINUTES;
    const origin = { dataset_id: "d", vocabulary: "v", change_seq: 1, id: 1, clock };
    await maintenance.run({ index, origin });
    return saves;
  };
  try {
    assert.equal(await savesAt(1, 1), 0, "an index of fewer than 2,000 documents is not saved");
    index.put(observationDocument(2_000));
    assert.equal(await savesAt(1, 1), 1);
    assert.equal(await savesAt(11, 2), 1);
    assert.equal(await savesAt(12, 1), 1, "an unchanged index is not saved");
    fails = true;
    assert.equal(await savesAt(12, 2), 2);
    fails = false;
    assert.equal(await savesAt(12.9, 2), 2);
    assert.equal(await savesAt(13, 2), 3);
  } finally {
    performance.now = now;
  }
});
