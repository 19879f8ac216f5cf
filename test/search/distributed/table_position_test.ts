import assert from "node:assert/strict";
import { commonPlace, readMarkers } from "../../../src/search/distributed/table_position.ts";

const ORIGIN = 12;
const FIRST_ID = 2 ** 52;
const SESSIONS = 2 ** 40;

/** Returns the row of a marker, as the engine returns it. Session 0 makes it the base marker. */
function marker(shard: number, session: number, change_seq = 0) {
  return {
    id: FIRST_ID + shard * SESSIONS + session,
    company_id: ORIGIN,
    occurred_at: change_seq,
    observed_at: 0,
    closes_at: 9,
  };
}

const shards = { shards: 2, origin: ORIGIN };
const whole = [marker(0, 0), marker(0, 5, 7), marker(1, 0), marker(1, 5, 8)];

Deno.test("readMarkers() uses the lowest marker of each shard, and requires its base marker", () => {
  const place = { change_seq: 7, id: 0, clock: 9 };
  assert.deepEqual(commonPlace(readMarkers(whole, shards)), place);
  const late = [...whole, marker(1, 6, 3)];
  assert.deepEqual(commonPlace(readMarkers(late, shards)), { ...place, change_seq: 3 });
  assert.equal(commonPlace(readMarkers(whole.slice(1), shards)), undefined);
});

Deno.test("readMarkers() trusts no shard if a marker has another format or an unknown shard", () => {
  const other_format = { ...marker(0, 5), id: Number.MAX_SAFE_INTEGER - 256 };
  for (const foreign of [other_format, marker(2, 5)]) {
    const positions = readMarkers([...whole, foreign], shards);
    assert.deepEqual(positions.map(({ followed }) => followed), [undefined, undefined]);
  }
});
