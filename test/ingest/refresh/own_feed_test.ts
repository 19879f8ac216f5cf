/** Runs of operators' own feeds: pages, headers, full listings, and runs that are cut short. */
import assert from "node:assert/strict";
import { isShrinking, readFeedHealth } from "../../../src/ingest/refresh/feed_health.ts";
import { removeOwnFeed } from "../../../src/ingest/refresh/own_feed.ts";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { listSources, runFeedNow } from "../../../src/ingest/refresh/schedule.ts";
import { oneEngineTest, serverTest } from "../../support/database.ts";
import { addFeed, rows } from "../../support/own_feeds.ts";
import {
  NEVER,
  type Publisher,
  readFeed,
  refreshContext,
  shown,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";
import { eventually } from "../../support/waiting.ts";

const ids = (first: number, last: number) => rows(first, last).map(({ id }) => id);

/** Returns the instant `hours` after the feed is scheduled. The feed's interval is an hour. */
const at = (hours: number) => new Date(Date.UTC(2026, 10, 27, hours));

oneEngineTest(
  "a CSV listing is read by its mapping, and asked whether it has changed",
  async (t) => {
    const { sql } = t;
    let listed = rows(1, 3);
    await using publisher = startPublisher((request) => {
      const etag = `"${listed.length}"`;
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304 });
      const lines = listed.map(({ id, buyer, title }) => `${id};${buyer};${title}\n`);
      return new Response("id;buyer;title\n" + lines.join(""), { headers: { etag } });
    });
    const mapping = { format: "csv", array: undefined, delimiter: ";" };
    const address = `${publisher.address}/list.csv?kind=open`;
    await addFeed(sql, address, { mapping, full_listing: true, now: at(0) });
    let hours = 0;
    const context = refreshContext(sql, publisher, { now: () => at(hours) });
    const outcomes: string[] = [];
    for (const length of [3, 3, 2]) {
      listed = rows(1, length);
      assert.equal(await runDueFeed(context, NEVER), true);
      outcomes.push((await readFeed(sql)).last_outcome);
      hours++;
    }
    assert.deepEqual(outcomes, ["complete", "not_modified", "complete"]);
    assert.deepEqual(await shown(sql), ids(1, 2));
    assert.deepEqual(new Set(publisher.asked), new Set(["/list.csv?kind=open"]));
  },
);

/** Answers with pages of four rows of eleven, and with the members of the page. */
function pagesOf(
  numberOf: (url: URL) => number,
  more: (next: number | undefined) => { members?: object; link?: string } = () => ({}),
): Publisher["answer"] {
  return (request) => {
    const page = numberOf(new URL(request.url));
    const { members = {}, link } = more(page < 3 ? page + 1 : undefined);
    const headers = link === undefined ? undefined : { link };
    const first = 4 * page - 3;
    return Response.json({ rows: rows(first, Math.min(first + 3, 11)), ...members }, { headers });
  };
}

const numberIn = (parameter: string) => (url: URL) => Number(url.searchParams.get(parameter) ?? 1);

/** Ways in which a feed continues: its mapping, its server, and the expected requests. */
const PAGED: Record<string, [pages: object, answer: Publisher["answer"], asked: string[]]> = {
  "the header Link": [
    { by: "link" },
    pagesOf(numberIn("page"), (next) => ({
      link: next === undefined
        ? '</list>; rel="first"'
        : `</list>; rel="first", <?page=${next}>; title="a; \\"b\\""; rel="last next"`,
    })),
    ["/list", "/list?page=2", "/list?page=3"],
  ],
  "one page": [{ by: "link" }, () => Response.json({ rows: rows(1, 11) }), ["/list"]],
  "an address in the document": [
    { by: "link", path: "links.next" },
    pagesOf(numberIn("page"), (next) => ({
      members: { links: { next: next ? `/list?page=${next}` : null } },
    })),
    ["/list", "/list?page=2", "/list?page=3"],
  ],
  "a number, until a page has no rows": [
    { by: "number", parameter: "page" },
    pagesOf(numberIn("page")),
    ["/list?page=1", "/list?page=2", "/list?page=3", "/list?page=4"],
  ],
  "an offset, until a page is not full": [
    { by: "number", parameter: "offset", first: 0, step: 4, size: 4 },
    pagesOf((url) => 1 + Number(url.searchParams.get("offset")) / 4),
    ["/list?offset=0", "/list?offset=4", "/list?offset=8"],
  ],
  "a cursor": [
    { by: "cursor", parameter: "after", path: "meta.cursor" },
    pagesOf(
      (url) => Number(url.searchParams.get("after")?.slice(2) ?? 1),
      (next) => ({ members: next ? { meta: { cursor: `p&${next}` } } : {} }),
    ),
    ["/list", "/list?after=p%262", "/list?after=p%263"],
  ],
};

