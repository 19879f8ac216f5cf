import assert from "node:assert/strict";
import fc from "fast-check";
import { FACET_SPACE, HOSTNAME_SPACE, keyOf } from "../../../src/search/engine/dictionary.ts";
import { tokenOf, tokenOfKey } from "../../../src/search/distributed/encoded_terms.ts";
import { RowWriter } from "../../../src/search/distributed/table_rows.ts";
import { observationDocument } from "../../support/documents.ts";

const SPACES = [0, 1, HOSTNAME_SPACE, FACET_SPACE];

/** Generates texts with characters that are special in SQL or in a query language. */
const attack = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "'",
    "\\'",
    "a') OR 1=1 -- ",
    "@company x",
    "a | b",
    '"a b"~3',
    "!a",
    "a^9",
    "*",
    "%",
  ),
).map((text) => text.toWellFormed());

Deno.test("tokenOf() returns tokens without special characters of query languages", () => {
  fc.assert(fc.property(fc.constantFrom(...SPACES), attack, (space, text) => {
    const token = tokenOf(space, text);
    assert.match(token, /^[efhx][a-z0-9_]*$/);
    assert.ok(token.length <= 40);
  }));
});

Deno.test("tokenOf() returns different tokens for different terms", () => {
  const term = fc.tuple(fc.constantFrom(...SPACES), attack);
  fc.assert(fc.property(term, term, ([space, text], [otherSpace, otherText]) => {
    fc.pre(space !== otherSpace || text !== otherText);
    assert.notEqual(tokenOf(space, text), tokenOf(otherSpace, otherText));
  }));
});

Deno.test("tokenOfKey() returns the token of the key's text", () => {
  for (const text of ["solar", "acme.com", "name:Åbo", "日本", "_0041", "x".repeat(60)]) {
    for (const space of SPACES) {
      assert.equal(tokenOfKey(keyOf(space, text)), tokenOf(space, text));
    }
  }
});

Deno.test("tokenOf() keeps plain words, escapes other characters, and hashes long texts", () => {
  assert.equal(tokenOf(0, "solar"), "esolar");
  assert.equal(tokenOf(HOSTNAME_SPACE, "a.b"), "ha_002eb");
  assert.equal(tokenOf(FACET_SPACE, "x".repeat(39)), `x${"x".repeat(39)}`);
  assert.match(tokenOf(FACET_SPACE, "x".repeat(40)), /^x__[0-9a-f]{32}$/);
});

Deno.test("RowWriter writes no special characters of a document into a row", () => {
  const rows = new RowWriter();
  fc.assert(fc.property(attack, (text) => {
    const row = rows.rowOf(observationDocument(1, {
      facets: [`name:${text}`],
      hostnames: [text],
      text: { company: text, observed_fact: text, texts: [text, text] },
    }));
    assert.match(row, /^\(1(,'[a-z0-9_ ]*'){6}(,-?\d+(\.\d+)?){10}\)$/);
  }));
});
