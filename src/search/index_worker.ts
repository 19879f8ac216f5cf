/** Worker that builds, merges, saves and loads an index: see index_work.ts. */
/// <reference lib="deno.worker" />
import { applyChange, type ChangePage, parseChanges } from "./changes/changes.ts";
import { mergeSegments, type SegmentArrays } from "./index/segment.ts";
import { openIndex } from "./orama_plugin.ts";
import { loadSnapshot, saveSnapshot } from "./snapshot_file.ts";

let index = openIndex();

const TASKS = {
  add(page: Pick<ChangePage, "rows">): void {
    for (const row of parseChanges(page)) applyChange(index, row);
  },
  /** Returns the index of all pages so far. The next page begins another index. */
  take(): SegmentArrays[] {
    index.compact();
    const segments = index.segments();
    index = openIndex();
    return segments;
  },
  merge: mergeSegments,
  save: saveSnapshot,
  load: loadSnapshot,
};

/** Tasks of the worker. Buffers of segments are shared with the worker, not copied. */
export type IndexTasks = typeof TASKS;

/** Message that requests a task. */
export interface WorkRequest {
  name: keyof IndexTasks;
  argument: unknown;
}

/** Message with the result of a task, or with the message of its error. */
export type WorkReply = { answer: unknown } | { failure: string };

self.addEventListener("message", ({ data: { name, argument } }: MessageEvent<WorkRequest>) => {
  let reply: WorkReply;
  try {
    reply = { answer: (TASKS[name] as (argument: unknown) => unknown)(argument) };
  } catch (error) {
    reply = { failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
