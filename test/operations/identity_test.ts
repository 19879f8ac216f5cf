import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson, identify } from "../../src/operations/claim.ts";

const request = (inputs: object, cursor: string | null = null) => ({
  inputs,
  cursor,
  background: false,
});
const hex = (bytes: Uint8Array) => bytes.toHex();

Deno.test("identify() gives equal inputs one fingerprint, whatever their order and mode", () => {
  const a = identify("search_companies", request({ query: "q", limit: 5 }));
  const b = identify("search_companies", {
    ...request({ limit: 5, query: "q" }),
    background: true,
  });
  assert.equal(hex(a.fingerprint), hex(b.fingerprint));
});

Deno.test("identify() tells apart different inputs, different cursors and similar texts", () => {
  const prints = [
    request({ query: "q", limit: 5 }),
    request({ query: "q", limit: 6 }),
    request({ query: "q", limit: "5" }),
    request({ query: "q", limit: 5 }, "c"),
    request({ query: "q", limit: 5, cursor: "c" }),
    request({ query: 'q","limit":5', limit: 5 }),
  ].map((one) => hex(identify("search_companies", one).fingerprint));
  assert.equal(new Set(prints).size, prints.length);
});

Deno.test("identify() tells apart actions with equal inputs", () => {
  const one = request({ query: "q", limit: 5 });
  const companies = identify("search_companies", one);
  const observations = identify("search_observations", one);
  assert.notEqual(hex(companies.fingerprint), hex(observations.fingerprint));
  assert.notEqual(hex(companies.scope), hex(observations.scope));
});

Deno.test("identify() gives all pages of a search the same scope", () => {
  const scopes = [request({ query: "q" }), request({ query: "q" }, "c")]
    .map((one) => hex(identify("search_companies", one).scope));
  assert.equal(scopes[0], scopes[1]);
});

Deno.test("canonicalJson() does not depend on the order of members, and keeps all values", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const shuffled = Object.fromEntries(Object.entries(value).reverse());
    assert.equal(canonicalJson(value), canonicalJson(shuffled));
    assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
  }));
});
