import assert from "node:assert/strict";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { outcomesOf, readSource, recordOf } from "../../support/reading.ts";
import { csv } from "../../support/toronto_solicitations.ts";

Deno.test("toronto keeps only the row with the latest deadline of a solicitation", async () => {
  const number = "Notice4447613860";
  const issued = "2026-08-07 00:00:00";
  const later = { number: number.toUpperCase(), issued, deadline: "2026-09-20" };
  const others = Array.from({ length: 500 }, () => ({}));
  const entries = await readSource(
    toronto,
    csv({ number }, ...others, later, { number, issued: "2026-08-05", deadline: "2026-09-02" }),
  );
  const lines = (outcome: RegExp) =>
    outcomesOf(entries).filter(([, reason]) => outcome.test(reason)).map(([line]) => line);
  assert.deepEqual(lines(/^left out: an earlier deadline of a repeated solicitation/), [2, 504]);
  const rows = entries.filter(({ judged }) => "record" in judged).map(recordOf)
    .filter(({ external_id }) => external_id.startsWith(number));
  assert.deepEqual(rows.map(({ external_id, expires_at }) => [external_id, expires_at]), [
    [`${number}:2026-08-07`, "2026-09-21T03:59:59.000Z"],
  ]);
  // All entries are yielded in the order of the file.
  assert.deepEqual(entries.map(({ line }) => line), Array.from({ length: 503 }, (_, at) => at + 2));
});

Deno.test("toronto keeps the first of rows with equal deadlines, and a later solicitation of the number", async () => {
  const number = "3580115515";
  const entries = await readSource(
    toronto,
    csv(
      { number, description: "Carpentry" },
      { number, description: "Carpentry again" },
      { number, issued: "2026-09-04", deadline: "2026-12-12", description: "Shelter managers" },
      { number, issued: "2026-01-05", deadline: "2026-02-01", description: "Early carpentry" },
    ),
  );
  const kept = entries.filter(({ judged }) => "record" in judged).map(recordOf);
  assert.deepEqual(kept.map(({ texts }) => texts[0]!.split("\n")[0]), [
    "Carpentry",
    "Shelter managers",
    "Early carpentry",
  ]);
});
