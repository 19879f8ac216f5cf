import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeJson, framesOfBoth, JsonText, standingFor } from "../../src/contract/json_text.ts";

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
    const framed: JsonText = standingFor(framesOfBoth({ value: ofText }).json);
    assert.deepEqual(encodeJson(standingFor(text)), utf8.encode(text));
    const answer = { second, list: [ofText, second, framed, ofText], one: framed };
    const expected = JSON.stringify({
      second,
      list: [value, second, { value }, value],
      one: { value },
    });
    assert.deepEqual(encodeJson(answer), utf8.encode(expected));
    assert.equal(JSON.stringify(answer), expected);
  }));
});

Deno.test("framesOfBoth() writes a value as JSON, and that JSON as a string", () => {
  fc.assert(fc.property(values, values, (value, second) => {
    const text = new JsonText(JSON.stringify(value));
    for (const one of [second, text, { second, list: [text, second, text], one: text }]) {
      const expected = JSON.stringify(one);
      const { json, string } = framesOfBoth(one);
      assert.deepEqual(encodeJson(standingFor(json)), utf8.encode(expected));
      assert.deepEqual(encodeJson(standingFor(string)), utf8.encode(JSON.stringify(expected)));
      assert.equal(JSON.stringify(standingFor(string)), JSON.stringify(expected));
    }
  }));
});

Deno.test("encodeJson() and framesOfBoth() write long values around a JsonText", () => {
  const text = standingFor(JSON.stringify("short"));
  for (const unit of ["a", "é", '🏢"', "\\\x7f"]) {
    const long = unit.repeat(100_000 / unit.length);
    const { json, string } = framesOfBoth([long, text, long]);
    const expected = JSON.stringify([long, "short", long]);
    const answer = [long, standingFor(string), long, standingFor(json), long];
    assert.deepEqual(
      encodeJson(answer),
      utf8.encode(
        JSON.stringify([long, expected, long, [long, "short", long], long]),
      ),
    );
  }
});
