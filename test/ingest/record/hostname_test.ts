import assert from "node:assert/strict";
import fc from "fast-check";
import { normalizeHostname } from "../../../src/contract/hostname.ts";

const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,20}[a-zA-Z0-9])?$/);
const hostname = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));

Deno.test("normalizeHostname() ignores only case, white space at the ends and a trailing dot", () => {
  fc.assert(fc.property(
    hostname,
    fc.constantFrom("", " ", "\t"),
    fc.constantFrom("", "."),
    (name, space, dot) => {
      assert.equal(normalizeHostname(space + name.toUpperCase() + dot + space), name.toLowerCase());
    },
  ));
  assert.equal(normalizeHostname("WWW.Acme.Example."), "www.acme.example");
});

Deno.test("normalizeHostname() is idempotent, or refuses the text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const once = normalizeHostname(text);
    if (once === undefined) return;
    assert.equal(normalizeHostname(once), once);
    assert.doesNotMatch(once, /[\s/@:?#]|\.$/u);
  }));
  for (
    const text of ["https://acme.example", "a@acme.example", "acme.example:80", "", ".", "a..b"]
  ) {
    assert.equal(normalizeHostname(text), undefined);
  }
});
