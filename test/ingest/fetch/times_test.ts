/** Tests when fetch() times out, retries and waits. */
import assert from "node:assert/strict";
import type { Fetched } from "../../../src/ingest/fetch/fetcher.ts";
import {
  BOUNDS,
  checkedTest,
  failureOf,
  fetcherOf,
  fetchText,
  startHost,
  startRawHost,
} from "../../support/web.ts";

const HEAD = "HTTP/1.1 200 OK\r\n";
const NOW = new Date("2026-03-01T12:00:00Z");

const late = { fault: "timeout", message: "127.0.0.1: not done in time", temporary: true };
const silent = { fault: "timeout", message: "127.0.0.1: sends nothing", temporary: true };

/** Returns a `sleep` that records the milliseconds and does not wait. */
function recordWaits(): { waits: number[]; sleep: (milliseconds: number) => Promise<void> } {
  const waits: number[] = [];
  return { waits, sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)) };
}

/** Starts a host that gives these answers in turn, and repeats the last. A number is a status. */
function startScript(...answers: (number | Response)[]) {
  return startHost(() => {
    const next = answers.length > 1 ? answers.shift()! : answers[0]!;
    return typeof next === "number" ? new Response(null, { status: next }) : next.clone();
  });
}

checkedTest("fetch() times out while a host sends headers or a body too slowly", async () => {
  for (const start of [HEAD, HEAD + "\r\n"]) {
    await using host = startRawHost(async ({ write, hungUp }) => {
      await write(start);
      let over = false;
      hungUp.then(() => over = true);
      while (!over) {
        await write("x");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    const started = performance.now();
    const fetching = fetchText(fetcherOf([host]), { url: host.url }, { milliseconds: 300 });
    assert.deepEqual(await failureOf(fetching), late);
    // This is less than the time-out of a silent host, which is 30 seconds.
    assert.ok(performance.now() - started < 20_000);
  }
});

checkedTest("fetch() gives up on a silent host long before its total time-out", async () => {
  for (const start of ["", HEAD, HEAD + "\r\nabc"]) {
    await using host = startRawHost(async ({ write, hungUp }) => {
      await write(start);
      await hungUp;
    });
    const fetcher = fetcherOf([host], { stall_milliseconds: 150 });
    const fetching = fetchText(fetcher, { url: host.url }, { milliseconds: 60_000 });
    assert.deepEqual(await failureOf(fetching), silent);
  }
});

checkedTest("fetch() retries a silent host", async () => {
  await using host = startRawHost(async ({ earlier, write, hungUp }) => {
    if (earlier === 0) await hungUp;
    else await write(HEAD + "Content-Length: 2\r\n\r\nok");
  });
  const fetcher = fetcherOf([host], { stall_milliseconds: 150 });
  // On a slow machine, later answers may also be too late.
  const bounds = { attempts: 50, milliseconds: 600_000 };
  const outcome = await fetchText(fetcher, { url: host.url }, bounds);
  assert.deepEqual(outcome, { text: "ok", url: `${host.url}/` });
});

checkedTest("fetch() ends at once when its caller aborts, before and within the body", async () => {
  for (const start of ["", HEAD + "\r\nabc"]) {
    const caller = new AbortController();
    await using host = startRawHost(async ({ write, hungUp }) => {
      await write(start);
      setTimeout(() => caller.abort(new Error("the process stops")), 50);
      await hungUp;
    });
    const read = async () => {
      const bounds = { ...BOUNDS, attempts: 5 };
      const outcome = await fetcherOf([host]).fetch({ url: host.url }, bounds, caller.signal);
      for await (const _ of (outcome as Fetched).body);
    };
    await assert.rejects(read, new Error("the process stops"));
    assert.equal(host.heard.length, 1);
  }
  const over = AbortSignal.abort(new Error("never began"));
  await assert.rejects(
    fetcherOf([]).fetch({ url: "https://acme.example" }, BOUNDS, over),
    new Error("never began"),
  );
});

checkedTest("fetch() retries temporary failures with growing waits", async () => {
  const { waits, sleep } = recordWaits();
  await using host = startScript(500, 502, 504, 503, 429, new Response("well"));
  const outcome = await fetchText(
    fetcherOf([host], { sleep, random: () => 0.5 }),
    { url: host.url },
    { attempts: 6, milliseconds: 60_000 },
  );
  assert.deepEqual(outcome, { text: "well", url: `${host.url}/` });
  assert.deepEqual(waits, [375, 750, 1_500, 3_000, 6_000]);
});

checkedTest(
  "fetch() gives up after its last attempt, and at once after a permanent failure",
  async () => {
    const cases: [number, number, boolean][] = [
      [500, 3, true],
      [503, 3, true],
      [400, 1, false],
      [401, 1, false],
      [403, 1, false],
      [404, 1, false],
      [410, 1, false],
      [501, 1, false],
      [204, 1, false],
      [304, 1, false],
    ];
    for (const [http_status, attempts, temporary] of cases) {
      await using host = startScript(http_status);
      const fetching = fetchText(fetcherOf([host]), { url: `${host.url}/?q=secret` }, {
        attempts: 3,
      });
      assert.deepEqual(await failureOf(fetching), {
        fault: "http_status",
        message: `127.0.0.1: answered ${http_status}`,
        http_status,
        temporary,
      });
      assert.equal(host.heard.length, attempts, `${http_status}`);
    }
  },
);

checkedTest("fetch() waits for Retry-After if that is before its time-out", async () => {
  const { waits, sleep } = recordWaits();
  const ask = (status: number, value: string) =>
    new Response(null, { status, headers: { "retry-after": value } });
  await using host = startScript(
    ask(429, "5"),
    ask(503, "Sun, 01 Mar 2026 12:00:07 GMT"),
    ask(503, "Sun, 01 Mar 2026 11:00:00 GMT"),
    ask(503, "soon"),
    ask(500, "9"),
    ask(429, "1"),
    new Response("well"),
  );
  const fetcher = fetcherOf([host], { sleep, now: () => NOW, random: () => 1 });
  await fetchText(fetcher, { url: host.url }, { attempts: 7, milliseconds: 60_000 });
  assert.deepEqual(waits, [5_000, 7_000, 2_000, 4_000, 8_000, 16_000]);
});

checkedTest(
  "fetch() fails with the time of Retry-After if that is after its time-out",
  async () => {
    const cases: [string, string][] = [
      ["11", "2026-03-01T12:00:11Z"],
      ["Sun, 01 Mar 2026 13:00:00 GMT", "2026-03-01T13:00:00Z"],
      ["99999999999999999999", "2026-03-02T12:00:00Z"],
    ];
    for (const [value, retry_at] of cases) {
      await using host = startScript(
        new Response(null, { status: 429, headers: { "retry-after": value } }),
      );
      const fetcher = fetcherOf([host], { now: () => NOW });
      const bounds = { attempts: 5, milliseconds: 10_000 };
      assert.deepEqual(
        await failureOf(fetchText(fetcher, { url: host.url }, bounds)),
        {
          fault: "http_status",
          message: "127.0.0.1: answered 429",
          http_status: 429,
          retry_at: new Date(retry_at),
          temporary: true,
        },
      );
      assert.equal(host.heard.length, 1);
    }
  },
);

checkedTest("fetch() sends conditions, and returns 304 for an unchanged body", async () => {
  await using host = startHost(({ headers }) =>
    ['"v1"', null].includes(headers.get("if-none-match")) &&
      headers.get("if-modified-since") === "Sun, 01 Mar 2026 12:00:00 GMT"
      ? new Response(null, { status: 304 })
      : new Response("new")
  );
  const fetcher = fetcherOf([host]);
  const last_modified = "Sun, 01 Mar 2026 12:00:00 GMT";
  const request = { url: host.url, last_modified };
  assert.equal(await fetchText(fetcher, { ...request, etag: '"v1"' }), 304);
  assert.equal(await fetchText(fetcher, request), 304);
  assert.deepEqual(await fetchText(fetcher, { ...request, etag: '"v0"' }), {
    text: "new",
    url: `${host.url}/`,
  });
});
