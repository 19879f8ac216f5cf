import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { createLog } from "../../src/log.ts";
import { normalizeFilters } from "../support/inputs.ts";
import { Retriever } from "../../src/search/retriever.ts";
import { loadSnapshot, saveSnapshot } from "../../src/search/snapshot_file.ts";
import { oneEngineTest, serverTest } from "../support/database.ts";
import { record, type Recorded } from "../support/factories.ts";

/** Milliseconds between polls. No test runs that long. */
const NEVER_POLLS = 3_600_000;

/** Number of records: more than one page (500), and enough documents to be saved (2,000). */
const MANY = 2_100;

const WORDS = ["steel", "snow", "freezer", "bridge", "paper", "crane", "roof"];

/** Records observations with few different words, so that many scores are equal. */
async function recordMany(sql: Sql): Promise<Recorded[]> {
  const fact = (n: number) => `${WORDS[n % 7]} and ${WORDS[(n * n) % 5]} number ${n % 300}`;
  return await record(
    sql,
    Array.from({ length: MANY }, (_, n) => ({
      observed_fact: fact(n),
      company: { name: `Company ${n % 400}` },
    })),
  );
}

async function loaded(sql: Sql, { snapshot_path }: { snapshot_path?: string } = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("debug", (line) => lines.push(JSON.parse(line)));
  const retriever = new Retriever({ sql, log, poll_milliseconds: NEVER_POLLS, snapshot_path });
  await retriever.source.start();
  return Object.assign(retriever, {
    logged: (message: string) => lines.filter((line) => line.message === message),
  });
}

/** Returns the results of several searches. */
async function answers(retriever: Retriever) {
  const filters = normalizeFilters({ countries: ["CA"] });
  return await Promise.all(
    ["steel", "snow crane", "number 17", "number paper roof"].map((query) =>
      retriever.search({ query, filters, now: new Date("2026-06-01T00:00:00Z") })
    ),
  );
}

