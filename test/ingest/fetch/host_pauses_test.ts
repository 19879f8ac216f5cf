/** One request at a time to a host. */
import assert from "node:assert/strict";
import type { Fetched } from "../../../src/ingest/fetch/fetcher.ts";
import { createHostPauses } from "../../../src/ingest/fetch/host_pauses.ts";
import {
  BOUNDS,
  checked,
  failureOf,
  fetcherOf,
  fetchText,
  readText,
  startHost,
} from "../../support/web.ts";

/** A clock that only waiting moves. */
function createClock() {
  let time = 0;
  const sleep = (milliseconds: number) => Promise.resolve(void (time += milliseconds));
  return { now: () => new Date(time), sleep };
}

const NEVER = new AbortController().signal;

Deno.test("take() keeps the pause between the starts of two turns of a host", async () => {
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

Deno.test("take() gives turns in order, and passes over who gave up waiting", async () => {
  const turns = createHostPauses(createClock());
  const order: string[] = [];
  const first = await turns.take("a", 0, NEVER);
  const tired = new AbortController();
  const given_up = turns.take("a", 0, tired.signal);
  const second = turns.take("a", 0, NEVER).then((end) => (order.push("second"), end()));
  const third = turns.take("a", 0, NEVER).then((end) => (order.push("third"), end()));
  tired.abort(new Error("tired"));
  await assert.rejects(given_up, new Error("tired"));
  assert.deepEqual(order, []);
  first();
  first();
  await Promise.all([second, third]);
  assert.deepEqual(order, ["second", "third"]);
});

Deno.test(
  "fetch() asks a host one at a time until a body is read, and others meanwhile",
  checked,
  async () => {
    let open = 0;
    let most = 0;
    await using host = startHost(() => {
      most = Math.max(most, ++open);
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
    const held = await fetcher.fetch({ url: host.url }, BOUNDS) as Fetched;
    const waiting = Array.from({ length: 5 }, () => fetchText(fetcher, { url: host.url }));
    assert.deepEqual(await fetchText(fetcher, { url: other.url }), {
      text: "other",
      url: `${other.url}/`,
    });
    assert.equal(host.heard.length, 1);
    assert.equal(await readText(held), "x");
    await Promise.all(waiting);
    assert.deepEqual([host.heard.length, most], [6, 1]);
  },
);

Deno.test(
  "fetch() gives up waiting for a turn in time, and a forgotten body ends its turn",
  checked,
  async () => {
    await using host = startHost(() => new Response("x"));
    const fetcher = fetcherOf([host]);
    const late = {
      fault: "timeout",
      message: "127.0.0.1: not done in time",
      temporary: true,
    };
    const held = await fetcher.fetch({ url: host.url }, BOUNDS) as Fetched;
    const short = fetchText(fetcher, { url: host.url }, { milliseconds: 100 });
    assert.deepEqual(await failureOf(short), late);
    assert.equal(await readText(held), "x");
    // Where the machine is slow it can be late by itself, which ends its turn as well.
    const forgotten = fetcher.fetch({ url: host.url }, { ...BOUNDS, milliseconds: 300 });
    await forgotten.catch(async () => assert.deepEqual(await failureOf(forgotten), late));
    assert.deepEqual(await fetchText(fetcher, { url: host.url }), {
      text: "x",
      url: `${host.url}/`,
    });
  },
);
