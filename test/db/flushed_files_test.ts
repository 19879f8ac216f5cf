/** Checks that a power cut loses nothing that the embedded database has answered. */
import assert from "node:assert/strict";
import { connect, type Database } from "../../src/db/connect.ts";
import { FlushedFiles } from "../../src/db/flushed_files.ts";
import { withDataDir } from "../support/data_dir.ts";
import { silent } from "../support/operations.ts";
import { withPowerCut } from "../support/power_cut.ts";

/** Adds rows with several connections at once. Returns the numbers that were acknowledged. */
async function addRows({ sql }: Database, acknowledged: number[], until: number): Promise<void> {
  const next = acknowledged.length;
  await Promise.all(Array.from({ length: until - next }, async (_, at) => {
    await sql`insert into notes values (${next + at}, repeat('x', 3000))`;
    acknowledged.push(next + at);
  }));
}

Deno.test("scenario 56: what the embedded database has answered survives a power cut", async () => {
  await withPowerCut((cut) =>
    withDataDir(async (root) => {
      const data_dir = `${root}/data`;
      const acknowledged: number[] = [];
      const cuts: { copy: string; promised: number[] }[] = [];
      const cutNow = () => {
        const copy = Deno.makeTempDirSync({ dir: root });
        cut(`${data_dir}/pglite`, `${copy}/pglite`);
        cuts.push({ copy, promised: acknowledged.toSorted((a, b) => a - b) });
      };
      const db = await connect({ data_dir, log: silent });
      await db.sql.unsafe("create table notes (id integer primary key, body text)");
      await addRows(db, acknowledged, 10);
      // The cut comes while commits wait for their flush.
      const adding = addRows(db, acknowledged, 30);
      while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve));
      cutNow();
      await adding;
      await db.sql.unsafe("checkpoint");
      await db.sql`update notes set body = 'changed' where id < 20`;
      cutNow();
      await db.close();
      for (const { copy, promised } of cuts) {
        const numbers = await numbersIn(copy);
        assert.deepEqual(promised.filter((number) => !numbers.has(number)), []);
      }
    })
  );
});

/** Opens a database after the power cut, and returns the numbers of its rows. */
async function numbersIn(data_dir: string): Promise<Set<number>> {
  const db = await connect({ data_dir, log: silent });
  const rows = await db.sql<{ id: number }[]>`select id from notes`;
  await db.close();
  return new Set(rows.map(({ id }) => id));
}

const SEGMENT = "pg_wal/000000010000000000000001";

/** Runs `use` with the watched operations of a folder, whose nodes are paths. Counts the flushes. */
async function withFiles(
  use: (files: FlushedFiles, fs: ReturnType<typeof folder>, flushes: string[]) => Promise<void>,
): Promise<void> {
  await withDataDir(async (root) => {
    await Deno.mkdir(`${root}/pg_wal`);
    for (const name of [SEGMENT, "table"]) await Deno.writeTextFile(`${root}/${name}`, name);
    const files = new FlushedFiles(root);
    const { emscriptenOpts } = await files.init({} as never, {});
    const fs = folder(root);
    const watch = emscriptenOpts.preRun!.at(-1) as unknown as (module: object) => void;
    watch({ FS: { filesystems: { NODEFS: fs } } });
    const flushes: string[] = [];
    const { syncSync, syncData } = Deno.FsFile.prototype;
    Deno.FsFile.prototype.syncSync = () => void flushes.push("sync");
    try {
      await use(files, fs, flushes);
    } finally {
      Object.assign(Deno.FsFile.prototype, { syncSync, syncData });
    }
  });
}

function folder(root: string) {
  return {
    realPath: (name: string) => `${root}/${name}`,
    node_ops: {
      setattr: (_node: string, _attributes: { size?: number }) => {},
      unlink: (_folder: string, _name: string) => {},
      rename: (_node: string, _folder: string, _name: string) => {},
    },
    stream_ops: {
      write: (_file: { node: string }) => 0,
      fsync: (_file: { node: string }) => 0,
    },
  };
}

Deno.test("FlushedFiles flushes a segment of the log once for many writes", async () => {
  await withFiles(async (files, { stream_ops }, flushes) => {
    const blocked = Promise.withResolvers<void>();
    Deno.FsFile.prototype.syncData = () => blocked.promise;
    stream_ops.fsync({ node: SEGMENT });
    const flushed = files.flush();
    await Promise.resolve();
    for (let n = 0; n < 5; n++) stream_ops.write({ node: "table" });
    assert.deepEqual(flushes, ["sync"]);
    blocked.resolve();
    await flushed;
  });
});

Deno.test("a later flush() of FlushedFiles never ends before an earlier one", async () => {
  await withFiles(async (files, { stream_ops }) => {
    const blocked = Promise.withResolvers<void>();
    Deno.FsFile.prototype.syncData = () => blocked.promise;
    stream_ops.fsync({ node: SEGMENT });
    const first = files.flush();
    await Promise.resolve();
    stream_ops.fsync({ node: SEGMENT });
    const second = files.flush();
    stream_ops.write({ node: "table" });
    const third = files.flush();
    assert.notEqual(second, first);
    assert.equal(third, second);
    blocked.resolve();
    await third;
    assert.equal(files.flush(), undefined);
  });
});

Deno.test("FlushedFiles flushes the log before a file is truncated, removed or renamed", async () => {
  await withFiles((_files, { node_ops, stream_ops }, flushes) => {
    const flushesOf = (change: () => void) => {
      stream_ops.fsync({ node: SEGMENT });
      change();
      return flushes.splice(0).length;
    };
    assert.equal(flushesOf(() => node_ops.setattr("table", { size: 0 })), 1);
    assert.equal(flushesOf(() => node_ops.unlink("", "table")), 1);
    assert.equal(flushesOf(() => node_ops.rename("table", "", "other")), 1);
    return Promise.resolve();
  });
});

Deno.test("FlushedFiles ignores a removed segment of the log", async () => {
  await withFiles((_files, { realPath, stream_ops }, flushes) => {
    stream_ops.fsync({ node: SEGMENT });
    Deno.removeSync(realPath(SEGMENT));
    stream_ops.write({ node: "table" });
    assert.deepEqual(flushes, []);
    return Promise.resolve();
  });
});
