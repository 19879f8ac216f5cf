/** Tests that an answer that is cut by a publisher or a proxy, or damaged, hides no records. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { oneEngineTest } from "../../support/database.ts";
import { addFeed } from "../../support/own_feeds.ts";
import { NEVER, readFeed, refreshContext, startPublisher } from "../../support/publisher.ts";
import { hasRealData, REAL_DATA } from "../../support/real_records.ts";

const THEN = new Date("2026-08-01T00:00:00Z");
const ignore = !hasRealData();

/** Names of sources, and paths of real files that they read. */
const FILES = [
  ["canadabuys", "canadabuys/openTenderNotice.csv"],
  ["toronto", "toronto/all_solicitations.csv"],
  ["crunchbase_2013", "crunchbase_2013/rounds.csv"],
  ["sam", "sam/get_opportunities_v2_sample.json"],
  ["ashby", "job_boards/ashby_sample.json"],
  ["greenhouse", "job_boards/greenhouse_sample.json"],
  ["lever", "job_boards/lever_sample.json"],
  ["gleif", "gleif/us_ca_records.jsonl"],
  ["remote_jobs", "remote_jobs/companies.jsonl"],
  ["form_d", "edgar/form_d/D.1685REIT.xml"],
  ["form_d", "edgar/form_d/0001398344-24-000491.nc.txt"],
  ["edgar_8k", "edgar/submissions/CIK0000310522.json"],
] as const;

/** Max number of positions at which a file is cut. */
const CUTS = 100;

/** Matches the paths of lists of lines. */
const LINES = /\.(csv|jsonl)$/;

/** Reads the first records of a list of lines, which is read faster than all, or a whole document. */
async function readStart(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const all = await Deno.readFile(REAL_DATA + path);
  if (!LINES.test(path)) return all;
  const start = new TextDecoder("latin1").decode(all.subarray(0, 60_000));
  // A line break within quotation marks ends no record.
  const ends = [...start.matchAll(/\r?\n/g)].map(({ index, 0: end }) => index + end.length);
  const isEnd = (end: number) => start.slice(0, end).split('"').length % 2 === 1;
  return all.slice(0, path.endsWith(".csv") ? ends.findLast(isEnd) : ends.at(-1));
}

/** Reads bytes as an answer to a request. Returns whether the source accepts them as complete. */
async function isComplete(source: Source, bytes: Uint8Array): Promise<boolean> {
  const context = { retrieved_at: THEN, address: "https://publisher.example/all", target: "x" };
  const stream = ReadableStream.from([bytes]);
  try {
    for await (const _ of source.read(stream, context));
    return true;
  } catch (error) {
    assert.ok(error instanceof UnreadableSource, String(error));
    return false;
  }
}

for (const [name, path] of FILES) {
  Deno.test(
    { name: `${name} does not accept a cut answer as complete: ${path}`, ignore },
    async () => {
      const source = SOURCES.get(name)!;
      assert.equal(await isComplete(source, await Deno.readFile(REAL_DATA + path)), true);
      const bytes = await readStart(path);
      assert.equal(await isComplete(source, bytes), true);
      const isByLines = LINES.test(path);
      const content = new TextDecoder("latin1").decode(bytes).trimEnd().length;
      for (let cut = 0; cut < CUTS; cut++) {
        const end = Math.floor(cut / CUTS * content) + 1;
        if (end >= content) break;
        // A list of lines that is cut at a line break cannot be recognized as cut.
        if (isByLines && isBetweenLines(bytes, end)) continue;
        // The source does not read the wrapper of a submission after the XML.
        if (name === "form_d" && end > lastOf(bytes, "</edgarSubmission")) continue;
        assert.equal(await isComplete(source, bytes.subarray(0, end)), false, `byte ${end}`);
      }
    },
  );
}

/** Returns whether a cut is right before or after a line break, so that all records are whole. */
function isBetweenLines(bytes: Uint8Array, end: number): boolean {
  return bytes[end - 1] === 10 || bytes[end] === 10 || bytes[end] === 13;
}

