import assert from "node:assert/strict";
import fc from "fast-check";
import { sniff } from "../../../src/ingest/formats/sniff.ts";

const encoder = new TextEncoder();

/** Returns a stream and its state. Its chunks share one buffer, as those of a file may. */
function chunked(text: string, sizes: number[]) {
  const bytes = encoder.encode(text);
  const memory = new Uint8Array(bytes.length);
  const source = { closed: false, stream: chunks() };
  async function* chunks() {
    try {
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const size = Math.min(sizes[n % sizes.length]!, bytes.length - at);
        memory.set(bytes.subarray(at, at + size));
        yield await Promise.resolve(memory.subarray(0, size));
        at += size;
      }
    } finally {
      source.closed = true;
    }
  }
  return source;
}

Deno.test("sniff() returns the start of a stream, and replays the whole, in any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 9_000 }),
      fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 5 }),
      async (text, sizes) => {
        const source = chunked(text, sizes);
        await using sniffed = await sniff(source.stream);
        const bytes = encoder.encode(text);
        const whole = await new Response(ReadableStream.from(sniffed.replayed)).bytes();
        assert.deepEqual(whole, bytes);
        assert.ok(new TextDecoder().decode(bytes).startsWith(sniffed.start));
        assert.ok(encoder.encode(sniffed.start).length >= Math.min(4_096, bytes.length) - 3);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("sniff() closes a stream that its caller does not read, or stops reading", async () => {
  const unread = chunked("a".repeat(9_000), [100]);
  {
    await using _ = await sniff(unread.stream);
    assert.ok(!unread.closed);
  }
  assert.ok(unread.closed);
  const partlyRead = chunked("a".repeat(9_000), [100]);
  {
    await using sniffed = await sniff(partlyRead.stream);
    for await (const _ of sniffed.replayed) break;
  }
  assert.ok(partlyRead.closed);
});
