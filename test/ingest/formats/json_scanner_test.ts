import assert from "node:assert/strict";
import { OutsideArrays } from "../../../src/ingest/formats/json_scanner.ts";

/** Reads a document in chunks of `size` bytes. Returns what is kept. */
async function keptOf(text: string, size: number): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const outside = new OutsideArrays();
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  let passed = "";
  const decoder = new TextDecoder();
  for await (const chunk of outside.watch(chunks)) {
    passed += decoder.decode(chunk, { stream: true });
  }
  assert.equal(passed, text);
  return new TextDecoder().decode(outside.bytes);
}

Deno.test("OutsideArrays keeps a document with empty arrays, however it is cut", async () => {
  const text = '{"a[":"]\\"[é","rows":[{"id":"]"},[1,"\\\\"]],"b":{"next":"x"},"c":[]}';
  for (let size = 1; size <= text.length; size++) {
    assert.equal(await keptOf(text, size), '{"a[":"]\\"[é","rows":[],"b":{"next":"x"},"c":[]}');
  }
});

Deno.test("OutsideArrays keeps at most a mebibyte", async () => {
  const long = "x".repeat(1_048_576);
  assert.equal(await keptOf(`{"rows":["${long}"]}`, 65_536), '{"rows":[]}');
  await assert.rejects(keptOf(`{"a":"${long}"}`, 65_536), /more than 1048576 bytes/);
});
