/** Worker that performs the tasks of index_work.ts: it builds, merges, saves and loads an index. */
/// <reference lib="deno.worker" />
import { documentOf, parseChanges } from "./changes/changes.ts";
import { loadSnapshot, saveSnapshot } from "./snapshot_file.ts";
import { openIndex } from "./orama_plugin.ts";
import { mergeSegments } from "./index/merging.ts";
import type { IndexTasks, WorkReply, WorkRequest } from "./index_work.ts";

let index = openIndex();

const answers: IndexTasks = {
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
    index = openIndex();
    return state;
  },
  merge: (segments) => mergeSegments(segments).arrays,
  save: saveSnapshot,
  load: loadSnapshot,
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
