import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import { BrokenOff, ingest, type IngestContext } from "../../src/commands/ingest.ts";
import { readSettings } from "../../src/config.ts";
import { connect, type Database, type Sql } from "../../src/db/connect.ts";
import { UnreadableSource } from "../../src/ingest/record/entry.ts";
import { ingestEntries } from "../../src/ingest/record/pipeline.ts";
import { readNdjson } from "../../src/ingest/formats/json.ts";
import { createLog } from "../../src/log.ts";
import { countsOf } from "../support/counts.ts";
import { databaseTest, oneEngineTest, serverTest } from "../support/database.ts";
import { sourceRecord } from "../support/factories.ts";
import { startProxy } from "../support/proxy.ts";
import { answer } from "../support/sam_notices.ts";

/** Returns the command with an open database, which the command does not close. */
function run(db: Database) {
  const printed: string[] = [];
  const messages: string[] = [];
  const context = (stdin?: AsyncIterable<Uint8Array>): IngestContext => ({
    database: () => Promise.resolve({ ...db, close: () => Promise.resolve() }),
    log: createLog("error"),
    settings: readSettings({}),
    say: (line) => void messages.push(line),
    stdin,
  });
  return {
    printed,
    messages,
    ingest: async (args: string[], stdin?: AsyncIterable<Uint8Array>) => ({
      exit_code: await ingest(args, context(stdin), (line) => void printed.push(line)),
      counts: JSON.parse(printed.at(-1)!),
    }),
  };
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

async function* bytes(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

/**
 * A database whose queries fail. As in the driver, a query runs only when it is awaited. A fragment
 * of another query is not awaited, so it does not fail.
 */
const refusing: Sql = new Proxy((() => {}) as unknown as Sql, {
  apply: () => ({
    then: (...settle: Parameters<Promise<never>["then"]>) =>
      Promise.reject(new Error("the database is gone")).then(...settle),
  }),
});

oneEngineTest(
  "ingest records valid lines, and writes rejected ones to a file",
  async ({ db, sql }) => {
    const dir = await Deno.makeTempDir();
    try {
      const path = `${dir}/records.ndjson`;
      const good = [sourceRecord(), sourceRecord()].map((record) => JSON.stringify(record));
      const bad = JSON.stringify({ ...sourceRecord(), confidence: 7 });
      await Deno.writeTextFile(path, [good[0], "", "{nonsense", bad, good[1]].join("\r\n"));
      const { ingest } = run(db);
      assert.deepEqual(await ingest([path]), {
        exit_code: 1,
        counts: countsOf({ read: 4, recorded: 2, rejected: 2, doubtful: 1 }),
      });
      const rejected = (await Deno.readTextFile(`${path}.rejected.ndjson`)).trim().split("\n")
        .map((line) => JSON.parse(line));
      assert.deepEqual(rejected.map(({ line, record }) => [line, record]), [
        [3, "{nonsense"],
        [4, bad],
      ]);
      assert.equal(rejected[0].reason, "the line is not JSON");
      assert.match(rejected[1].reason, /^confidence: /);

      await Deno.writeTextFile(path, good.join("\n"));
      assert.deepEqual(await ingest([path, "--format", "ndjson"]), {
        exit_code: 0,
        counts: countsOf({ read: 2, unchanged: 2 }),
      });
      assert.equal(await exists(`${path}.rejected.ndjson`), false);
      assert.equal((await sql`select from observations`).length, 2);
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
);

oneEngineTest("ingest prints no point of contact of a rejected record", async ({ db }) => {
  const { ingest, messages } = run(db);
  const notices = answer({ noticeId: "" }, {});
  assert.match(notices, /Jane Doe/);
  const { counts } = await ingest(["--format", "sam", "-"], bytes(notices));
  assert.deepEqual([counts.recorded, counts.rejected], [1, 1]);
  assert.match(messages.join(), /"reason":"noticeId: is empty"/);
  assert.doesNotMatch(messages.join(), /Jane|jane|555/);
});

oneEngineTest(
  "ingest reads standard input in chunks, and prints rejected lines",
  async ({ db }) => {
    const line = JSON.stringify(sourceRecord());
    const { ingest, messages } = run(db);
    const stream = bytes(
      line.slice(0, 10),
      line.slice(10) + "\n[",
      "]\n" + "x".repeat(2_000_000) + "\n",
    );
    assert.deepEqual(await ingest(["-"], stream), {
      exit_code: 1,
      counts: countsOf({ read: 3, recorded: 1, rejected: 2, doubtful: 1 }),
    });
    const [first, second] = messages.slice(0, 2).map((text) => JSON.parse(text));
    assert.deepEqual([first.line, first.record], [2, "[]"]);
    assert.deepEqual([second.line, second.reason], [3, "the line is longer than 1048576 bytes"]);
    assert.equal(second.record.length, 2_000);
    assert.match(messages[2]!, /^-: rejected 1: /);
  },
);

oneEngineTest("ingest counts each line of a file that repeats one record", async ({ db }) => {
  const record = sourceRecord();
  const line = (one: object) => JSON.stringify(one) + "\n";
  const lines = line(record).repeat(200) + line({ ...record, confidence: 0.5 }).repeat(50);
  const { ingest, messages } = run(db);
  const { counts } = await ingest(["-"], bytes(lines));
  assert.deepEqual(counts, countsOf({ read: 250, recorded: 1, revised: 1, unchanged: 248 }));
  assert.match(messages.join(), /^-: repeated 249: an earlier record .* such as \S+ in line 2$/);
});

databaseTest(
  "ingest completes the records of an earlier run that broke off",
  async ({ db, sql }) => {
    const lines = Array.from({ length: 500 }, () => JSON.stringify(sourceRecord()) + "\n");
    async function* cut() {
      yield* bytes(...lines.slice(0, 350));
      throw new Error("the pipe broke");
    }
    const { ingest, messages } = run(db);
    assert.deepEqual(await ingest(["-"], cut()), {
      exit_code: 1,
      counts: countsOf({ read: 350, recorded: 350 }),
    });
    assert.equal(messages.at(-1), "-: the pipe broke; 350 records were read before");
    const { counts } = await ingest(["-"], bytes(...lines));
    assert.equal(counts.recorded + counts.unchanged, 500);
    assert.equal((await sql`select from observations`).length, 500);
  },
);

databaseTest(
  "ingestEntries() rejects only the record that the database refuses",
  async ({ sql }) => {
    async function* entries() {
      for await (
        const entry of readNdjson(
          bytes(...Array.from({ length: 9 }, () => JSON.stringify(sourceRecord()) + "\n")),
        )
      ) {
        if (entry.line === 5 && "record" in entry.judged) entry.judged.record.country = "FR";
        yield entry;
      }
    }
    const rejected: { line: number; reason: string }[] = [];
    const counts = await ingestEntries(sql, entries(), {
      batch: { records: 100, characters: 100_000 },
      reject: ({ line, reason }) => void rejected.push({ line, reason }),
    });
    assert.deepEqual(counts, countsOf({ read: 9, recorded: 8, rejected: 1 }));
    assert.deepEqual(rejected.map(({ line }) => line), [5]);
    assert.match(rejected[0]!.reason, /observations_country_known/);
  },
);

oneEngineTest("ingest refuses wrong options, and files of another format", async ({ db }) => {
  const { ingest } = run(db);
  for (
    const args of [
      [],
      ["--format", "xml", "a"],
      ["--format", "constructor", "a"],
      ["--colour", "a"],
      ["notices.csv"],
    ]
  ) {
    await assert.rejects(ingest(args), UsageError);
  }
  await assert.rejects(ingest(["missing.ndjson"]), Deno.errors.NotFound);
  await assert.rejects(
    ingest(["--format", "canadabuys", "-"], bytes("a,b\n1,2\n")),
    /^UnreadableSource: -: not a CanadaBuys tender notice file; columns missing: title-titre-eng/,
  );
});

oneEngineTest(
  "ingest keeps the rejected lines of an earlier run until it can read its file",
  async ({ db }) => {
    const dir = await Deno.makeTempDir();
    try {
      const path = `${dir}/notices.csv`;
      const rejected = `${path}.rejected.ndjson`;
      await Deno.writeTextFile(path, "not,a notice\n");
      await Deno.writeTextFile(rejected, "rejected by an earlier run\n");
      const { ingest } = run(db);
      await assert.rejects(ingest(["--format", "canadabuys", path]), UnreadableSource);
      assert.equal(await Deno.readTextFile(rejected), "rejected by an earlier run\n");
      for (const text of ["", JSON.stringify(sourceRecord())]) {
        await Deno.writeTextFile(path, text);
        await Deno.writeTextFile(rejected, "rejected by an earlier run\n");
        await ingest(["--format", "ndjson", path]);
        assert.equal(await exists(rejected), false);
      }
      await Deno.mkdir(rejected);
      await ingest(["--format", "ndjson", path]);
      assert.equal(await exists(rejected), true);
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
);

oneEngineTest("ingest names the file that it cannot read", async ({ db }) => {
  const { ingest } = run(db);
  const dir = await Deno.makeTempDir();
  try {
    await assert.rejects(ingest([dir]), (error: Error) => {
      assert.equal(error.message, `${dir}: is a directory`);
      return true;
    });
    await assert.rejects(ingest([`${dir}/missing`]), (error: Error) => {
      assert.ok(error instanceof Deno.errors.NotFound && error.message.includes(`${dir}/missing`));
      return true;
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

serverTest("ingest reports its counts when it loses the database", async ({ url, sql }) => {
  const proxy = startProxy(url);
  const log = createLog("error");
  const lines = Array.from({ length: 3_500 }, () => JSON.stringify(sourceRecord()) + "\n");
  async function* cutBetween() {
    yield* bytes(lines.slice(0, 2_500).join(""));
    // The first batch is recorded, and the second one is being recorded.
    proxy.cut();
    yield* bytes(lines.slice(2_500).join(""));
  }
  const context = {
    log,
    settings: readSettings({}),
    database: () => connect({ database_url: proxy.url, data_dir: "", log }),
    stdin: cutBetween(),
    say: () => {},
  };
  try {
    await assert.rejects(ingest(["-"], context, () => {}), (error: Error) => {
      assert.ok(error instanceof BrokenOff);
      assert.match(
        error.message,
        /^-: broken off, the database is not available \(.+\)\. So far: \{"read":\d{4},"recorded":[12]000,.*\}\. Run/,
      );
      return true;
    });
    await assert.rejects(
      ingest(["-"], context, () => {}),
      /nothing was read.*\(.+\)|Is DATABASE_URL correct/,
    );
  } finally {
    await proxy.restore();
    await proxy.close();
  }
  const [{ count }] = await sql<[{ count: number }]>`select count(*) from observations`;
  assert.ok(count === 1_000 || count === 2_000, `${count}`);
});

Deno.test("ingestEntries() fails and stops reading when the database fails", async () => {
  let read = 0;
  async function* entries() {
    for await (
      const entry of readNdjson(
        bytes(...Array.from({ length: 100 }, () => JSON.stringify(sourceRecord()) + "\n")),
      )
    ) {
      read++;
      yield entry;
    }
  }
  await assert.rejects(
    ingestEntries(refusing, entries(), {
      batch: { records: 10, characters: 100_000 },
      reject: () => {},
    }),
    /the database is gone/,
  );
  assert.ok(read <= 30, `${read} entries were read`);
});