for (const [name, [pages, answer, asked]] of Object.entries(PAGED)) {
  oneEngineTest(`a feed is read page by page: ${name}`, async ({ sql }) => {
    await using publisher = startPublisher(answer);
    const mapping = { pages, contacts: ["who"] };
    await addFeed(sql, `${publisher.address}/list`, { mapping, full_listing: true });
    const { log, ...context } = refreshContext(sql, publisher);
    const warned = new Set<unknown>();
    const warn: typeof log.warn = (_, fields) => warned.add(fields?.reason);
    await runDueFeed({ ...context, log: { ...log, warn } }, NEVER);
    assert.deepEqual(warned, new Set(["no row has a value at: who"]));
    assert.deepEqual(publisher.asked, asked);
    assert.deepEqual(await shown(sql), ids(1, 11));
    const { last_outcome, last_error, validators } = await readFeed(sql);
    assert.deepEqual([last_outcome, last_error, validators], ["complete", null, null]);
  });
}

oneEngineTest(
  "a header is sent to the feed's origin alone, and stored nowhere",
  async ({ sql }) => {
    const heard: (string | null)[] = [];
    const strangers: (string | null)[] = [];
    await using stranger = startPublisher((request) => {
      strangers.push(request.headers.get("x-key"));
      return Response.json({ rows: [] });
    });
    await using publisher = startPublisher((request) => {
      heard.push(request.headers.get("x-key"));
      return Response.json({ rows: rows(1, 2) }, {
        headers: { link: `<${stranger.address}/list>; rel=next` },
      });
    });
    await addFeed(sql, `${publisher.address}/list`, {
      mapping: { pages: { by: "link" } },
      full_listing: true,
      header_variable: "FEED_TENDERS",
    });
    // A process without the variable leaves the feed to others.
    assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), false);
    const feed_headers = { FEED_TENDERS: { "x-key": "secret-word" } };
    const context = refreshContext(sql, publisher, { feed_headers });
    assert.equal(await runDueFeed(context, NEVER), true);
    assert.deepEqual([heard, strangers], [["secret-word"], []]);
    const feed = await readFeed(sql);
    assert.equal(feed.last_error, `127.0.0.1: the next page is at ${stranger.address}`);
    assert.deepEqual(await shown(sql), ids(1, 2));
    const stored = JSON.stringify([await sql`select * from sources`, feed]);
    assert.ok(stored.includes("FEED_TENDERS") && !stored.includes("secret-word"));
  },
);

oneEngineTest(
  "an answer without a usable next page fails the run, and hides nothing",
  async (t) => {
    const { sql } = t;
    let next: unknown = "https://[";
    await using publisher = startPublisher(() => Response.json({ rows: rows(1, 1), next }));
    const mapping = { pages: { by: "link", path: "next" } };
    await addFeed(sql, `${publisher.address}/list`, { mapping, full_listing: true, now: at(0) });
    let days = 0;
    const context = refreshContext(sql, publisher, { now: () => at(24 * 7 * days++) });
    const errors: string[] = [];
    for (next of ["https://[", "/list", { page: 2 }, 2 ** 53]) {
      await runDueFeed(context, NEVER);
      errors.push((await readFeed(sql)).last_error);
    }
    assert.deepEqual(errors, [
      "unreadable: the address of the next page is not valid",
      "unreadable: the next page is the same page again",
      "unreadable: next: a text or a number is required",
      "unreadable: next: is a number that cannot be read exactly; a text is required",
    ]);
    assert.deepEqual(await shown(sql), ids(1, 1));
  },
);

