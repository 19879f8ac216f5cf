/** Tests that a host gets one request at a time, with a pause between two requests. */
import assert from "node:assert/strict";
import type { Fetched } from "../../../src/ingest/fetch/fetcher.ts";
import { createHostPauses } from "../../../src/ingest/fetch/host_pauses.ts";
import {
  BOUNDS,
  checkedTest,
  failureOf,
  fetcherOf,
  fetchText,
  readText,
  startHost,
} from "../../support/web.ts";

/** Returns a clock that advances only by `sleep`. */
function createClock() {
  let time = 0;
  const sleep = (milliseconds: number) => Promise.resolve(void (time += milliseconds));
  return { now: () => new Date(time), sleep };
}

const NEVER = new AbortController().signal;

Deno.test("take() waits for the pause between the starts of two turns of a host", async () => {
  const clock = createClock();
  const turns = createHostPauses(clock);
  const started: number[] = [];
  for (const worked of [0, 300, 5_000, 0]) {
    const end = await turns.take("a", 1_000, NEVER);
    started.push(clock.now().getTime());
    await clock.sleep(worked);
    end();
  }
  assert.deepEqual(started, [0, 1_000, 2_000, 7_000]);
  (await turns.take("b", 1_000, NEVER))();
  assert.equal(clock.now().getTime(), 7_000);
});

Deno.test("take() gives turns in order, and skips a caller that stopped waiting", async () => {
  const turns = createHostPauses(createClock());
  const order: string[] = [];
  const first = await turns.take("a", 0, NEVER);
  const impatient = new AbortController();
  const given_up = turns.take("a", 0, impatient.signal);
  const second = turns.take("a", 0, NEVER).then((end) => (order.push("second"), end()));
  const third = turns.take("a", 0, NEVER).then((end) => (order.push("third"), end()));
  // Remembering many other hosts does not let a second request to a busy host pass.
  for (let n = 0; n < 1_100; n++) (await turns.take(`other${n}`, 0, NEVER))();
  const late = turns.take("a", 0, NEVER).then((end) => (order.push("late"), end()));
  impatient.abort(new Error("stopped waiting"));
  await assert.rejects(given_up, new Error("stopped waiting"));
  assert.deepEqual(order, []);
  first();
  first();
  await Promise.all([second, third, late]);
  assert.deepEqual(order, ["second", "third", "late"]);
});

checkedTest(
  "fetch() waits until the previous body of a host is read, but not for other hosts",
  async () => {
    let open = 0;
    let maxOpen = 0;
    await using host = startHost(() => {
      maxOpen = Math.max(maxOpen, ++open);
      return new Response(
        new ReadableStream({
          async pull(controller) {
            await Promise.resolve();
            open--;
            controller.enqueue(new TextEncoder().encode("x"));
            controller.close();
          },
        }, { highWaterMark: 0 }),
      );
    });
    await using other = startHost(() => new Response("other"));
    const fetcher = fetcherOf([host, other]);
    const unread = await fetcher.fetch({ url: host.url }, BOUNDS) as Fetched;
    const waiting = Array.from({ length: 5 }, () => fetchText(fetcher, { url: host.url }));
    assert.deepEqual(await fetchText(fetcher, { url: other.url }), {
      text: "other",
      url: `${other.url}/`,
    });
    assert.equal(host.heard.length, 1);
    assert.equal(await readText(unread), "x");
    await Promise.all(waiting);
    assert.deepEqual([host.heard.length, maxOpen], [6, 1]);
  },
);

checkedTest(
  "fetch() times out while it waits for a turn, and an unread body ends its turn",
  async () => {
    await using host = startHost(() => new Response("x"));
    const fetcher = fetcherOf([host]);
    const late = { fault: "timeout", message: "127.0.0.1: not done in time", temporary: true };
    const unread = await fetcher.fetch({ url: host.url }, BOUNDS) as Fetched;
    const short = fetchText(fetcher, { url: host.url }, { milliseconds: 100 });
    assert.deepEqual(await failureOf(short), late);
    assert.equal(await readText(unread), "x");
    // On a slow machine, this fetch may time out before its answer. That ends its turn, too.
    const neverRead = fetcher.fetch({ url: host.url }, { ...BOUNDS, milliseconds: 300 });
    await neverRead.catch(async () => assert.deepEqual(await failureOf(neverRead), late));
    assert.deepEqual(await fetchText(fetcher, { url: host.url }), {
      text: "x",
      url: `${host.url}/`,
    });
  },
);
