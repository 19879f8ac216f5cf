/**
 * A worker's side of index_work.ts: building, merging, saving and loading an index, none of which
 * the thread that answers requests has time for.
 */
/// <reference lib="deno.worker" />
import { documentOf, parseChanges } from "./changes.ts";
import { mergeSegments } from "./engine/merge.ts";
import { ObservationIndex } from "./engine/observation_index.ts";
import type { Answers, Asked, Replied } from "./index_work.ts";
import { learnEncoded } from "./semantics/sample.ts";
import { loadSnapshot, saveSnapshot } from "./snapshot_file.ts";

let index = ObservationIndex.toFill();

const answers: Answers = {
  add(page) {
    for (const row of parseChanges(page)) {
      const document = documentOf(row);
      if (document) index.put(document);
      else index.remove(row.id);
    }
  },
  take() {
    index.compact();
    const state = index.state();
    index = ObservationIndex.toFill();
    return state;
  },
  merge: mergeSegments,
  save: saveSnapshot,
  async load(path) {
    const snapshot = await loadSnapshot(path);
    // What has been deleted is counted here, where there is time.
    return snapshot && { ...snapshot, state: ObservationIndex.of(snapshot.state).state() };
  },
  learn: learnEncoded,
};

self.addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
  const { number, name, argument } = data;
  let reply: Replied;
  try {
    reply = { number, answer: await (answers[name] as (argument: unknown) => unknown)(argument) };
  } catch (error) {
    reply = { number, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