async function withSnapshotPath(use: (path: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ce-index-" });
  try {
    await use(`${directory}/index.snapshot`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/**
 * Returns the inode of a file, undefined if it does not exist. Each saved snapshot has a new inode.
 */
async function fileAt(path: string): Promise<number | null | undefined> {
  return await Deno.stat(path).then(({ ino }) => ino, () => undefined);
}

/** Resolves when a completely saved file exists that is not the one with the inode `before`. */
async function saved(path: string, before?: number | null): Promise<void> {
  for (;;) {
    const file = await fileAt(path);
    if (file !== undefined && file !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

oneEngineTest("a large index from a worker equals one that was kept up to date", async (t) => {
  const { sql } = t;
  await record(sql, [{ observed_fact: "A paper mill." }]);
  await using follower = await loaded(sql);
  const recorded = await recordMany(sql);
  await using builder = await loaded(sql);
  await follower.source.refresh();
  assert.deepEqual(builder.logged("index built").map(({ documents }) => documents), [MANY + 1]);
  assert.deepEqual(follower.logged("index built"), []);
  assert.deepEqual(await answers(builder), await answers(follower));
  await withdrawObservation(sql, recorded[7]!.observation_id);
  await builder.source.refresh();
  await follower.source.refresh();
  assert.deepEqual(await answers(builder), await answers(follower));
});

oneEngineTest("saving a snapshot deletes unfinished files of dead processes", async ({ sql }) => {
  await recordMany(sql);
  await withSnapshotPath(async (snapshot_path) => {
    for (const [name, minutes] of [["dead", 61], ["alive", 59]] as const) {
      await Deno.writeTextFile(`${snapshot_path}.${name}`, "");
      const modified = new Date(Date.now() - minutes * 60_000);
      await Deno.utime(`${snapshot_path}.${name}`, modified, modified);
    }
    await using _retriever = await loaded(sql, { snapshot_path });
    await saved(snapshot_path);
    assert.equal(await fileAt(`${snapshot_path}.dead`), undefined);
    assert.notEqual(await fileAt(`${snapshot_path}.alive`), undefined);
  });
});

serverTest("Retriever continues from its snapshot after a restart", async ({ sql }) => {
  const recorded = await recordMany(sql);
  await withSnapshotPath(async (snapshot_path) => {
    {
      await using _first = await loaded(sql, { snapshot_path });
      await saved(snapshot_path);
    }
    await withdrawObservation(sql, recorded[3]!.observation_id);
    await record(sql, [{ observed_fact: "A steel bridge over snow." }]);
    const file = await fileAt(snapshot_path);
    await using restarted = await loaded(sql, { snapshot_path });
    await using fresh = await loaded(sql);
    assert.equal(await fileAt(snapshot_path), file, "the snapshot is not renewed so soon");
    assert.deepEqual(restarted.logged("index restored").map((line) => line.documents), [MANY]);
    assert.deepEqual(restarted.logged("index built"), []);
    assert.deepEqual(await answers(restarted), await answers(fresh));
  });
});

serverTest(
  "Retriever refuses a snapshot that is damaged, or does not belong to the dataset",
  async ({ sql }) => {
    await recordMany(sql);
    const [clock] = await sql<[{ change_seq: number }]>`select change_seq from dataset_clock`;
    await withSnapshotPath(async (snapshot_path) => {
      let expected;
      {
        await using first = await loaded(sql, { snapshot_path });
        await saved(snapshot_path);
        expected = await answers(first);
      }
      const whole = await Deno.readFile(snapshot_path);
      const refused = async (reason: RegExp) => {
        const before = await fileAt(snapshot_path);
        await using retriever = await loaded(sql, { snapshot_path });
        const [line] = retriever.logged("index snapshot refused");
        assert.match(String(line?.reason), reason);
        assert.equal(retriever.logged("index built").length, 1);
        assert.deepEqual(await answers(retriever), expected);
        await saved(snapshot_path, before);
      };
      const damaged = whole.slice();
      damaged[whole.length >> 1]! ^= 1;
      await Deno.writeFile(snapshot_path, damaged);
      await refused(/./);
      await Deno.writeFile(snapshot_path, whole.subarray(0, whole.length - 100));
      await refused(/./);
      await Deno.writeFile(snapshot_path, whole);
      const { segments, origin } = loadSnapshot(snapshot_path);
      const foreign = { segments, origin: { ...origin, vocabulary: "another" } };
      saveSnapshot({ path: snapshot_path, ...foreign });
      await refused(/vocabulary/);
      await Deno.writeFile(snapshot_path, whole);
      await sql`update dataset_clock set change_seq = ${clock.change_seq - 1}`;
      await refused(/earlier state/);
      await Deno.writeFile(snapshot_path, whole);
      await sql`update dataset_clock set change_seq = ${clock.change_seq}, dataset_id = gen_random_uuid()`;
      await refused(/another dataset/);
    });
  },
);

oneEngineTest(
  "Retriever logs why it cannot read a snapshot, and loads the dataset",
  async ({ sql }) => {
    await record(sql, [{ observed_fact: "A steel bridge over snow." }]);
    await withSnapshotPath(async (path) => {
      await Deno.writeTextFile(path, "a file where a directory should be");
      await using retriever = await loaded(sql, { snapshot_path: `${path}/index` });
      const [line] = retriever.logged("index snapshot refused");
      assert.match(String(line?.reason), /not a directory/i);
      assert.equal(retriever.source.state.documents, 1);
    });
  },
);

oneEngineTest("a failed build of the index is repeated without losing a page", async ({ sql }) => {
  let statements = Infinity;
  const flaky = ((...statement: Parameters<Sql>) =>
    statements-- > 0 ? sql(...statement) : Promise.reject(new Error("cut off"))) as Sql;
  // The dataset is empty, so the retriever is ready before the build.
  await using builder = await loaded(flaky);
  await recordMany(sql);
  // The statements read the clock and three of five pages.
  statements = 4;
  await assert.rejects(builder.source.refresh(), /cut off/);
  statements = Infinity;
  await builder.source.refresh();
  await using fresh = await loaded(sql);
  assert.deepEqual(
    builder.logged("index built").map(({ documents }) =>
      documents
    ),
    [MANY],
  );
  assert.deepEqual(await answers(builder), await answers(fresh));
});
