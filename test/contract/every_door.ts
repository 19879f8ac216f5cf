/** Sends each call through several doors, and compares their answers. */
import assert from "node:assert/strict";
import type { Call, Door, DoorAnswer } from "../support/calls.ts";

/**
 * Combines several doors into one. The combined door sends a call through all doors that support
 * the action, and asserts that their answers agree. It returns the first answer. The doors take
 * turns to be first.
 */
export function everyDoor(...doors: Door[]): Door {
  let calls = 0;
  return Object.assign(async (call: Call): Promise<DoorAnswer> => {
    const turn = calls++ % doors.length;
    const [door, ...others] = [...doors.slice(turn), ...doors.slice(0, turn)]
      .filter((one) => one.supports(call.action));
    const first = await door!(call);
    for (const other of others) {
      assertSame(first, await other(call), JSON.stringify(call).slice(0, 300));
    }
    return first;
  }, { supports: (action: Call["action"]) => doors.some((door) => door.supports(action)) });
}

function assertSame(first: DoorAnswer, again: DoorAnswer, claim: string): void {
  if (first.status === 202) {
    // The operation may end between the two answers, so only its id is compared.
    assert.equal(again.body.usage.id, first.body.usage.id, claim);
    return;
  }
  assert.equal(again.status, first.status, claim);
  assert.equal(JSON.stringify(timeless(again.body)), JSON.stringify(timeless(first.body)), claim);
  if (first.replayed) assert.equal(again.replayed, true, claim);
}

/** Removes `retry_after_seconds`, because a second may pass between two refusals. */
// deno-lint-ignore no-explicit-any -- any body
function timeless(body: any): unknown {
  const { retry_after_seconds: _, ...error } = body.error ?? {};
  return body.error === undefined ? body : { ...body, error };
}
