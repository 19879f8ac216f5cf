import assert from "node:assert/strict";
import { sectionsOf, textOfMarkdown } from "../../../src/ingest/text/markdown.ts";

Deno.test("sectionsOf() splits a page at its second-level headings", () => {
  const page = "intro\n## Company blurb\n\nOne\n\n### Vision\nTwo\n##No heading\n" +
    "## Office Locations  \nToronto\n## Empty";
  assert.deepEqual([...sectionsOf(page)], [
    ["company blurb", "One\n\n### Vision\nTwo\n##No heading"],
    ["office locations", "Toronto"],
    ["empty", ""],
  ]);
  assert.deepEqual([...sectionsOf("")], []);
});

Deno.test("textOfMarkdown() keeps words, and removes marks", () => {
  const cases = [
    ["[careers](https://a.example/b) and ![logo](x.png)", "careers and "],
    ["**USA** and __CA__, `Go`, *C*", "USA and CA, Go, C"],
    ["* one\n- two\n+ three\n12. four\n3) five\n> six", "one\ntwo\nthree\nfour\nfive\nsix"],
    ["### Region 1\nUSA", "Region 1\nUSA"],
    ["Boston\\\nAustin", "Boston\nAustin"],
    ["Worldwide[^2]\n[^2]: We hire <https://a.example>", "Worldwide\n We hire "],
    ["C* and D*, 2*3*4, a_b_c, #hash", "C* and D*, 2*3*4, a_b_c, #hash"],
    ["<b>R&amp;D</b>", "<b>R&amp;D</b>"],
  ];
  for (const [markdown, text] of cases) assert.equal(textOfMarkdown(markdown!), text);
});

Deno.test("textOfMarkdown() is fast for a long line of opening marks", () => {
  for (const opening of ["[", "![", "<http:", "`**__", "*", "[a]("]) {
    const line = opening.repeat(100_000);
    const start = performance.now();
    textOfMarkdown(line);
    assert.ok(performance.now() - start < 20_000, opening);
  }
});
