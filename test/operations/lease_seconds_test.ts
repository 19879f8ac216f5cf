/** Adds up the time-outs between the claim and the settlement of an operation. */
import assert from "node:assert/strict";
import { ACQUISITION_MILLISECONDS_MAX } from "../../src/config.ts";
import {
  DEADLINE_GRACE_SECONDS,
  STATEMENT_TIMEOUT_SECONDS,
  WAIT_SECONDS,
} from "../../src/db/connect.ts";
import { OPERATION_LEASE_SECONDS } from "../../src/operations/claim.ts";
import { TURN_WAIT_SECONDS } from "../../src/operations/turns.ts";
import { REFRESH_MILLISECONDS } from "../../src/search/searches.ts";
import { ANSWER_MILLISECONDS } from "../../src/search/embeddings/embeddings.ts";
import { PLANNING_MILLISECONDS } from "../../src/search/planning/model_planner.ts";

Deno.test("a lease is longer than the slowest work and its settlement", () => {
  const perform = PLANNING_MILLISECONDS +
    // The search is repeated after an acquisition.
    2 * ANSWER_MILLISECONDS + ACQUISITION_MILLISECONDS_MAX + REFRESH_MILLISECONDS;
  const statement = WAIT_SECONDS + STATEMENT_TIMEOUT_SECONDS + DEADLINE_GRACE_SECONDS;
  assert.equal(TURN_WAIT_SECONDS + perform / 1000 + statement, 45);
  assert.ok(OPERATION_LEASE_SECONDS > 45);
});
