import assert from "node:assert/strict";
import {
  type CallBounds,
  callModel,
  methodUrl,
  type ModelEndpoint,
  ModelFault,
} from "../../../src/search/models/model_endpoint.ts";
import { checkedTest, startHost, startRawHost } from "../../support/web.ts";

const BOUNDS: CallBounds = { bytes: 65_536, milliseconds: 60_000 };

const at = (url: string): ModelEndpoint => ({ url: new URL(url), model: "m", key: "k-1" });

const call = (url: string, bounds: Partial<CallBounds> = {}) =>
  callModel(at(url), { messages: [] }, { ...BOUNDS, ...bounds });

/** Returns the kind and the message of a call's fault, and asserts that the fault has no cause. */
async function faultOf(calling: Promise<unknown>): Promise<[string, string]> {
  try {
    await calling;
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    assert.equal(error.cause, undefined);
    return [error.kind, error.message];
  }
  throw new Error("the call did not fail");
}

const CONNECTION = ["network", "the connection failed"];

checkedTest("methodUrl() completes a base address, and keeps a complete address", () => {
  const chat = (base: string) => methodUrl(base, "/chat/completions").href;
  assert.equal(chat("http://10.0.0.5:11434"), "http://10.0.0.5:11434/chat/completions");
  assert.equal(chat("https://m.example/v1"), "https://m.example/v1/chat/completions");
  assert.equal(chat("https://m.example/v1/"), "https://m.example/v1/chat/completions");
  assert.equal(
    chat("https://m.example/v1/chat/completions"),
    "https://m.example/v1/chat/completions",
  );
  assert.equal(
    chat("https://m.example/d/x/chat/completions?api-version=2"),
    "https://m.example/d/x/chat/completions?api-version=2",
  );
  assert.equal(chat("https://m.example/d?v=2"), "https://m.example/d/chat/completions?v=2");
  return Promise.resolve();
});

checkedTest("callModel() posts the body with the name of the model and the key", async () => {
  const bodies: unknown[] = [];
  await using host = startHost(async (request) => {
    bodies.push([request.method, await request.json()]);
    return Response.json({ answer: 1 });
  });
  assert.deepEqual(await call(`${host.url}/v1`), { answer: 1 });
  assert.deepEqual(bodies, [["POST", { model: "m", messages: [] }]]);
  const { headers } = host.heard[0]!;
  assert.deepEqual([headers.authorization, headers["content-type"], headers.accept], [
    "Bearer k-1",
    "application/json",
    "application/json",
  ]);
  await callModel({ url: new URL(host.url), model: "m" }, {}, BOUNDS);
  assert.equal(host.heard[1]!.headers.authorization, undefined);
});

checkedTest("callModel() stops reading an answer beyond the size limit", async () => {
  const MEBIBYTE = 1_048_576;
  let sent = 0;
  await using host = startHost(() =>
    new Response(
      new ReadableStream({
        pull(controller) {
          if (sent === 100 * MEBIBYTE) return controller.close();
          sent += MEBIBYTE;
          controller.enqueue(new Uint8Array(MEBIBYTE).fill(32));
        },
      }),
    )
  );
  assert.deepEqual(await faultOf(call(host.url)), [
    "too_large",
    "answered with more than 65536 bytes",
  ]);
  assert.ok(sent < 20 * MEBIBYTE, `${sent}`);
});

