import assert from "node:assert/strict";
import fc from "fast-check";
import { createKey, hashKey, isWellFormedKey } from "../../src/accounts/credential.ts";

Deno.test("createKey() returns well-formed, distinct keys", () => {
  const keys = Array.from({ length: 1000 }, createKey);
  assert.equal(new Set(keys).size, 1000);
  for (const key of keys) assert.match(key, /^ce_[0-9A-Za-z]{38}$/);
  assert.ok(keys.every(isWellFormedKey));
});

Deno.test("isWellFormedKey() refuses a key with any one character changed", () => {
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".split("");
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 40 }), fc.constantFrom(...letters), (at, letter) => {
      const key = createKey();
      fc.pre(key[at] !== letter);
      assert.equal(isWellFormedKey(key.slice(0, at) + letter + key.slice(at + 1)), false);
    }),
  );
});

Deno.test("isWellFormedKey() refuses texts that are no keys", () => {
  for (const text of ["", "ce_", "x".repeat(41), createKey() + " ", createKey().toUpperCase()]) {
    assert.equal(isWellFormedKey(text), false);
  }
});

Deno.test("hashKey() is the SHA-256 of the key", () => {
  assert.equal(
    hashKey("ce_example").toHex(),
    "0570625a9e753775095487731a10c20a4fcc0d6de6256ec9299f3b7f98e3233c",
  );
});
