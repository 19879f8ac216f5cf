import assert from "node:assert/strict";
import { formD } from "../../../src/ingest/sources/form_d/form_d.ts";

Deno.test("form_d requests the last quarter that should be published", () => {
  const { address, request } = formD.remote!;
  const quarters = ["2026-01-30", "2026-01-31", "2026-04-29", "2026-05-02", "2026-12-31"].map(
    (day) => request(address, { now: new Date(`${day}T00:00:00Z`) }).url.split("/").at(-1),
  );
  assert.deepEqual(quarters, [
    "2025q3_d.zip",
    "2025q4_d.zip",
    "2025q4_d.zip",
    "2026q1_d.zip",
    "2026q3_d.zip",
  ]);
  assert.deepEqual(request(address, { now: new Date("2024-06-01T00:00:00Z") }), {
    url: "https://www.sec.gov/files/structureddata/data/form-d-data-sets/2024q1_d.zip",
    accept: "application/zip",
  });
});
