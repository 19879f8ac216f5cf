/** Listings are in the order of recording. It differs from the order of ids after a revision. */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

const PATH = "/api/observations?domains[]=north.example";
const company = { name: "North", domains: ["north.example"] };

oneEngineTest("the pages of a listing follow the order of recording, not of ids", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const ids: Record<string, number> = {};
  // The first two observations are revised, so they come after the third.
  for (const external_id of ["a", "b", "c", "a", "b"]) {
    const observed_fact = `Hall ${external_id} is built${
      external_id in ids ? ", and larger" : ""
    }.`;
    // The first observation has no hostname until the second gives one, and is then listed again.
    const named = "a" in ids ? company : { name: "North" };
    const [one] = await record(sql, [{ company: named, external_id, observed_fact }]);
    ids[external_id] = one!.observation_id;
  }
  await withApp(db, async ({ ask }) => {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const path = `${PATH}&since=2020-01-01T00:00:00Z&limit=1`;
      const { body } = await ask(cursor === null ? path : `${path}&cursor=${cursor}`, {
        key,
        request_key: `after ${cursor}`,
      });
      seen.push(...body.observations.map(({ id }: { id: number }) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, [ids.c, ids.a, ids.b]);
  });
});

oneEngineTest("a listing starts strictly after the time of `since`", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [first] = await record(sql, [{ company }]);
  const [second] = await record(sql, [{ company }]);
  const rows = await sql<{ recorded_at: Date }[]>`select recorded_at from observations order by id`;
  const moment = rows[0]!.recorded_at.getTime();
  await withApp(db, async ({ ask }) => {
    const listed = async (since: number) => {
      const { body } = await ask(`${PATH}&since=${new Date(since).toISOString()}`, {
        key,
        request_key: `since ${since}`,
      });
      return body.observations.map(({ id }: { id: number }) => id);
    };
    assert.deepEqual(await listed(moment), [second!.observation_id]);
    assert.deepEqual(await listed(moment - 1), [first!.observation_id, second!.observation_id]);
  });
});
