import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonText, standingFor, writeJson } from "../../src/contract/json_text.ts";

Deno.test("writeJson() writes what JSON.stringify() writes", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assert.equal(writeJson(value), JSON.stringify(value));
    const members = { a: undefined, b: value, c: [value, undefined] };
    assert.equal(writeJson(members), JSON.stringify(members));
  }));
});

Deno.test("writeJson() and JSON.stringify() write a JsonText as the value it stands in for", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value);
    assert.equal(writeJson(standingFor(text)), text);
    const members = { list: [new JsonText(text), 1], one: new JsonText(text) };
    const expected = JSON.stringify({ list: [value, 1], one: value });
    assert.equal(writeJson(members), expected);
    assert.equal(JSON.stringify(members), expected);
  }));
});
