import { stemmer } from "@orama/stemmers/english";
import assert from "node:assert/strict";
import fc from "fast-check";
import { stemUnits } from "../../../src/search/engine/stem_english.ts";
import { detectLanguage, words } from "../../../src/search/engine/text.ts";
import { stem } from "../../../src/search/engine/words.ts";

Deno.test("words() folds letters, and omits stop words and single letters", () => {
  const cases: [string, string[]][] = [
    ["The Warehouses of L'Oréal, à Québec!", ["warehouses", "oreal", "quebec"]],
    ["ÉCOLE  École ecole", ["ecole", "ecole", "ecole"]],
    ["it IT us US", ["it", "us"]],
    ["cœur, ægis, straße", ["coeur", "aegis", "straße"]],
    ["5 10 2026", ["10", "2026"]],
    ["Ωmega 東京 Москва", ["ωmega", "東京", "москва"]],
    ["constructor __proto__ toString", ["constructor", "proto", "tostring"]],
    ["\ud800 a\udc00bc 😀 𝒜𝒷", ["bc", "ab"]],
    ["𠮷野家", ["𠮷野家"]],
    ["\udb3flot", ["lot"]],
    ["Montréal-Québec, la main-d\u02bcœuvre", ["montreal", "quebec", "main", "maind", "oeuvre"]],
    ["", []],
    ["--- ... &&& +++", []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(words(text), expected, text);
});

Deno.test("words() keeps names with signs together", () => {
  const cases: [string, string[]][] = [
    ["R&D, AT&T and SR&ED", ["rd", "att", "sred"]],
    ["Procter&Gamble", ["procter", "gamble"]],
    ["in the U.S. and the U.S.A.", ["us", "usa"]],
    ["c++, C# and .NET; asp.net", ["c++", "c#", "net", ".net", "asp", "asp.net"]],
    ["node.js 3M", ["node", "js", "node.js", "3m"]],
    ["see www.acme.com.", ["see", "acme", "www.acme.com"]],
    ["acme.com beta.com", ["acme", "acme.com", "beta", "beta.com"]],
    ["an e-mail, an x-ray, cold-storage", ["mail", "email", "ray", "xray", "cold", "storage"]],
    ["3.14 and 2026-03-01", ["14", "2026", "03", "01"]],
    ["The end.Another start.", ["end", "another", "end.another", "start"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(words(text), expected, text);
});

Deno.test("words() shortens long words anywhere in a text", () => {
  assert.deepEqual(words("x".repeat(100_000)), ["x".repeat(40)]);
  assert.deepEqual(words("𠮷".repeat(100)), ["𠮷".repeat(40)]);
  assert.deepEqual(words(`${"x".repeat(60)}.com`).map((word) => word.length), [40, 40]);
});

Deno.test("words() of two lines returns the words of each line", () => {
  const part = fc.string({ unit: fc.constantFrom(..."aeBé. -&+#1'ß東😀\ud800 ") });
  fc.assert(fc.property(part, part, (one, other) => {
    assert.deepEqual(words(`${one}\n${other}`), [...words(one), ...words(other)]);
    // Cached words are the same as new ones.
    assert.deepEqual(words(one), words(one));
  }));
});

function stemEnglish(word: string): string {
  const units = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
  return String.fromCharCode(...units.subarray(0, stemUnits(units, word.length)));
}

Deno.test("stemUnits() removes the same endings as @orama/stemmers", () => {
  const listed =
    "generalizations relational conditional vietnamization agreed feed hopping falling " +
    "filing sky syzygy yes yielded yttrium caresses ponies ties cats controlling probate rate cease " +
    "controll roll adoption expansion bled sing ing ied ies sses eed y ay";
  for (const word of listed.split(" ")) assert.equal(stemEnglish(word), stemmer(word), word);
  const syllable = fc.constantFrom(
    ...("a e i o u y b c d l n s t z at bl iz ed ing eed s ies sses ss ational ation izer logi " +
      "icate ful ness al ance ement ion ous e ll 1 é").split(" "),
  );
  fc.assert(
    fc.property(fc.array(syllable, { maxLength: 6 }), (syllables) => {
      assert.equal(stemEnglish(syllables.join("")), stemmer(syllables.join("")));
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("stem() does not change names with signs", () => {
  assert.equal(stem("node.js", "english"), "node.js");
  assert.equal(stem("c++", "french"), "c++");
  assert.equal(stem("expansion", "english"), "expand");
});

Deno.test("detectLanguage() uses stop words and accents", () => {
  assert.equal(detectLanguage("The snow is cleared from the roads."), "english");
  assert.equal(detectLanguage("Le déneigement des routes de la ville"), "french");
  assert.equal(detectLanguage("steel", "french"), "french");
  assert.equal(detectLanguage("Numéro 4512", "english"), "french");
});
