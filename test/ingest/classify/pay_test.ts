import assert from "node:assert/strict";
import { type Pay, payIn, payOfText } from "../../../src/ingest/classify/pay.ts";

const perHour = (min: number, max: number): Pay => ({ min, max, currency: "CAD", period: "hour" });

Deno.test("payIn() joins the figures of one period and currency", () => {
  const yearly: Pay = { min: 60_000, max: 80_000, currency: "CAD", period: "year" };
  const foreign: Pay = { min: 90, max: 95, currency: "USD", period: "hour" };
  const pays = [perHour(30, 40), yearly, foreign, perHour(35, 50)];
  assert.deepEqual(payIn("CA", pays, { isOnlyCountry: true }), perHour(30, 50));
  // Pay in another currency is that of the only country, but not that of one country of several.
  assert.deepEqual(payIn("CA", [foreign], { isOnlyCountry: true }), foreign);
  assert.equal(payIn("CA", [foreign], { isOnlyCountry: false }), undefined);
  const euros = { ...foreign, currency: "EUR" };
  assert.equal(payIn("CA", [foreign, euros], { isOnlyCountry: true }), undefined);
});

Deno.test("payOfText() multiplies both figures if only the second one has a K", () => {
  const pay = { min: 120_000, max: 150_000, currency: "USD", period: "year" };
  assert.deepEqual(payOfText("Salary: $120-150K", "US"), [pay]);
});
