import assert from "node:assert/strict";
import { withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { runFeedNow } from "../../../src/ingest/refresh/schedule.ts";
import { countsOf } from "../../support/counts.ts";
import { oneEngineTest } from "../../support/database.ts";
import {
  bulletin,
  listing,
  NEVER,
  readFeed,
  refreshContext,
  schedule,
  shown,
  startPublisher,
} from "../../support/publisher.ts";
import { observation } from "../../support/recording.ts";

/** Returns the instant `hours` after the feed is scheduled. The feed's interval is an hour. */
const at = (hours: number) => new Date(Date.UTC(2026, 7, 1, hours));

oneEngineTest(
  "a first run stores the records, and the next is due an interval later",
  async ({ sql }) => {
    await using publisher = startPublisher(() => listing([bulletin("a"), bulletin("b")]));
    await schedule(sql, publisher, { now: at(0) });
    const context = refreshContext(sql, publisher, { now: () => at(0) });
    assert.equal(await runDueFeed(context, NEVER), true);
    assert.equal(await runDueFeed(context, NEVER), false);
    assert.deepEqual(publisher.asked, ["/all"]);
    assert.deepEqual(await shown(sql), ["a", "b"]);
    const { id, source_id, ...feed } = await readFeed(sql);
    assert.deepEqual([typeof id, typeof source_id], ["number", "number"]);
    assert.deepEqual(feed, {
      target: "",
      company: null,
      refresh_interval: feed.refresh_interval,
      due_at: at(1),
      lease_token: null,
      leased_until: null,
      validators: { url: `${publisher.address}/all` },
      run_started_at: null,
      seen_after: null,
      checkpoint: null,
      believed: false,
      failures: 0,
      last_started_at: at(0),
      last_succeeded_at: at(0),
      last_outcome: "complete",
      last_error: null,
      last_counts: { ...countsOf({ read: 2, recorded: 2 }), gone: 0 },
      usual_records: 2,
    });
    // A shorter interval applies at once. A longer one does not postpone the next run.
    for (const interval_seconds of [600, 7_200]) {
      await schedule(sql, publisher, { interval_seconds, now: at(0) });
      assert.deepEqual((await readFeed(sql)).due_at, new Date(at(0).getTime() + 600_000));
    }
  },
);

oneEngineTest(
  "a run revises a changed record, and updates only last_seen_at of an unchanged one",
  async (t) => {
    const { sql } = t;
    let hours = 0;
    const records = [bulletin("a"), bulletin("b")];
    await using publisher = startPublisher(() => listing(records));
    await schedule(sql, publisher, { now: at(0) });
    const context = refreshContext(sql, publisher, { now: () => at(hours) });
    await runDueFeed(context, NEVER);
    const before = await observation(sql, "a");
    records[1] = bulletin("b", { observed_fact: "Two halls are built." });
    hours = 1;
    await runDueFeed(context, NEVER);
    const { last_seen_at, ...after } = await observation(sql, "a");
    assert.ok(last_seen_at > before.recorded_at);
    assert.deepEqual({ ...after, last_seen_at: null }, { ...before });
    assert.equal((await observation(sql, "b")).observed_fact, "Two halls are built.");
    assert.deepEqual((await readFeed(sql)).last_counts, {
      ...countsOf({ read: 2, revised: 1, unchanged: 1 }),
      gone: 0,
    });
  },
);

oneEngineTest("an answer of 304 updates last_seen_at of all current records", async ({ sql }) => {
  let hours = 0;
  await using publisher = startPublisher((request) =>
    request.headers.get("if-none-match") === '"v1"'
      ? new Response(null, { status: 304, headers: { etag: '"v1"' } })
      : listing([bulletin("a"), bulletin("b")], { etag: '"v1"' })
  );
  await schedule(sql, publisher, { now: at(0) });
  const context = refreshContext(sql, publisher, { now: () => at(hours) });
  for (hours = 0; hours < 3; hours++) assert.equal(await runDueFeed(context, NEVER), true);
  const feed = await readFeed(sql);
  assert.equal(feed.last_outcome, "not_modified");
  assert.equal(feed.last_counts.recorded, 2);
  const { last_seen_at, recorded_at, change_seq } = await observation(sql, "b");
  assert.ok(last_seen_at > recorded_at);
  assert.equal(change_seq, (await observation(sql, "a")).change_seq);
  // A run that an operator requests sends no conditions, and reads everything.
  assert.notEqual(await runFeedNow(sql, { source: "bulletin" }, false), null);
  hours = Math.ceil((Date.now() - at(0).getTime()) / 3_600_000);
  await runDueFeed(context, NEVER);
  assert.equal((await readFeed(sql)).last_outcome, "complete");
});

oneEngineTest(
  "a missing record counts as gone until the source lists it again",
  async ({ sql }) => {
    let hours = 0;
    let records = [bulletin("a"), bulletin("b"), bulletin("c")];
    await using publisher = startPublisher(() => listing(records));
    await schedule(sql, publisher, { now: at(0) });
    const context = refreshContext(sql, publisher, { now: () => at(hours++) });
    await runDueFeed(context, NEVER);
    const before = await observation(sql, "a");
    await withdrawObservation(sql, (await observation(sql, "c")).id);

    [records, hours] = [[bulletin("b")], 5];
    await runDueFeed(context, NEVER);
    assert.deepEqual(await shown(sql), ["b"]);
    assert.equal((await readFeed(sql)).last_counts.gone, 1);
    const gone = await observation(sql, "a");
    assert.ok(gone.gone_at instanceof Date);
    assert.equal(gone.withdrawn_at, null);
    assert.ok(gone.change_seq > before.change_seq);
    // A record that an operator withdrew does not count as gone.
    assert.equal((await observation(sql, "c")).gone_at, null);

    [records, hours] = [[bulletin("a"), bulletin("b"), bulletin("c")], 10];
    await runDueFeed(context, NEVER);
    assert.deepEqual(await shown(sql), ["a", "b"]);
    const back = await observation(sql, "a");
    assert.deepEqual([back.id, back.gone_at, back.last_seen_at], [before.id, null, null]);
    assert.ok(back.recorded_at > gone.recorded_at && back.change_seq > gone.change_seq);
    assert.deepEqual((await readFeed(sql)).last_counts, {
      ...countsOf({ read: 3, revised: 1, unchanged: 2 }),
      gone: 0,
    });
  },
);

oneEngineTest(
  "a run hides more than half of the records only if an operator confirms it",
  async ({ sql }) => {
    let hours = 0;
    let records = Array.from({ length: 82 }, (_, n) => bulletin(`r${n}`));
    await using publisher = startPublisher(() => listing(records, { etag: `"${records.length}"` }));
    await schedule(sql, publisher, { now: at(0) });
    const context = refreshContext(sql, publisher, { now: () => at(hours) });
    await runDueFeed(context, NEVER);
    // 41 of 82 records are missing. That is more than 20, but not more than half.
    [records, hours] = [records.slice(0, 41), 1];
    await runDueFeed(context, NEVER);
    assert.equal((await shown(sql)).length, 41);
    // 21 of 41 records are missing. That is more than 20, and more than half.
    [records, hours] = [records.slice(0, 20), 2];
    await runDueFeed(context, NEVER);
    const feed = await readFeed(sql);
    assert.equal(feed.last_outcome, "suspicious");
    assert.equal(feed.last_error, "21 of 41 records were missing: too many to believe");
    // The listing of 41 is shrinking, so the usual number is that of the first one.
    assert.deepEqual([feed.validators, feed.usual_records], [null, 82]);
    assert.equal((await shown(sql)).length, 41);
    await runFeedNow(sql, { source: "bulletin" }, true);
    hours = Math.ceil((Date.now() - at(0).getTime()) / 3_600_000);
    await runDueFeed(context, NEVER);
    assert.equal((await shown(sql)).length, 20);
    const { believed, usual_records } = await readFeed(sql);
    assert.deepEqual([believed, usual_records], [false, 20]);
    // 20 of 21 records are missing. A run that rejects none may hide up to 20.
    [records, hours] = [[bulletin("new")], hours + 2];
    await runDueFeed(context, NEVER);
    assert.deepEqual(await shown(sql), ["new"]);
    // An empty answer may also be a fault of the publisher.
    [records, hours] = [[], hours + 2];
    await runDueFeed(context, NEVER);
    assert.deepEqual(await shown(sql), ["new"]);
    assert.equal((await readFeed(sql)).last_outcome, "suspicious");
    await runFeedNow(sql, { source: "bulletin" }, true);
    await runDueFeed(context, NEVER);
    assert.deepEqual(await shown(sql), []);
  },
);

oneEngineTest(
  "a run with rejected records does not hide more than half, even if only few are missing",
  async ({ sql }) => {
    let hours = 0;
    let answer = () => listing([bulletin("a"), bulletin("b"), bulletin("c")]);
    await using publisher = startPublisher(() => answer());
    await schedule(sql, publisher, { now: at(0) });
    const counted: unknown[] = [];
    const metrics = { sourceRecords: (...one: unknown[]) => void counted.push(one) };
    const context = { ...refreshContext(sql, publisher, { now: () => at(hours++) }), metrics };
    await runDueFeed(context, NEVER);
    // The source has changed its format.
    answer = () => new Response('{"id": "a"}\n{"id": "b"}\n{"id": "c"}\n');
    await runDueFeed(context, NEVER);
    const { last_outcome, last_error } = await readFeed(sql);
    assert.equal(last_outcome, "suspicious");
    assert.equal(last_error, "3 of 3 records were missing: too many to believe");
    assert.deepEqual(await shown(sql), ["a", "b", "c"]);
    // In spite of a rejected record, a run hides one missing record of three: less than half.
    answer = () =>
      new Response(
        `{"id": "x"}\n${["a", "b"].map((id) => JSON.stringify(bulletin(id))).join("\n")}`,
      );
    await runDueFeed(context, NEVER);
    assert.deepEqual(await shown(sql), ["a", "b"]);
    const counts = { recorded: 0, revised: 0, unchanged: 2, rejected: 1, left_out: 0 };
    assert.deepEqual(counted.at(-1), ["bulletin", counts]);
  },
);

oneEngineTest(
  "a run that is requested during another run follows it, and reads everything",
  async ({ sql }) => {
    const requested = Promise.withResolvers<void>();
    await using publisher = startPublisher(async (request) => {
      if (publisher.asked.length === 1) {
        await runFeedNow(sql, { source: "bulletin" }, true);
        requested.resolve();
      }
      return request.headers.has("if-none-match")
        ? new Response(null, { status: 304 })
        : listing([bulletin("a")], { etag: '"v1"' });
    });
    await schedule(sql, publisher);
    const context = refreshContext(sql, publisher);
    assert.equal(await runDueFeed(context, NEVER), true);
    await requested.promise;
    assert.equal((await readFeed(sql)).believed, true);
    assert.equal(await runDueFeed(context, NEVER), true);
    const { last_outcome, last_counts } = await readFeed(sql);
    assert.deepEqual([last_outcome, last_counts.unchanged], ["complete", 1]);
    assert.equal(await runDueFeed(context, NEVER), false);
  },
);

oneEngineTest("missing records that have expired do not make a run suspicious", async ({ sql }) => {
  let hours = 0;
  const expires_at = new Date(Date.now() - 1_000).toISOString();
  let records = Array.from({ length: 30 }, (_, n) => bulletin(`r${n}`, { expires_at }));
  records.push(bulletin("current"));
  await using publisher = startPublisher(() => listing(records));
  await schedule(sql, publisher, { now: at(0) });
  // The clock of the schedule also determines which records have expired.
  const context = refreshContext(sql, publisher, {
    now: () => new Date(Date.now() + 3_600_000 * hours),
  });
  await runDueFeed(context, NEVER);
  [records, hours] = [[bulletin("current")], 1.1];
  await runDueFeed(context, NEVER);
  const { last_outcome, last_counts } = await readFeed(sql);
  assert.deepEqual([last_outcome, last_counts.gone], ["complete", 0]);
  assert.deepEqual(await shown(sql), ["current"]);
});
