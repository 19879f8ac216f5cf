import assert from "node:assert/strict";
import fc from "fast-check";
import { findTerm, keyOf, TermTable } from "../../../src/search/engine/dictionary.ts";
import { words, WordTable } from "../../../src/search/engine/text.ts";
import { fold, LANGUAGES, stem } from "../../../src/search/engine/words.ts";

Deno.test("WordTable returns the same stems as stem()", () => {
  const syllable = fc.constantFrom(
    ..."b c d st pl a e i o u y s ing ed ation ement eur ique ware expan sion H O ß 7 . + 東".split(
      " ",
    ),
  );
  const word = fc.array(syllable, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(fc.property(fc.array(word, { maxLength: 30 }), (list) => {
    const lexicon = new WordTable();
    const table = new TermTable();
    for (const text of list) {
      const number = lexicon.findText(text);
      assert.equal(lexicon.findText(text), number);
      const folded = lexicon.text(number);
      if (folded === "") continue;
      assert.equal(folded, fold(text).slice(0, 40));
      for (const [space, language] of LANGUAGES.entries()) {
        const term = lexicon.term(number * LANGUAGES.length + space, table);
        assert.equal(findTerm(table, keyOf(space, stem(folded, language))), term);
        assert.equal(lexicon.term(number * LANGUAGES.length + space, table), term);
      }
    }
  }));
});

Deno.test("WordTable keeps words and their terms per table distinct when it grows", () => {
  const lexicon = new WordTable();
  const numbers = Array.from({ length: 5_000 }, (_, n) => lexicon.findText(`w${n}x`));
  const tables = [new TermTable(), new TermTable()];
  tables[1]!.addText(0, "other");
  const term = (n: number, table: TermTable) => lexicon.term(numbers[n]! * LANGUAGES.length, table);
  for (let n = 0; n < numbers.length; n++) {
    assert.equal(lexicon.findText(`w${n}x`), numbers[n]);
    assert.equal(lexicon.text(numbers[n]!), `w${n}x`);
    assert.equal(term(n, tables[0]!), n);
    assert.equal(term(n, tables[1]!), n + 1);
  }
  assert.equal(lexicon.size, 5_000);
});

Deno.test("words() returns the same words when its cache overflows", () => {
  const many = Array.from({ length: 130_000 }, (_, n) => `w${n}x`);
  assert.deepEqual(words(many.join(" ")), many);
  assert.deepEqual(words("The w129999x, again"), ["w129999x"]);
});
