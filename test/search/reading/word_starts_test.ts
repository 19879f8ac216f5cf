import assert from "node:assert/strict";
import fc from "fast-check";
import { anyOf } from "../../../src/search/reading/passages.ts";
import { mayMatch, wordStartsOf } from "../../../src/search/reading/word_starts.ts";

/** Parts of patterns, with a text that each of them matches. */
const PARTS: readonly (readonly [pattern: string, text: string])[] = [
  ["rounds?", "round"],
  ["(?:the )?series ?([a-h])", "series-b"],
  ["(?:in|during) (20\\d\\d)(?!-\\d)", "in 2013"],
  ["(?:(?:in|over) )?(?:the |l )?(days?|jours?)", "over the days"],
  ["an?", "a"],
  ["[se]?vp", "vp"],
  ["\\p{L}{2}-\\d+", "éé-7"],
  ["rais[a-z]* money", "raising money"],
  ["(?<!joint )venture", "venture"],
  ["u\\.s", "u.s"],
  ["\\d{1,3}(?:[,.]\\d{3})+|x", "10,000"],
  ["c ?\\+", "c+"],
];

const part = fc.constantFrom(...PARTS);
const words = fc.array(
  fc.oneof(part.map(([, text]) => text), fc.constantFrom("the", "of", "é", "𝒳y", "ab", "7", "R&D")),
  { maxLength: 8 },
).map((all) => all.join(" "));

Deno.test("mayMatch() is true for every text that a pattern matches", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), words, (parts, text) => {
      const phrases = [parts.map(([pattern]) => pattern), [parts.map(([one]) => one).join(" ")]];
      for (const pattern of phrases.map((all) => new RegExp(anyOf(...all), "gu"))) {
        for (
          const query of [
            text,
            parts.map(([, one]) => one).join(" "),
            `${text}, ${parts[0]![1]}`,
          ]
        ) {
          if (query.match(pattern) === null) continue;
          assert.ok(mayMatch(pattern, wordStartsOf(query)), `${pattern} in ${query}`);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("mayMatch() is false where no phrase has all its words in the text", () => {
  const pattern = new RegExp(anyOf("series [a-h]; since (?:the )?spring", "debt"), "gu");
  const may = (text: string) => mayMatch(pattern, wordStartsOf(text));
  assert.deepEqual(
    ["software since 2013", "spring", "", "no spa", "undebted"].map(may),
    [false, false, false, false, false],
  );
  assert.deepEqual(["Since spring", "new debt", "series, b"].map(may), [true, true, true]);
});

Deno.test("mayMatch() is true where a pattern's syntax is not known", () => {
  const starts = wordStartsOf("no such word");
  for (const pattern of [/x+/gu, /(?<![\p{L}\p{N}])(?<name>x)/gu, /(?<![\p{L}\p{N}])x/giu]) {
    assert.ok(mayMatch(pattern, starts));
  }
});
