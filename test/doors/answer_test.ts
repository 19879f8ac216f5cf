import assert from "node:assert/strict";
import { replyFacts } from "../../src/doors/answer.ts";

Deno.test("replyFacts() states the limits, the rest and the seconds of window and week", () => {
  const allowance = {
    window_seconds: 3_600,
    window_limit: 120,
    window_remaining: 119,
    window_resets_in_seconds: 1_234,
    weekly_limit: 2_000,
    weekly_remaining: 1_990,
    week_resets_in_seconds: 98_765,
  };
  assert.deepEqual(replyFacts({ allowance }), {
    "RateLimit-Policy": '"window";q=120;w=3600, "week";q=2000;w=604800',
    "RateLimit": '"window";r=119;t=1234, "week";r=1990;t=98765',
  });
});
