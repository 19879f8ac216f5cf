import assert from "node:assert/strict";
import { nameOf, readOnce } from "../../../src/search/reading/reading_cache.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";

const MORNING = new Date("2026-03-04T08:00:00Z");
const EVENING = new Date("2026-03-04T20:00:00Z");
const NEXT_DAY = new Date("2026-03-05T08:00:00Z");

Deno.test("readOnce() reads a query without a period once a day", () => {
  const reading = readOnce("road maintenance Toronto", MORNING);
  assert.deepEqual(reading, readQuery("road maintenance Toronto", MORNING));
  assert.equal(readOnce("road maintenance Toronto", EVENING), reading);
  assert.deepEqual(readOnce("road maintenance Toronto", NEXT_DAY).now, NEXT_DAY);
});

Deno.test("readOnce() reads a query with a period again at another time of the day", () => {
  for (const query of ["tenders in the last 30 days", "tenders closing in the next 3 days"]) {
    const readings = [MORNING, EVENING].map((now) => readOnce(query, now));
    assert.deepEqual(readings, [MORNING, EVENING].map((now) => readQuery(query, now)));
    assert.notDeepEqual(readings[0]!.question, readings[1]!.question);
  }
});

Deno.test("readOnce() reads a query with a period once per second", () => {
  const later = (milliseconds: number) => new Date(MORNING.getTime() + milliseconds);
  const reading = readOnce("tenders in the last 7 days", MORNING);
  assert.equal(readOnce("tenders in the last 7 days", later(999)), reading);
  assert.deepEqual(readOnce("tenders in the last 7 days", later(1_000)).now, later(1_000));
});

Deno.test("nameOf() differs by query, period and day, but not by the time of day", () => {
  const name = (query: string, now: Date) => nameOf(readQuery(query, now));
  assert.equal(name("road maintenance", MORNING), name("road maintenance", EVENING));
  assert.notEqual(name("road maintenance", MORNING), name("road maintenance", NEXT_DAY));
  assert.notEqual(name("road maintenance", MORNING), name("road repair", MORNING));
  assert.notEqual(
    name("tenders in the last 30 days", MORNING),
    name("tenders in the last 30 days", EVENING),
  );
});
