import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import { FetchFailure } from "../../src/ingest/fetch/fetcher.ts";
import { setSourceTerms } from "../../src/ingest/refresh/schedule.ts";
import { SOURCES } from "../../src/ingest/sources/sources.ts";
import { COLUMNS, CONTACT_COLUMNS } from "../../src/ingest/sources/canadabuys/cells.ts";
import { runIngest } from "../support/command.ts";
import { countsOf } from "../support/counts.ts";
import { oneEngineTest } from "../support/database.ts";
import { sourceRecord } from "../support/factories.ts";
import { listing, type Publisher, startPublisher } from "../support/publisher.ts";

/** Runs `ingest` on an open database. The command may send requests to the publisher. */
async function run(db: Database, { address }: Publisher, ...args: string[]) {
  const settings = readSettings({ FETCH_OPEN_ADDRESSES: new URL(address).host });
  const { printed, ...outcome } = await runIngest(args, { db, settings });
  return { ...outcome, counts: JSON.parse(printed) };
}

/** Returns a file of notices with these titles. A notice without a title is invalid. */
function notices(...titles: string[]): string {
  const columns = Object.entries<string>({ ...COLUMNS, ...CONTACT_COLUMNS });
  const rows = titles.map((title, n) => {
    const notice: Record<string, string> = {
      title,
      reference: `cb-${n}`,
      published: "2026-07-29",
      closing: "2199-08-18T16:00:00",
      status: "Open",
      buyer: "Parks Canada",
    };
    return columns.map(([key]) => notice[key] ?? "").join(",");
  });
  return [columns.map(([, name]) => name).join(","), ...rows].join("\r\n") + "\r\n";
}

oneEngineTest("ingest reads an address in place of a file", async ({ db, sql }) => {
  await using publisher = startPublisher(() => listing([sourceRecord(), sourceRecord()]));
  assert.deepEqual(await run(db, publisher, `${publisher.address}/records.ndjson`), {
    exit_code: 0,
    counts: countsOf({ read: 2, recorded: 2 }),
    messages: [],
  });
  assert.deepEqual(publisher.asked, ["/records.ndjson"]);
  assert.equal((await sql`select from observations`).length, 2);
});

oneEngineTest("ingest --fetch requests a source at the operator's address for it", async (t) => {
  const { db, sql } = t;
  await using publisher = startPublisher(() => new Response(notices("Backpacks", "", "Boats")));
  await setSourceTerms(sql, SOURCES.get("canadabuys")!, { address: publisher.address });
  const { exit_code, counts, messages } = await run(
    db,
    publisher,
    "--format",
    "canadabuys",
    "--fetch",
  );
  assert.equal(exit_code, 1);
  assert.deepEqual(counts, countsOf({ read: 3, recorded: 2, rejected: 1 }));
  assert.deepEqual(publisher.asked, ["/openTenderNotice-ouvertAvisAppelOffres.csv"]);
  assert.deepEqual(messages.slice(0, 1).map((line) => JSON.parse(line).line), [3]);
});

oneEngineTest("ingest fails if the fetch fails or returns another format", async (t) => {
  await using publisher = startPublisher(() => new Response(null, { status: 404 }));
  await assert.rejects(
    run(t.db, publisher, `${publisher.address}/none.ndjson`),
    (error: Error) => error instanceof FetchFailure && error.http_status === 404,
  );
  publisher.answer = () => new Response("<!doctype html>\n");
  await assert.rejects(
    run(t.db, publisher, "--format", "canadabuys", `${publisher.address}/none.csv`),
    /none\.csv: not a CanadaBuys tender notice file/,
  );
});

oneEngineTest(
  "ingest reads robots.txt before an address if the source requires it",
  async ({ db }) => {
    await using publisher = startPublisher(() => new Response("User-agent: *\nDisallow: /\n"));
    await assert.rejects(
      run(db, publisher, "--format", "homepage", `${publisher.address}/`),
      (error: Error) => error instanceof FetchFailure && error.fault === "robots_refused",
    );
    assert.deepEqual(publisher.asked, ["/robots.txt"]);
  },
);

oneEngineTest("ingest refuses options that cannot be combined with a fetch", async ({ db }) => {
  await using publisher = startPublisher(() => listing([]));
  const wrong = [
    ["--fetch"],
    ["--format", "ndjson", "--fetch"],
    ["--format", "nobody", "--fetch"],
    ["https://a.example/x.csv"],
    ["https://jo:word@a.example/x.ndjson"],
    ["--domain", "a.example", "-"],
    ["--company", "A", "--domain", "https://a.example", "-"],
  ];
  for (const args of wrong) {
    await assert.rejects(run(db, publisher, ...args), UsageError, args.join(" "));
  }
  await assert.rejects(
    run(db, publisher, "--format", "canadabuys", "--fetch", "x"),
    /takes no TARGET/,
  );
  assert.deepEqual(publisher.asked, []);
});
