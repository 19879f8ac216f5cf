import assert from "node:assert/strict";
import { ADMITTED_MAX, type QueuePlace, Turns } from "../../src/operations/turns.ts";

const BUSY = 1;
const CALM = 2;

/** Lets all promises that can already be resolved resolve. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

function enter(turns: Turns, subscription_id: number): QueuePlace {
  const place = turns.enter(subscription_id);
  assert.ok(place !== undefined);
  return place;
}

Deno.test("Turns gives two turns of a subscription at once, and the others in order", async () => {
  const turns = new Turns();
  const places = Array.from({ length: 5 }, () => enter(turns, BUSY));
  const started: number[] = [];
  places.forEach((place, at) => void place.turn().then(() => started.push(at)));
  await settled();
  assert.deepEqual(started, [0, 1]);
  // A request that leaves without a turn passes none on.
  enter(turns, BUSY)[Symbol.dispose]();
  await settled();
  assert.deepEqual(started, [0, 1]);
  places[1]![Symbol.dispose]();
  await settled();
  assert.deepEqual(started, [0, 1, 2]);
  places[0]![Symbol.dispose]();
  places[2]![Symbol.dispose]();
  await settled();
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
  places[3]![Symbol.dispose]();
  places[4]![Symbol.dispose]();
});

Deno.test("Turns lets no subscription wait for another", async () => {
  const turns = new Turns();
  for (let n = 0; n < 2; n++) await enter(turns, BUSY).turn();
  await enter(turns, CALM).turn();
});

Deno.test("Turns admits a bounded number of requests of a subscription", () => {
  const turns = new Turns();
  const places = Array.from({ length: ADMITTED_MAX }, () => enter(turns, BUSY));
  assert.equal(turns.enter(BUSY), undefined);
  enter(turns, CALM);
  // A request that needs no turn leaves its place, too.
  places[0]![Symbol.dispose]();
  enter(turns, BUSY);
  assert.equal(turns.enter(BUSY), undefined);
});

Deno.test("Turns refuses who waits too long, and passes the turn on to the next", async () => {
  const turns = new Turns(1);
  const first = enter(turns, BUSY);
  await first.turn();
  await enter(turns, BUSY).turn();
  const late = enter(turns, BUSY);
  await assert.rejects(late.turn(), { code: "unavailable" });
  late[Symbol.dispose]();
  first[Symbol.dispose]();
  await enter(turns, BUSY).turn();
});
