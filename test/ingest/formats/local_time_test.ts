import assert from "node:assert/strict";
import { instantInZone, zoneOfState } from "../../../src/ingest/formats/local_time.ts";

Deno.test("instantInZone() follows summer time", () => {
  const cases: [string, string, string, string | undefined][] = [
    ["America/Toronto", "2026-07-01", "16:00:00", "2026-07-01T20:00:00.000000Z"],
    ["America/Toronto", "2026-12-01", "16:00:00", "2026-12-01T21:00:00.000000Z"],
    ["America/Phoenix", "2026-07-01", "16:00:00", "2026-07-01T23:00:00.000000Z"],
    // Clocks in Toronto skip 02:30 on 8 March, and show 01:30 twice on 1 November.
    ["America/Toronto", "2026-03-08", "02:30:00", "2026-03-08T07:30:00.000000Z"],
    ["America/Toronto", "2026-11-01", "01:30:00", "2026-11-01T05:30:00.000000Z"],
    ["America/Toronto", "9999-12-31", "23:59:59", "9999-12-31T23:59:59.000000Z"],
    ["America/Toronto", "2026-02-30", "16:00:00", undefined],
    ["America/Toronto", "2026-02-03", "25:00:00", undefined],
  ];
  for (const [zone, date, time, instant] of cases) {
    assert.equal(instantInZone(zone, date, time), instant, `${zone} ${date} ${time}`);
  }
});

Deno.test("zoneOfState() returns Eastern time for codes that are not states", () => {
  const zones = ["TX", "hi", "AZ", "NY", "AP", ""].map(zoneOfState);
  assert.deepEqual(zones.slice(0, 3), ["America/Chicago", "Pacific/Honolulu", "America/Phoenix"]);
  assert.deepEqual(zones.slice(3), Array(3).fill("America/New_York"));
});