checkedTest("callModel() applies the size limit to the decompressed answer", async () => {
  const bomb = new Blob([new Uint8Array(50_000_000).fill(32)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  const packed = await new Response(bomb).bytes();
  assert.ok(packed.length < 65_536, `${packed.length}`);
  await using host = startHost(() =>
    new Response(packed, { headers: { "content-encoding": "gzip" } })
  );
  assert.equal((await faultOf(call(host.url)))[0], "too_large");
});

checkedTest("callModel() accepts an answer with exactly the max size", async () => {
  await using host = startHost(() => new Response(`"${"x".repeat(65_534)}"`));
  assert.equal((await call(host.url) as string).length, 65_534);
});

checkedTest("callModel() times out if no headers arrive", async () => {
  await using host = startRawHost(({ hungUp }) => hungUp);
  // On a stalled machine, the call may time out before the host receives it.
  const late = ["late", "no answer in 60 ms"];
  let calls = 0;
  do {
    assert.deepEqual(await faultOf(call(host.url, { milliseconds: 60 })), late);
    calls++;
  } while (host.heard.length === 0);
  assert.ok(host.heard.length <= calls, `${host.heard.length}`);
});

checkedTest("callModel() times out if the answer arrives byte by byte without end", async () => {
  await using host = startRawHost(async ({ write, hungUp }) => {
    let is_closed = false;
    hungUp.then(() => is_closed = true);
    await write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
    while (!is_closed) {
      await write(" ");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  assert.deepEqual(await faultOf(call(host.url, { milliseconds: 60 })), [
    "late",
    "no answer in 60 ms",
  ]);
});

checkedTest("callModel() rejects with the reason of its signal", async () => {
  const stopping = new AbortController();
  await using host = startRawHost(async ({ hungUp }) => {
    stopping.abort(new Error("stopping"));
    await hungUp;
  });
  await assert.rejects(call(host.url, { signal: stopping.signal }), /^Error: stopping$/);
  await assert.rejects(call(host.url, { signal: stopping.signal }), /^Error: stopping$/);
  assert.equal(host.heard.length, 1, "no further request");
});

checkedTest("callModel() reports the status, and follows no redirect", async () => {
  await using elsewhere = startHost(() => Response.json({}));
  await using host = startHost((request) => {
    const status = Number(new URL(request.url).pathname.slice(1));
    const headers = { location: `${elsewhere.url}/v1`, "content-type": "text/html" };
    return new Response(status === 204 ? null : "a secret page", { status, headers });
  });
  for (const status of [301, 302, 303, 307, 308, 400, 401, 429, 500, 503]) {
    assert.deepEqual(await faultOf(call(`${host.url}/${status}`)), [
      "status",
      `answered with status ${status}`,
    ]);
  }
  assert.equal((await faultOf(call(`${host.url}/204`)))[0], "not_json");
  assert.deepEqual(elsewhere.heard, []);
});

checkedTest("callModel() reports a broken connection without the address", async () => {
  await using mute = startRawHost(() => Promise.resolve());
  assert.deepEqual(await faultOf(call(`${mute.url}/?secret=1`)), CONNECTION);
  assert.equal(mute.heard.length, 1, "one attempt");
  await using broken = startRawHost(({ write }) =>
    write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
  );
  assert.deepEqual(await faultOf(call(`${broken.url}/?secret=1`)), CONNECTION);
  await using garbled = startRawHost(({ write }) => write("\0\x01\x02 hello\r\n\r\n"));
  assert.deepEqual(await faultOf(call(garbled.url)), CONNECTION);
  // No process listens at port 1.
  const closed_port = "http://127.0.0.1:1/?secret=1";
  assert.deepEqual(await faultOf(call(closed_port)), CONNECTION);
});

checkedTest(
  "callModel() accepts only JSON in UTF-8, and quotes nothing of the answer",
  async () => {
    const fault = ["not_json", "did not answer with JSON"];
    for (const body of ["", "<html>a secret</html>", '{"a": secret}', "{}{}"]) {
      await using host = startHost(() => new Response(body));
      assert.deepEqual(await faultOf(call(host.url)), fault, body);
    }
    await using host = startHost(() => new Response(new Uint8Array([34, 255, 34])));
    assert.deepEqual(await faultOf(call(host.url)), fault);
    const deep = "[".repeat(30_000) + "]".repeat(30_000);
    await using nested = startHost(() => new Response(deep));
    assert.ok(Array.isArray(await call(nested.url)));
  },
);