function lastOf(bytes: Uint8Array, text: string): number {
  return new TextDecoder("latin1").decode(bytes).lastIndexOf(text);
}

/** Returns the lengths of cut documents: evenly spread ones, and the two longest. */
function samples(length: number): number[] {
  const spread = Array.from({ length: 12 }, (_, index) => Math.floor((index + 0.5) * length / 12));
  return [...spread, length - 2, length - 1];
}

for (
  const { name, path, target } of [
    { name: "canadabuys", path: "canadabuys/openTenderNotice.csv", target: undefined },
    { name: "ashby", path: "job_boards/ashby_sample.json", target: "ashby" },
  ]
) {
  oneEngineTest(
    `a cut answer of ${name} hides no record, and is requested again without conditions`,
    async (t) => {
      if (ignore) return;
      const { sql } = t;
      const whole = await readStart(path);
      let body: Uint8Array<ArrayBuffer> = whole;
      let etag = '"whole"';
      const conditions: (string | null)[] = [];
      let headers: Record<string, string> = {};
      await using publisher = startPublisher((request) => {
        const condition = request.headers.get("if-none-match");
        conditions.push(condition);
        if (condition === etag) return new Response(null, { status: 304 });
        return new Response(body, { headers: { etag, ...headers } });
      });
      const source = SOURCES.get(name)!;
      await setSourceTerms(sql, source, { address: publisher.address });
      await scheduleFeed(sql, source, { target, interval_seconds: 3_600, now: THEN });
      let now = THEN;
      const context = { ...refreshContext(sql, publisher, { now: () => now }), sources: SOURCES };
      const refresh = async () => {
        now = new Date(now.getTime() + 86_400_000);
        assert.equal(await runDueFeed(context, NEVER), true);
        return await readFeed(sql);
      };
      const gone = async () =>
        (await sql`select from observations where gone_at is not null`).length;

      assert.equal((await refresh()).last_outcome, "complete");
      for (const end of samples(whole.length)) {
        etag = `"cut at ${end}"`;
        body = whole.slice(0, end);
        const feed = await refresh();
        assert.equal(feed.last_outcome, "failed", etag);
        assert.equal(feed.validators, null);
        assert.equal(await gone(), 0);
      }
      etag = '"compressed"';
      headers = { "content-encoding": "gzip" };
      body = Uint8Array.from(gzipSync(whole)).slice(0, 2_000);
      assert.equal((await refresh()).last_outcome, "failed");

      etag = '"whole"';
      headers = {};
      body = whole;
      const feed = await refresh();
      assert.equal(conditions.at(-1), null);
      assert.deepEqual([feed.last_outcome, feed.last_counts.gone], ["complete", 0]);
      assert.equal(feed.validators.etag, etag);
      assert.equal((await refresh()).last_outcome, "not_modified");
    },
  );
}

oneEngineTest("an XML answer without an end tag or without a row hides nothing", async (t) => {
  const row = (id: number) => `<row><id>${id}</id><buyer>Acme</buyer><title>Roof</title></row>`;
  const whole = `<rows>${[1, 2, 3].map(row).join("")}</rows>`;
  await using publisher = startPublisher(() => new Response(whole));
  const mapping = { format: "xml", array: undefined, element: "row" };
  await addFeed(t.sql, publisher.address, { mapping, full_listing: true, now: THEN });
  let now = THEN.getTime();
  const context = refreshContext(t.sql, publisher, { now: () => new Date(now += 604_800_000) });
  const outcomes: string[] = [];
  for (const body of [whole, whole.replace("</row>", ""), "<html></html>", "<rows/>"]) {
    publisher.answer = () => new Response(body);
    await runDueFeed(context, NEVER);
    outcomes.push((await readFeed(t.sql)).last_outcome);
    assert.equal((await t.sql`select from observations where gone_at is null`).length, 3);
  }
  assert.deepEqual(outcomes, ["complete", "failed", "failed", "suspicious"]);
});
