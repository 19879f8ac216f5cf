import assert from "node:assert/strict";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import {
  decodeSnapshot,
  encodeSnapshot,
  SnapshotDamaged,
} from "../../../src/search/engine/snapshot.ts";
import { observationDocument } from "../../support/documents.ts";

const META = { clock: 42, name: "côté" };

function createIndex(): ObservationIndex {
  const index = new ObservationIndex({ tail_documents: 20, merges: "elsewhere" });
  for (let id = 1; id <= 50; id++) {
    const observed_fact = `steel ${id % 7 === 0 ? "roof" : "mill"} number${id}`;
    index.put(observationDocument(id, { text: { observed_fact } }));
  }
  index.remove(7);
  index.remove(50);
  return index;
}

/** Returns the encoded index in one array. */
function bytesOf(index: ObservationIndex): Uint8Array<ArrayBuffer> {
  const chunks = [...encodeSnapshot(index.state(), META)];
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const question = { words: ["steel", "roof", "number50"], limit: 60 };

Deno.test("decodeSnapshot() restores the state that encodeSnapshot() has encoded", async () => {
  const index = createIndex();
  const expected = index.searchObservations(question);
  assert.equal(expected.length, 48);
  const bytes = bytesOf(index);
  for (const size of [1, 1000, bytes.length]) {
    const chunks = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, n) => bytes.subarray(n * size, (n + 1) * size),
    );
    const { state, meta } = await decodeSnapshot(chunks);
    assert.deepEqual(meta, META);
    const copy = ObservationIndex.of(state);
    assert.equal(copy.size, 48);
    assert.deepEqual(copy.searchObservations(question), expected);
    copy.put(observationDocument(7, { text: { observed_fact: "steel" } }));
    copy.remove(14);
    assert.equal(copy.size, 48);
  }
  assert.deepEqual(index.searchObservations(question), expected);
});

Deno.test("decodeSnapshot() reads a stream, and cancels it when it refuses the data", async () => {
  const bytes = bytesOf(createIndex());
  const { state } = await decodeSnapshot(new Blob([bytes]).stream());
  assert.equal(ObservationIndex.of(state).size, 48);
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64)),
    cancel: () => void (cancelled = true),
  });
  await assert.rejects(decodeSnapshot(endless), SnapshotDamaged);
  assert(cancelled);
});

Deno.test("decodeSnapshot() refuses truncated, extended and changed data", async () => {
  const bytes = bytesOf(createIndex());
  const refused = async (damaged: Uint8Array, damage: string) => {
    await assert.rejects(decodeSnapshot([damaged]), SnapshotDamaged, damage);
  };
  for (const length of [0, 10, 40, 500, bytes.length - 1]) {
    await refused(bytes.slice(0, length), `cut at ${length}`);
  }
  await refused(new Uint8Array([...bytes, 0]), "a byte added");
  for (let offset = 0; offset < bytes.length; offset += offset < 400 ? 1 : 997) {
    const damaged = bytes.slice();
    damaged[offset]! ^= 1;
    await refused(damaged, `byte ${offset}`);
  }
});

Deno.test("ObservationIndex.of() refuses a state whose fields differ", () => {
  const state = createIndex().state();
  const fields = state.fields.map((field) => ({ ...field, weight: 5 }));
  assert.throws(() => ObservationIndex.of({ ...state, fields }), /other fields/);
});
