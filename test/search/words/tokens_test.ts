import assert from "node:assert/strict";
import fc from "fast-check";
import { isContent, isStopWord, languageOf, wordsOf } from "../../../src/search/words/tokens.ts";

function foldedOf(text: string): string[] {
  return wordsOf(text).map(({ folded }) => folded);
}

Deno.test("wordsOf() keeps names with signs", () => {
  assert.deepEqual(
    foldedOf("R&D at AT&T: C++, c# and .NET; Node.js"),
    ["r&d", "at", "at&t", "c++", "c#", "and", ".net", "node.js"],
  );
});

Deno.test("wordsOf() gives one form to initials and to a letter with a hyphen", () => {
  assert.deepEqual(foldedOf("U.S. e-mail A.I. x-ray"), ["us", "email", "ai", "xray"]);
});

Deno.test("wordsOf() separates words at hyphens and apostrophes, and drops single letters", () => {
  assert.deepEqual(foldedOf("l'école d’été n'a-t-elle"), ["ecole", "ete", "elle"]);
  assert.deepEqual(foldedOf("co-working company's"), ["co", "working", "company"]);
});

Deno.test("wordsOf() keeps numbers", () => {
  assert.deepEqual(foldedOf("1,000,000.50 and 3D, 7 or 24/7"), [
    "1000000.50",
    "and",
    "3d",
    "7",
    "or",
    "24",
    "7",
  ]);
});

Deno.test("wordsOf() tells where each word is, for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    let last = 0;
    for (const { text: word, folded, start, end } of wordsOf(text)) {
      assert.ok(start >= last && folded.length > 0 && folded.length <= 40);
      assert.equal(text.slice(start, end), word);
      last = end;
    }
  }));
});

Deno.test("isContent() keeps IT and US in capital letters, and AI in any", () => {
  const content = wordsOf("IT for us in the US and U.S., ai").filter((word) => isContent(word));
  assert.deepEqual(content.map(({ text }) => text), ["IT", "US", "U.S.", "ai"]);
});

Deno.test("isStopWord() knows the language of a stop word", () => {
  assert.deepEqual([isStopWord("the", "en"), isStopWord("the", "fr")], [true, false]);
  assert.deepEqual([isStopWord("pour", "en"), isStopWord("pour", "fr")], [false, true]);
  assert.deepEqual([isStopWord("pour"), isStopWord("roof")], [true, false]);
});

Deno.test("languageOf() reads function words and accents", () => {
  assert.equal(languageOf(wordsOf("The city seeks a contractor for its roofs")), "en");
  assert.equal(languageOf(wordsOf("La ville cherche un entrepreneur pour ses toits")), "fr");
  assert.equal(languageOf(wordsOf("Déneigement")), "fr");
  assert.equal(languageOf(wordsOf("Roofing 2026")), "en");
});
