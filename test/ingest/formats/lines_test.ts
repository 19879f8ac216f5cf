import assert from "node:assert/strict";
import fc from "fast-check";
import { readLines, type TextLine } from "../../../src/ingest/formats/lines.ts";

async function read(chunks: Uint8Array[], options?: Parameters<typeof readLines>[1]) {
  async function* stream() {
    for (const chunk of chunks) {
      yield chunk;
      // The stream may reuse the memory of a chunk, so a reader must not keep it.
      chunk.fill(63);
    }
  }
  const lines: TextLine[] = [];
  for await (const line of readLines(stream(), options)) lines.push(line);
  return lines;
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("readLines() yields the same lines for any chunks of the stream", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.stringMatching(/^[a-z"é\r]{0,12}$/), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 7 }),
    async (texts, size) => {
      const whole = bytes(texts.join("\n") + "\n");
      const chunks = [];
      for (let at = 0; at < whole.length; at += size) chunks.push(whole.slice(at, at + size));
      assert.deepEqual(
        await read(chunks),
        texts.map((text, index) => ({ number: index + 1, text: text.replace(/\r+$/, "") }))
          .filter(({ text }) => text !== ""),
      );
    },
  ));
});

Deno.test("readLines() counts even a million empty lines, and does not yield them", async () => {
  const text = "a\n" + "\n".repeat(1_000_000) + "\r\n\r\n" + "\r".repeat(500_000) + "b";
  assert.deepEqual(await read([bytes(text)]), [
    { number: 1, text: "a" },
    { number: 1_000_004, text: "\r".repeat(500_000) + "b", unended: true },
  ]);
});

Deno.test("readLines() reports an overlong line, and one that is not UTF-8, and reads on", async () => {
  const chunks = [bytes("ab\n"), bytes("x".repeat(3000)), bytes('"'.repeat(3000)), bytes("\ncd\n")];
  const last = [new Uint8Array([255, 10]), bytes("y".repeat(4000))];
  assert.deepEqual(await read([...chunks, ...last], { longest: 4000 }), [
    { number: 1, text: "ab" },
    { number: 2, text: "x".repeat(2000), fault: "is longer than 4000 bytes", quotes: 3000 },
    { number: 3, text: "cd" },
    { number: 4, text: "�", fault: "is not valid UTF-8" },
    { number: 5, text: "y".repeat(4000), unended: true },
  ]);
});

Deno.test("readLines() reads a line that is not UTF-8 in the fallback encoding", async () => {
  const chunks = [bytes("na\u00efve\r\n"), new Uint8Array([0x93, 0x61, 0x94, 13, 10]), bytes("b")];
  assert.deepEqual(await read(chunks, { fallback_encoding: "windows-1252" }), [
    { number: 1, text: "naïve" },
    { number: 2, text: "“a”" },
    { number: 3, text: "b", unended: true },
  ]);
});
