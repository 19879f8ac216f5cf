import assert from "node:assert/strict";
import { rowsIn } from "../../../src/ingest/formats/csv.ts";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { countsOf } from "../../support/counts.ts";
import { oneEngineTest } from "../../support/database.ts";
import { NEVER, readFeed, refreshContext, startPublisher } from "../../support/publisher.ts";
import { observation } from "../../support/recording.ts";

/** Address of the real file, outside of the project. The file may be absent. */
const REAL_FILE = new URL(
  "../../../../shared/data/canadabuys/openTenderNotice.csv",
  import.meta.url,
);

async function readRealFile(): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(REAL_FILE);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
}

const HOUR = 3_600_000;
/** Publication of the file, in milliseconds since the epoch. Most of its notices were open then. */
const THEN = Date.UTC(2026, 7, 1);

const real = await readRealFile();

if (real !== undefined) {
  oneEngineTest(
    "runDueFeed() refreshes the real file of canadabuys from a server",
    async ({ sql }) => {
      let file = real;
      let etag = '"monday"';
      await using publisher = startPublisher((request) =>
        request.headers.get("if-none-match") === etag
          ? new Response(null, { status: 304 })
          : new Response(file, { headers: { etag, "content-type": "text/csv" } })
      );
      const canadabuys = SOURCES.get("canadabuys")!;
      await setSourceTerms(sql, canadabuys, { address: publisher.address });
      await scheduleFeed(sql, canadabuys, { interval_seconds: 7_200, now: new Date(THEN) });
      let hours = 0;
      const context = {
        ...refreshContext(sql, publisher, { now: () => new Date(THEN + hours * HOUR) }),
        sources: SOURCES,
      };
      const refresh = async () => {
        assert.equal(await runDueFeed(context, NEVER), true);
        hours += 2;
        const { last_outcome, last_counts } = await readFeed(sql);
        return { last_outcome, ...last_counts };
      };

      assert.deepEqual(await refresh(), {
        last_outcome: "complete",
        ...countsOf({ read: 80, recorded: 80 }),
        gone: 0,
      });
      assert.equal((await refresh()).last_outcome, "not_modified");
      const [{ seen }] = await sql<[{ seen: number }]>`
      select count(last_seen_at) as seen from observations where change_seq = (
        select min(change_seq) from observations
      )
    `;
      assert.ok(seen > 0);

      // The source amends one notice, and replaces another by a new one.
      etag = '"tuesday"';
      file = real.replace(
        "Open Construction Source List for CFB Halifax,",
        "Construction in Halifax,",
      )
        .replace("MX-443841357514", "MX-999999999999");
      assert.deepEqual(await refresh(), {
        last_outcome: "complete",
        ...countsOf({ read: 80, recorded: 1, revised: 1, unchanged: 78 }),
        gone: 1,
      });
      assert.ok((await observation(sql, "MX-443841357514")).gone_at instanceof Date);

      // An unescaped quote damages one notice, and another one is missing.
      etag = '"damaged"';
      const lines = await Array.fromAsync(rowsIn(new Blob([file]).stream(), {}));
      const rows = lines.map(({ text }) => text).filter((_, at) => at !== 40);
      rows[20] = rows[20]!.replace(",", ',"');
      file = rows.join("\n") + "\n";
      const damaged = await refresh();
      assert.deepEqual(damaged, {
        last_outcome: "suspicious",
        ...countsOf({ read: 79, unchanged: 78, rejected: 1, doubtful: 1 }),
        gone: 0,
      });
      assert.equal(
        (await readFeed(sql)).last_error,
        "2 of 75 records were missing: 1 doubtful rows may hide them",
      );

      // The file ends in the middle of a notice.
      etag = '"part of a file"';
      file = real.slice(0, real.length / 4);
      // The complete notices of the file are recorded, including the one that was missing before.
      assert.equal((await refresh()).last_outcome, "failed");
      assert.equal((await sql`select from observations where gone_at is not null`).length, 0);

      etag = '"an error page"';
      file = "<!doctype html><p>Sorry\n";
      assert.equal((await refresh()).last_outcome, "failed");
      const { last_error, failures } = await readFeed(sql);
      assert.match(last_error, /^unreadable: not a CanadaBuys tender notice file/);
      assert.equal(failures, 2);

      etag = '"wednesday"';
      file = real;
      const back = await refresh();
      assert.equal(back.last_outcome, "complete");
      // The original file does not contain the new notice of Tuesday.
      assert.deepEqual([back.revised, back.unchanged, back.gone], [0, 80, 1]);
    },
  );
} else {
  Deno.test({ name: "canadabuys: the real file is absent", ignore: true, fn() {} });
}
