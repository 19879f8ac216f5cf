import assert from "node:assert/strict";
import { sha256 } from "../src/sha256.ts";

// Computed with sha256sum of GNU coreutils.
const examples: [text: string, hash: string][] = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["Zürich 🏢", "d9d5bc65dfb6409034a355e8238fd1f47959ee9c2900fd74c6e17d61fb64f06c"],
];
for (const [text, hash] of examples) {
  Deno.test(`sha256() hashes "${text}" in UTF-8`, () => {
    assert.equal(sha256(text).toHex(), hash);
  });
}

Deno.test("sha256() equals the hash of the Web Crypto API for one to four blocks", async () => {
  for (let length = 0; length <= 200; length++) {
    const text = "é".repeat(length % 3) + "x".repeat(length - length % 3);
    const expected = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    assert.deepEqual(sha256(text), new Uint8Array(expected), `${length} characters`);
  }
});
