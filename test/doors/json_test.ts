import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_DEPTH, readStrictJson as parseBytes } from "../../src/doors/request.ts";

const readStrictJson = (text: string) => parseBytes(new TextEncoder().encode(text));

const reasonOf = (text: string) => {
  try {
    readStrictJson(text);
  } catch (error) {
    return (error as SyntaxError).message;
  }
};

Deno.test("readStrictJson() equals JSON.parse() for texts without repeated names", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      // Texts are compared, because they show a member __proto__ like any other member.
      const again = JSON.stringify(JSON.parse(text));
      assert.equal(JSON.stringify(readStrictJson(again)), again);
    }),
    { seed: 3 },
  );
});

Deno.test("readStrictJson() refuses repeated names, however they are escaped", () => {
  const refused = [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"a":"{\\"a\\":1}","c":[],"a":{}}}]',
    '{"a":["x","x"],"b":"a","a":null}',
  ];
  for (const text of refused) assert.equal(reasonOf(text), "a is given more than once", text);
  assert.equal(reasonOf('{"":1,"":2}'), " is given more than once");
  assert.match(reasonOf(`{"${"k".repeat(5000)}":1,"${"k".repeat(5000)}":2}`)!, /^k{100} is /);
  const accepted = [
    '{"a":{"a":{"a":"a"}},"b":"a"}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '{"a":"\\"a\\":1,","b":["a",{"a":"a"}]}',
    '{"a":"\\\\","b":"\\\\\\""}',
  ];
  for (const text of accepted) assert.deepEqual(readStrictJson(text), JSON.parse(text), text);
});

Deno.test("readStrictJson() refuses deeper nesting than MAX_DEPTH, too many members, and invalid JSON", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.equal(reasonOf(nested(MAX_DEPTH)), undefined);
  assert.equal(reasonOf(nested(MAX_DEPTH + 1)), "nested more than 32 levels deep");
  assert.equal(reasonOf(nested(130_000)), "nested more than 32 levels deep");
  assert.equal(reasonOf('{"a":'.repeat(20_000) + "1" + "}".repeat(20_000))!.length, 31);
  const named = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, n])));
  assert.equal(reasonOf(named(1_000)), undefined);
  assert.equal(reasonOf(named(24_000)), "an object has more than 1000 members");
  assert.equal(reasonOf(""), "empty, JSON is required");
  for (const text of ["{", "[1,]", "{a:1}", "NaN", '"\u0000"', "[".repeat(9999)]) {
    assert.equal(reasonOf(text), "not valid JSON in UTF-8", text);
  }
  assert.throws(() => parseBytes(new Uint8Array([0x22, 0xff, 0x22])), SyntaxError);
  assert.deepEqual(readStrictJson("\ufeff{}"), {});
});
