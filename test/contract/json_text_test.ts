import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeJson, JsonText, partsOfBoth, standingFor } from "../../src/contract/json_text.ts";

const utf8 = new TextEncoder();

/** Values with texts of whole characters, some of which have up to four bytes in UTF-8. */
const values = fc.jsonValue({ stringUnit: "grapheme" });

Deno.test("encodeJson() writes the same as JSON.stringify(), in UTF-8", () => {
  fc.assert(fc.property(values, (value) => {
    const members = { a: undefined, b: value, c: [value, undefined] };
    for (const one of [value, members]) {
      assert.deepEqual(encodeJson(one), utf8.encode(JSON.stringify(one)));
    }
  }));
});

Deno.test("encodeJson() and JSON.stringify() write a JsonText as the value that it represents", () => {
  fc.assert(fc.property(values, values, (value, second) => {
    const text = JSON.stringify(value);
    const ofText = new JsonText(text);
    const inParts = new JsonText([text.slice(0, 1), utf8.encode(text.slice(1))]);
    assert.deepEqual(encodeJson(standingFor(text)), utf8.encode(text));
    const answer = { second, list: [ofText, second, inParts, ofText], one: inParts };
    const expected = JSON.stringify({ second, list: [value, second, value, value], one: value });
    assert.deepEqual(encodeJson(answer), utf8.encode(expected));
    assert.equal(JSON.stringify(answer), expected);
  }));
});

Deno.test("partsOfBoth() writes a value as JSON, and that JSON as a string", () => {
  fc.assert(fc.property(values, values, (value, second) => {
    const text = new JsonText(JSON.stringify(value));
    for (const one of [second, text, { second, list: [text, second, text], one: text }]) {
      const expected = JSON.stringify(one);
      const { json, string } = partsOfBoth(one);
      assert.deepEqual(encodeJson(standingFor(json)), utf8.encode(expected));
      assert.deepEqual(encodeJson(standingFor(string)), utf8.encode(JSON.stringify(expected)));
      assert.equal(JSON.stringify(standingFor(string)), JSON.stringify(expected));
    }
  }));
});
