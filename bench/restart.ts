/** Measures a restart from a snapshot, whose file is still in the file cache of the system. */
import assert from "node:assert/strict";
import { ObservationIndex } from "../src/search/index/observation_index.ts";
import { decodeSnapshot, encodeSnapshot } from "../src/search/engine/snapshot.ts";
import { createOurs, type Ours } from "./engines/ours.ts";
import { LIMIT } from "./measure.ts";
import type { Query } from "./queries.ts";

interface Restart {
  /** Milliseconds to write the file. */
  save: number;
  /** Milliseconds from opening the file to the first answer. */
  load: number;
  bytes: number;
}

/** Saves an index to a file, loads it again, and checks that both give the same answers. */
export async function measureRestart(ours: Ours, queries: readonly Query[]): Promise<Restart> {
  const path = await Deno.makeTempFile({ prefix: "search_bench_" });
  try {
    const save = await spend(() => write(path, ours.index));
    let loaded = ours;
    const load = await spend(async () => {
      const { state } = await decodeSnapshot((await Deno.open(path)).readable);
      loaded = createOurs(ObservationIndex.of(state));
      loaded.search(queries[0]!, LIMIT);
    });
    assert.notEqual(loaded, ours);
    assert.equal(loaded.index.size, ours.index.size);
    for (const query of queries) {
      assert.deepEqual(loaded.search(query, LIMIT), ours.search(query, LIMIT));
    }
    return { save, load, bytes: (await Deno.stat(path)).size };
  } finally {
    await Deno.remove(path);
  }
}

async function write(path: string, index: ObservationIndex): Promise<void> {
  using file = await Deno.create(path);
  for (const chunk of encodeSnapshot(index.state(), {})) {
    for (let sent = 0; sent < chunk.length;) sent += await file.write(chunk.subarray(sent));
  }
}

/** Runs `work`. @returns milliseconds */
async function spend(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
