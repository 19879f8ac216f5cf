/** Tests that bodies of answers are bounded, decoded, and refused if they are incomplete. */
import assert from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Fetched } from "../../../src/ingest/fetch/fetcher.ts";
import {
  BOUNDS,
  checkedTest,
  failureOf,
  fetcherOf,
  fetchText,
  readText,
  startHost,
  startRawHost,
} from "../../support/web.ts";

const MEGABYTE = 1_048_576;
const HEAD = "HTTP/1.1 200 OK\r\n";

/** Returns the bytes that this isolate uses. Those of the process would include other tests. */
function memoryUsed(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

const encoded = (bytes: Uint8Array, encoding: string) => () =>
  new Response(Uint8Array.from(bytes), { headers: { "content-encoding": encoding } });

const tooLarge = (bytes: number) => ({
  fault: "too_large",
  message: `127.0.0.1: a body of more than ${bytes} bytes`,
  temporary: false,
});

checkedTest("fetch() decodes gzip, brotli and deflate", async () => {
  const text = "Marché public à Montréal. ".repeat(1_000);
  const bytes = new TextEncoder().encode(text);
  const cases: [string, Uint8Array][] = [
    ["gzip", gzipSync(bytes)],
    ["X-GZIP", gzipSync(bytes)],
    ["br", brotliCompressSync(bytes)],
    ["deflate", deflateSync(bytes)],
    ["identity", bytes],
  ];
  for (const [encoding, body] of cases) {
    await using host = startHost(encoded(body, encoding));
    const outcome = await fetchText(fetcherOf([host]), { url: host.url }, { bytes: bytes.length });
    assert.deepEqual(outcome, { text, url: `${host.url}/` }, encoding);
  }
});

checkedTest("fetch() refuses a body that it cannot decode", async () => {
  const whole = gzipSync("x".repeat(10_000));
  const cases: [string, Uint8Array, string][] = [
    ["zstd", whole, "an encoding that was not asked for"],
    ["gzip, gzip", whole, "an encoding that was not asked for"],
    ["gzip", new TextEncoder().encode("<html>"), "a body that cannot be decoded"],
    ["gzip", whole.slice(0, 30), "a body that cannot be decoded"],
    ["br", new TextEncoder().encode("<html>"), "a body that cannot be decoded"],
  ];
  for (const [encoding, body, message] of cases) {
    await using host = startHost(encoded(body, encoding));
    const failure = await failureOf(fetchText(fetcherOf([host]), { url: host.url }));
    assert.deepEqual(failure, {
      fault: "bad_encoding",
      message: `127.0.0.1: ${message}`,
      temporary: false,
    });
  }
});

checkedTest(
  "fetch() accepts 100 MB within the bound, and receives no faster than its caller reads",
  async () => {
    const megabyte = new Uint8Array(MEGABYTE).fill(97);
    let sent = 0;
    await using host = startRawHost(async ({ write }) => {
      await write(HEAD + `Content-Length: ${100 * MEGABYTE}\r\n\r\n`);
      for (; sent < 100; sent++) await write(megabyte);
    });
    const bounds = { ...BOUNDS, bytes: 100 * MEGABYTE };
    const outcome = await fetcherOf([host]).fetch({ url: host.url }, bounds);
    let length = 0;
    for await (const chunk of (outcome as Fetched).body) {
      // Without backpressure, the host could send everything in this time.
      if (length === 0) await new Promise((resolve) => setTimeout(resolve, 300));
      if (length === 0) assert.ok(sent < 20, `${sent} MB`);
      length += chunk.length;
    }
    assert.equal(length, 100 * MEGABYTE);
  },
);

checkedTest("fetch() refuses a Content-Length beyond the bound at once", async () => {
  await using host = startRawHost(async ({ write, hungUp }) => {
    await write(HEAD + `Content-Length: ${100 * MEGABYTE}\r\n\r\n`);
    await hungUp;
  });
  const failure = await failureOf(fetchText(fetcherOf([host]), { url: host.url }));
  assert.deepEqual(failure, tooLarge(MEGABYTE));
});

checkedTest("fetch() closes the connection when an endless body exceeds the bound", async () => {
  let sent = 0;
  const part = `10000\r\n${"a".repeat(65_536)}\r\n`;
  await using host = startRawHost(async ({ write }) => {
    await write(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
    for (;;) sent += await write(part).then(() => 1);
  });
  const failure = await failureOf(fetchText(fetcherOf([host]), { url: host.url }));
  assert.deepEqual(failure, tooLarge(MEGABYTE));
  assert.ok(sent < 1_000, `${sent} parts`);
});

checkedTest("fetch() stops a compression bomb at the bound with little memory", async () => {
  const zeros = new Uint8Array(200 * MEGABYTE);
  const bombs: [string, Uint8Array][] = [
    ["gzip", gzipSync(zeros)],
    ["br", brotliCompressSync(zeros, { params: { 1: 5 } })],
  ];
  for (const [encoding, bomb] of bombs) {
    assert.ok(bomb.length < 250_000);
    await using host = startHost(encoded(bomb, encoding));
    const outcome = await fetcherOf([host]).fetch({ url: host.url }, BOUNDS);
    const before = memoryUsed();
    assert.deepEqual(await failureOf(readText(outcome as Fetched)), tooLarge(MEGABYTE));
    assert.ok(memoryUsed() - before < 30 * MEGABYTE);
  }
});

checkedTest("fetch() also bounds encoded bytes, such as endless empty gzip members", async () => {
  const empty = new Uint8Array(Array(1_000).fill([...gzipSync("")]).flat());
  await using host = startRawHost(async ({ write }) => {
    await write(HEAD + "Content-Encoding: gzip\r\n\r\n");
    for (;;) await write(empty);
  });
  const failure = await failureOf(fetchText(fetcherOf([host]), { url: host.url }));
  assert.deepEqual(failure, tooLarge(MEGABYTE));
});

checkedTest("fetch() refuses endless headers, and answers that are not HTTP", async () => {
  await using endless = startRawHost(async ({ write }) => {
    await write(HEAD);
    for (;;) await write(`x-more: ${"y".repeat(100)}\r\n`);
  });
  assert.deepEqual(await failureOf(fetchText(fetcherOf([endless]), { url: endless.url })), {
    fault: "too_large",
    message: "127.0.0.1: headers of more than 16384 bytes",
    temporary: false,
  });
  await using mail = startRawHost(({ write }) => write("220 mail.example ESMTP\r\n"));
  assert.deepEqual(await failureOf(fetchText(fetcherOf([mail]), { url: mail.url })), {
    fault: "network",
    message: "127.0.0.1: the connection failed (HPE_INVALID_CONSTANT)",
    temporary: true,
  });
});

checkedTest("fetch() fails if a body is shorter than declared", async () => {
  const heads = ["Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"];
  for (const head of heads) {
    await using host = startRawHost(({ write }) => write(HEAD + head));
    assert.deepEqual(await failureOf(fetchText(fetcherOf([host]), { url: host.url })), {
      fault: "network",
      message: "127.0.0.1: the connection failed (ECONNRESET)",
      temporary: true,
    });
  }
});

checkedTest("fetch() closes the connection when its caller stops reading", async () => {
  await using host = startRawHost(async ({ write }) => {
    await write(HEAD + "\r\n");
    for (;;) await write("abc");
  });
  const outcome = await fetcherOf([host]).fetch({ url: host.url }, BOUNDS);
  for await (const chunk of (outcome as Fetched).body) {
    assert.ok(chunk.length > 0);
    break;
  }
});