oneEngineTest(
  "a listing that is a tenth shorter is shrinking until it recovers",
  async ({ sql }) => {
    let count = 20;
    await using publisher = startPublisher(() => Response.json({ rows: rows(1, count) }));
    await addFeed(sql, `${publisher.address}/list`, { full_listing: true, now: at(0) });
    let hours = 0;
    const context = refreshContext(sql, publisher, { now: () => at(hours++) });
    const seen: [usual: number | null, isShrinking: boolean][] = [];
    for (count of [20, 17, 17, 19, 15]) {
      await runDueFeed(context, NEVER);
      const [health] = await readFeedHealth(sql);
      seen.push([health!.usual, isShrinking(health!)]);
    }
    assert.deepEqual(seen, [[20, false], [20, true], [20, true], [19, false], [19, true]]);
    // The operator confirms the shorter listing.
    await runFeedNow(sql, { source: "tenders" }, true);
    hours = 24 * 365;
    await runDueFeed(context, NEVER);
    const [health] = await readFeedHealth(sql);
    assert.deepEqual([health!.usual, isShrinking(health!)], [15, false]);
  },
);

oneEngineTest("a feed is run instead of a source of the program with its name", async ({ sql }) => {
  await using publisher = startPublisher(() => Response.json({ rows: rows(1, 2) }));
  await addFeed(sql, `${publisher.address}/list`, { header_variable: "FEED_TENDERS" });
  const bulletins = TEST_SOURCES.get("bulletin")!;
  const sources = new Map([["tenders", { ...bulletins, name: "tenders" }]]);
  const withoutHeader = { ...refreshContext(sql, publisher), sources };
  const [listed] = await listSources(sql, withoutHeader);
  assert.equal(listed!.configured, false);
  assert.equal(await runDueFeed(withoutHeader, NEVER), false);
  const feed_headers = { FEED_TENDERS: { "x-key": "secret-word" } };
  const context = { ...refreshContext(sql, publisher, { feed_headers }), sources };
  assert.equal(await runDueFeed(context, NEVER), true);
  assert.deepEqual(publisher.asked, ["/list"]);
  assert.deepEqual(await shown(sql), ids(1, 2));
});

oneEngineTest("a run ends when its feed is removed, and the records stay", async ({ sql }) => {
  await using publisher = startPublisher(async (request) => {
    if (publisher.asked.length === 2) await removeOwnFeed(sql, "tenders");
    return await PAGED["the header Link"]![1](request);
  });
  const mapping = { pages: { by: "link" } };
  await addFeed(sql, `${publisher.address}/list`, { mapping, full_listing: true });
  assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), true);
  assert.deepEqual(publisher.asked, ["/list", "/list?page=2"]);
  assert.equal((await sql`select from source_feeds`).length, 0);
  // The answer that was being read is recorded. No further page is requested.
  assert.deepEqual(await shown(sql), ids(1, 8));
  assert.equal(await removeOwnFeed(sql, "tenders"), null);
});

serverTest("a run of a killed process is continued, and no record is gone", async (t) => {
  const { sql, url } = t;
  const hold = Promise.withResolvers<void>();
  let isHeld = false;
  await using publisher = startPublisher(async (request) => {
    if (isHeld && publisher.asked.at(-1) === "/list?page=2") await hold.promise;
    return await PAGED["the header Link"]![1](request);
  });
  const mapping = { pages: { by: "link" } };
  await addFeed(sql, `${publisher.address}/list`, { mapping, full_listing: true });
  await runDueFeed(refreshContext(sql, publisher), NEVER);
  assert.deepEqual(await shown(sql), ids(1, 11));

  isHeld = true;
  await runFeedNow(sql, { source: "tenders" }, false);
  await using child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--config", "test/deno.json", "--allow-all", "test/support/refresh_process.ts"],
    env: { DATABASE_URL: url!, ADDRESS: publisher.address },
  }).spawn();
  await eventually(
    "the process waits for the second page",
    () => Promise.resolve(publisher.asked.length === 5),
  );
  child.kill("SIGKILL");
  await child.status;
  hold.resolve();
  isHeld = false;
  assert.notEqual((await readFeed(sql)).checkpoint, null);
  assert.deepEqual(await shown(sql), ids(1, 11));

  const now = () => new Date(Date.now() + 61_000);
  assert.equal(await runDueFeed(refreshContext(sql, publisher, { now }), NEVER), true);
  const pages = ["/list", "/list?page=2", "/list?page=3"];
  assert.deepEqual(publisher.asked, [...pages, "/list", "/list?page=2", ...pages.slice(1)]);
  const { last_outcome, last_counts } = await readFeed(sql);
  assert.deepEqual([last_outcome, last_counts.unchanged, last_counts.gone], ["complete", 11, 0]);
  assert.deepEqual(await shown(sql), ids(1, 11));
});
