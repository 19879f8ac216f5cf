import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeJson, JsonText, standingFor, writeJson } from "../../src/contract/json_text.ts";

Deno.test("writeJson() writes the same text as JSON.stringify()", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assert.equal(writeJson(value), JSON.stringify(value));
    const members = { a: undefined, b: value, c: [value, undefined] };
    assert.equal(writeJson(members), JSON.stringify(members));
  }));
});

Deno.test("writeJson() and JSON.stringify() write a JsonText as the value that it represents", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value);
    assert.equal(writeJson(standingFor(text)), text);
    const members = { list: [new JsonText(text), 1], one: new JsonText(text) };
    const expected = JSON.stringify({ list: [value, 1], one: value });
    assert.equal(writeJson(members), expected);
    assert.equal(JSON.stringify(members), expected);
  }));
});

Deno.test("encodeJson() writes the same text as writeJson(), in UTF-8", () => {
  const utf8 = new TextEncoder();
  // Texts consist of whole characters, some of which have up to four bytes in UTF-8.
  const values = fc.jsonValue({ stringUnit: "grapheme" });
  fc.assert(fc.property(values, values, (value, second) => {
    const text = new JsonText(JSON.stringify(value));
    const answer = { second, list: [text, second, text], one: text };
    assert.deepEqual(encodeJson(answer), utf8.encode(writeJson(answer)));
    assert.deepEqual(encodeJson(second), utf8.encode(JSON.stringify(second)));
  }));
});
