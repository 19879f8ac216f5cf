/** Tests `ingest` with several files: counts, reasons, failures and progress. */
import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import { isFile } from "../../src/db/exists.ts";
import type { SourceEntry } from "../../src/ingest/record/entry.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { ingestEntries, sumOfCounts } from "../../src/ingest/record/pipeline.ts";
import { LINE_MILLISECONDS, type Ticker } from "../../src/ingest/record/progress.ts";
import { Reasons } from "../../src/ingest/record/reasons.ts";
import { runIngest } from "../support/command.ts";
import { countsOf } from "../support/counts.ts";
import { oneEngineTest } from "../support/database.ts";
import { sourceRecord } from "../support/factories.ts";

async function withFiles(
  files: Record<string, string>,
  use: (path: (name: string) => string) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${directory}/${name}`, text);
    }
    await use((name) => `${directory}/${name}`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function lines(...records: object[]): string {
  return records.map((record) => JSON.stringify(record) + "\n").join("");
}

oneEngineTest(
  "ingest prints the counts of each of several files, and their sums",
  async ({ db, sql }) => {
    const files = {
      "a.ndjson": lines(sourceRecord(), { nothing: 1 }, { nothing: 2 }),
      "b.ndjson": lines(sourceRecord(), sourceRecord()),
      "c.ndjson": "{nonsense\n",
    };
    await withFiles(files, async (path) => {
      const paths = ["a.ndjson", "missing.ndjson", "b.ndjson", "c.ndjson"].map(path);
      const { exit_code, printed, messages } = await runIngest(paths, { db });
      assert.equal(exit_code, 1);
      assert.deepEqual(
        JSON.parse(printed),
        countsOf({ read: 6, recorded: 3, rejected: 3, doubtful: 1 }),
      );
      const [a, reasonsOfA, missing, b, c, reasonsOfC] = messages;
      assert.equal(
        a,
        `${path("a.ndjson")}: ${JSON.stringify(countsOf({ read: 3, recorded: 1, rejected: 2 }))}`,
      );
      assert.match(reasonsOfA!, /a\.ndjson: rejected 2: source: required/);
      assert.match(missing!, /missing\.ndjson/);
      assert.equal(b, `${path("b.ndjson")}: ${JSON.stringify(countsOf({ read: 2, recorded: 2 }))}`);
      assert.match(c!, /c\.ndjson: \{"read":1/);
      assert.equal(reasonsOfC, `${path("c.ndjson")}: rejected 1: the line is not JSON`);
      assert.equal(messages.length, 6);
      const linesOf = (name: string) =>
        Deno.readTextFileSync(path(`${name}.rejected.ndjson`)).trim().split("\n")
          .map((line) => JSON.parse(line).line);
      assert.deepEqual([linesOf("a.ndjson"), linesOf("c.ndjson")], [[2, 3], [1]]);
      assert.ok(!await isFile(path("b.ndjson.rejected.ndjson")));
      assert.equal((await sql`select from observations`).length, 3);
    });
  },
);

oneEngineTest("ingest returns exit code 1 if it cannot read a file", async ({ db }) => {
  const files = { "a.ndjson": lines(sourceRecord()), "b.csv": "not,a notice\n" };
  await withFiles(files, async (path) => {
    const report = path("a.ndjson.rejected.ndjson");
    const good = await runIngest([path("a.ndjson"), report, path("a.ndjson")], { db });
    assert.match(good.messages[0]!, /\.rejected\.ndjson: skipped, because/);
    assert.equal(good.exit_code, 0);
    assert.deepEqual(JSON.parse(good.printed), countsOf({ read: 2, recorded: 1, unchanged: 1 }));
    const args = ["--format", "canadabuys", path("b.csv"), path("none.csv")];
    const bad = await runIngest(args, { db });
    assert.equal(bad.exit_code, 1);
    assert.deepEqual(JSON.parse(bad.printed), countsOf({}));
    assert.match(bad.messages[0]!, /b\.csv: \{"read":0/);
    assert.match(bad.messages[1]!, /b\.csv: not a CanadaBuys tender notice file/);
    assert.match(bad.messages[2]!, /none\.csv/);
  });
});

Deno.test("ingest refuses standard input twice, and several targets of one fetch", async () => {
  for (
    const args of [
      ["-", "-"],
      ["a.ndjson", "b.csv"],
      ["a.ndjson", ""],
      ["--format", "greenhouse", "--fetch", "one", "two"],
    ]
  ) {
    await assert.rejects(runIngest(args), UsageError, args.join(" "));
  }
});

/** Returns a clock that advances only when the test calls `pass`. */
function manualClock() {
  let at = 0;
  const ticks = new Map<() => void, number>();
  const ticker: Ticker = {
    now: () => at,
    every(milliseconds, tick) {
      ticks.set(tick, milliseconds);
      return () => void ticks.delete(tick);
    },
  };
  const pass = () => {
    at += LINE_MILLISECONDS;
    for (const [tick, milliseconds] of ticks) {
      assert.equal(milliseconds, LINE_MILLISECONDS);
      tick();
    }
  };
  return { ticker, pass, ticks };
}

oneEngineTest("ingest prints its progress every ten seconds", async ({ db }) => {
  const { ticker, pass, ticks } = manualClock();
  const text = lines(...Array.from({ length: 250 }, () => sourceRecord()));
  const half = text.split("\n").slice(0, 100).map((line) => line + "\n").join("");
  async function* halves() {
    yield await Promise.resolve(new TextEncoder().encode(half));
    pass();
    pass();
    yield new TextEncoder().encode(text.slice(half.length));
  }
  const { messages } = await runIngest(["-"], { db, stdin: halves(), ticker });
  assert.match(messages[0]!, /^-: 0\.\d MB, 100 records read, 10 per second$/);
  assert.match(messages[1]!, /^-: 0\.\d MB, 100 records read, 0 per second$/);
  assert.equal(messages.length, 2);
  assert.equal(ticks.size, 0);
});

oneEngineTest("ingest prints the share of a file that it has read", async ({ db }) => {
  await withFiles({ "a.ndjson": lines(sourceRecord()) }, async (path) => {
    const { ticker, pass } = manualClock();
    const ending: Ticker = {
      ...ticker,
      every(milliseconds, tick) {
        const end = ticker.every(milliseconds, tick);
        return () => {
          pass();
          end();
        };
      },
    };
    const { messages } = await runIngest([path("a.ndjson")], { db, ticker: ending });
    assert.match(
      messages[0]!,
      /a\.ndjson: 0\.0 of 0\.0 MB \(100%\), 1 records read, 0 per second$/,
    );
  });
});

oneEngineTest(
  "ingestEntries() counts records that are left out, and gives reasons",
  async ({ sql }) => {
    async function* entries(): AsyncGenerator<SourceEntry> {
      const abroad = { left_out: "a place outside Canada and the United States" };
      const judgements = [abroad, normalizeRecord(sourceRecord()), { reason: "no" }, abroad];
      for (const [index, judged] of judgements.entries()) {
        yield await Promise.resolve({ line: index + 1, raw: null, judged });
      }
    }
    const reasons = new Reasons();
    const counts = await ingestEntries(sql, entries(), {
      batch: { records: 10, characters: 100_000 },
      reject: () => {},
      leave_out: (reason) => reasons.add(reason),
    });
    assert.deepEqual(counts, countsOf({ read: 4, recorded: 1, rejected: 1, left_out: 2 }));
    assert.deepEqual(reasons.list(), [
      { reason: "a place outside Canada and the United States", count: 2 },
    ]);
  },
);

oneEngineTest("ingestEntries() ends records that the source has ended", async ({ sql }) => {
  const open = (external_id: string) => normalizeRecord(sourceRecord({ external_id }));
  const ended = (external_id: string) => ({
    left_out: "cancelled",
    ended: { source: sourceRecord().source, external_id },
  });
  const ingest = async (...judgements: (SourceEntry["judged"] & { doubt?: string })[]) => {
    await ingestEntries(sql, entries(judgements), {
      batch: { records: 10, characters: 100_000 },
      reject: () => {},
    });
    const rows = await sql<{ external_id: string }[]>`
      select external_id from observations where gone_at is null order by external_id
    `;
    return rows.map(({ external_id }) => external_id).join();
  };
  async function* entries(judgements: (SourceEntry["judged"] & { doubt?: string })[]) {
    for (const { doubt, ...judged } of judgements) {
      const entry: SourceEntry = { line: 1, raw: null, judged: judged as SourceEntry["judged"] };
      yield await Promise.resolve(doubt === undefined ? entry : { ...entry, doubt });
    }
  }
  assert.equal(await ingest(open("1"), open("2"), open("3")), "1,2,3");
  assert.equal(await ingest(ended("1"), { ...ended("2"), doubt: "a quote" }, ended("9")), "2,3");
  assert.equal(await ingest(open("4"), ended("4"), ended("3"), open("3")), "2,3");
  assert.equal(await ingest(open("1")), "1,2,3");
});

oneEngineTest("ingestEntries() does not count cut excerpts of a refused record", async (t) => {
  async function* entries(): AsyncGenerator<SourceEntry> {
    for (const country of ["CA", "FR"]) {
      const judged = normalizeRecord(sourceRecord({
        evidence: [{
          source_uri: "https://news.example/1",
          excerpt: "A long sentence. ".repeat(60),
        }],
      }));
      assert.ok("record" in judged);
      judged.record.country = country;
      yield await Promise.resolve({ line: 1, raw: null, judged });
    }
  }
  const counts = await ingestEntries(t.sql, entries(), {
    batch: { records: 10, characters: 100_000 },
    reject: () => {},
  });
  assert.deepEqual(counts, countsOf({ read: 2, recorded: 1, rejected: 1, excerpts_cut: 1 }));
});

Deno.test("sumOfCounts() accepts the counts of an earlier version", () => {
  const { left_out: _, excerpts_cut: __, ...earlier } = countsOf({ read: 3, recorded: 3 });
  assert.deepEqual(
    sumOfCounts(earlier, countsOf({ read: 1, left_out: 1 })),
    countsOf({ read: 4, recorded: 3, left_out: 1 }),
  );
});

Deno.test("Reasons bounds its number of distinct reasons", () => {
  const reasons = new Reasons();
  for (let n = 0; n < 1_500; n++) reasons.add(`reason ${n}`);
  reasons.add("reason 7");
  const list = reasons.list();
  assert.equal(list.length, 1_001);
  assert.deepEqual(list.slice(0, 2), [
    { reason: "another reason", count: 500 },
    { reason: "reason 7", count: 2 },
  ]);
});
