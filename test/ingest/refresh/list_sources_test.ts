import assert from "node:assert/strict";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { listSources } from "../../../src/ingest/refresh/schedule.ts";
import { countsOf } from "../../support/counts.ts";
import { oneEngineTest } from "../../support/database.ts";
import {
  bulletin,
  listing,
  NEVER,
  refreshContext,
  schedule,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";

const START = new Date("2026-08-01T00:00:00Z");

oneEngineTest(
  "listSources() returns every source with its terms and its feeds",
  async ({ sql }) => {
    await using publisher = startPublisher(() => listing([bulletin("a")]));
    await schedule(sql, publisher, { now: START });
    const context = refreshContext(sql, publisher, { now: () => START });
    await runDueFeed(context, NEVER);
    // A feed whose lease has run out is not running.
    await sql`
      update source_feeds set
        lease_token = gen_random_uuid(),
        leased_until = now() - interval '1 second'
    `;
    const list = () => listSources(sql, { sources: TEST_SOURCES, keyOf: context.keyOf });
    const listed = await list();
    assert.deepEqual(listed.map(({ name, configured }) => [name, configured]), [
      ["boards", true],
      ["bulletin", true],
      ["filed", false],
      ["locked", false],
    ]);
    const { last_recorded_at, ...rest } = listed[1]!;
    assert.ok(Date.parse(last_recorded_at!) > 0);
    assert.deepEqual(rest, {
      name: "bulletin",
      title: "Bulletin",
      licence: "None",
      attribution: "The bulletin",
      permitted: true,
      configured: true,
      address: publisher.address,
      own_feed: null,
      observations: 1,
      gone: 0,
      newest_at: "2026-03-01T00:00:00.000Z",
      hostname_interval_seconds: null,
      asked_in_searches: false,
      feeds: [{
        id: 1,
        target: null,
        interval_seconds: 3600,
        due_at: "2026-08-01T01:00:00.000Z",
        running: false,
        last_started_at: "2026-08-01T00:00:00.000Z",
        last_succeeded_at: "2026-08-01T00:00:00.000Z",
        last_outcome: "complete",
        last_error: null,
        failures: 0,
        counts: { ...countsOf({ read: 1, recorded: 1 }), gone: 0 },
      }],
    });
    assert.deepEqual(listed[3]!.feeds, []);
    // An undated record counts by the time of its observation.
    await sql`update observations set kind = 'company_profile', occurred_at = null`;
    await sql`update source_feeds set leased_until = now() + interval '1 minute'`;
    const { newest_at, feeds: [feed] } = (await list())[1]!;
    assert.deepEqual([newest_at, feed!.running], ["2026-03-02T09:00:00.000Z", true]);
  },
);
