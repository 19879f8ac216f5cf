import assert from "node:assert/strict";
import { FREE_READS, MAX_BODY_BYTES, MIN_READ_BYTES, readBody } from "../../src/doors/request.ts";

interface Chunked {
  request: Request;
  /** Number of pulled chunks, and whether the stream was cancelled. */
  state: { pulls: number; cancelled: boolean };
}

/** Returns a request whose stream gives chunks only on demand, or never for "silence". */
function chunked(chunks: Iterable<Uint8Array> | "silence"): Chunked {
  const state = { pulls: 0, cancelled: false };
  const rest = chunks === "silence" ? undefined : chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      state.pulls++;
      if (rest === undefined) return new Promise(() => {});
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      state.cancelled = true;
    },
  }, { highWaterMark: 0 });
  return { request: new Request("http://127.0.0.1/", { method: "POST", body }), state };
}

function* repeat(count: number, bytes: number): Iterable<Uint8Array> {
  for (let n = 0; n < count; n++) yield new Uint8Array(bytes).fill(n);
}

const TOO_LARGE = { code: "payload_too_large" };

Deno.test("readBody() joins chunks of every size in their order", async () => {
  for (const sizes of [[], [1], [4_096], [4_096, 1], [0, 3, 0, 70_000, 1, 16_384], [200_000]]) {
    const chunks = sizes.map((size, n) => new Uint8Array(size).fill(n + 1));
    const { request } = chunked(chunks);
    const expected = sizes.flatMap((size, n) => new Array<number>(size).fill(n + 1));
    assert.deepEqual([...await readBody(request)], expected, String(sizes));
  }
  assert.equal((await readBody(new Request("http://127.0.0.1/"))).length, 0);
});

Deno.test("readBody() reads a short body of a declared size", async () => {
  for (const sizes of [[], [1], [1_000, 96], [4_096]]) {
    const { request } = chunked(sizes.map((size, n) => new Uint8Array(size).fill(n + 1)));
    const expected = sizes.flatMap((size, n) => new Array<number>(size).fill(n + 1));
    request.headers.set("content-length", String(expected.length));
    assert.deepEqual([...await readBody(request)], expected, String(sizes));
  }
});

Deno.test("readBody() accepts a body of the max size, and stops at a larger one", async () => {
  const largest = await readBody(chunked(repeat(64, MAX_BODY_BYTES / 64)).request);
  assert.equal(largest.length, MAX_BODY_BYTES);
  const { request, state } = chunked(repeat(1_000, 8_192));
  await assert.rejects(readBody(request), TOO_LARGE);
  assert.ok(state.pulls < 40, `${state.pulls} chunks were read`);
});

Deno.test("readBody() reads nothing of a body that declares too many bytes", async () => {
  for (const length of [String(MAX_BODY_BYTES + 1), "9".repeat(30)]) {
    const { request, state } = chunked(repeat(1, 1));
    request.headers.set("content-length", length);
    await assert.rejects(readBody(request), TOO_LARGE);
    assert.equal(state.pulls, 0);
  }
});

Deno.test("readBody() gives up a body of many small chunks, and does not cancel it", async () => {
  const { request, state } = chunked(repeat(10_000, 1));
  await assert.rejects(readBody(request), TOO_LARGE);
  assert.equal(state.pulls, FREE_READS + 1);
  // If the stream were cancelled, the server would decode the rest of the body.
  assert.equal(state.cancelled, false);
});

Deno.test("readBody() accepts a body of the max size in chunks of MIN_READ_BYTES", async () => {
  const chunks = [...repeat(MAX_BODY_BYTES / MIN_READ_BYTES, MIN_READ_BYTES)];
  assert.equal((await readBody(chunked(chunks).request)).length, MAX_BODY_BYTES);
  const few = chunked(repeat(FREE_READS - 1, 1)).request;
  assert.equal((await readBody(few)).length, FREE_READS - 1);
});

Deno.test("readBody() gives up a body that does not arrive in time", async () => {
  for (const declared of [undefined, "10", String(MAX_BODY_BYTES)]) {
    const { request, state } = chunked("silence");
    if (declared !== undefined) request.headers.set("content-length", declared);
    await assert.rejects(readBody(request, { milliseconds: 20 }), { code: "request_timeout" });
    assert.deepEqual(state, { pulls: 1, cancelled: false }, declared);
  }
});
