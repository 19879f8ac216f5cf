/**
 * Worker that performs the tasks of index_work.ts: it builds, merges, saves and loads an index, and
 * learns a semantic model.
 */
/// <reference lib="deno.worker" />
import { documentOf, parseChanges } from "./changes/changes.ts";
import { loadSnapshot, saveSnapshot } from "./snapshot_file.ts";
import { mergeSegments } from "./engine/merging.ts";
import { ObservationIndex } from "./index/observation_index.ts";
import type { IndexTasks, WorkReply, WorkRequest } from "./index_work.ts";
import { learnEncoded } from "./semantics/sample.ts";

let index = ObservationIndex.toFill();

const answers: IndexTasks = {
  add(page) {
    for (const row of parseChanges(page)) {
      const document = documentOf(row);
      if (document) index.put(document);
      else index.remove(row.id);
    }
  },
  take() {
    index.engine.compact();
    const state = index.state();
    index = ObservationIndex.toFill();
    return state;
  },
  merge: mergeSegments,
  save: saveSnapshot,
  async load(path) {
    const snapshot = await loadSnapshot(path);
    // ObservationIndex.of() counts deletions, and state() contains the counts. Counting them on the
    // main thread would delay requests.
    return snapshot && { ...snapshot, state: ObservationIndex.of(snapshot.state).state() };
  },
  learn: learnEncoded,
};

self.addEventListener("message", async ({ data }: MessageEvent<WorkRequest>) => {
  const { number, name, argument } = data;
  let reply: WorkReply;
  try {
    reply = { number, answer: await (answers[name] as (argument: unknown) => unknown)(argument) };
  } catch (error) {
    reply = { number, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
