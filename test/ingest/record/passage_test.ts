import assert from "node:assert/strict";
import fc from "fast-check";
import { passageOf } from "../../../src/ingest/record/excerpts.ts";

const FILLER = "Nothing of note happened on that day. ";

Deno.test("passageOf() returns a short text unchanged", () => {
  assert.equal(passageOf("Short. Text.", "Anything.", 20), "Short. Text.");
});

Deno.test("passageOf() returns the sentences that contain the words of the fact", () => {
  const text = FILLER.repeat(5) + "The city asks for snow removal. Bids close in May. " + FILLER;
  assert.equal(
    passageOf(text, "Snow removal is wanted; bids close in May.", 60),
    "The city asks for snow removal. Bids close in May.",
  );
});

Deno.test("passageOf() returns the beginning if no sentence contains a word of the fact", () => {
  const text = "First sentence here. Second sentence here. " + FILLER.repeat(9);
  assert.equal(
    passageOf(text, "Zebra xylophone", 45),
    "First sentence here. Second sentence here.",
  );
});

Deno.test("passageOf() prefers rare words to frequent ones", () => {
  const text = "Toronto Toronto. " + "In Toronto again. ".repeat(20) + "Bridge repair starts.";
  assert.equal(passageOf(text, "Toronto bridge", 40), "In Toronto again. Bridge repair starts.");
});

Deno.test("passageOf() does not end a sentence at a decimal point or a lowercase abbreviation", () => {
  const text = "It costs 3.5 million, i.e. more than planned. " + FILLER.repeat(4);
  assert.equal(passageOf(text, "million", 50), "It costs 3.5 million, i.e. more than planned.");
});

Deno.test("passageOf() cuts an overlong sentence after a word", () => {
  const passage = passageOf("word ".repeat(100), "word", 23);
  assert.equal(passage, "word word word word…");
});

Deno.test("passageOf() finds the words of the fact at the end of a long sentence", () => {
  const passage = passageOf("word ".repeat(300) + "pipeline replaced", "Pipeline replaced", 60);
  assert.ok(passage.endsWith("word pipeline replaced"), passage);
  assert.ok(passage.length <= 60);
});

Deno.test("passageOf() returns a part of any text, within the max length", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "É", ". ", "\n", "Word ", "😀"),
    maxLength: 300,
  });
  fc.assert(fc.property(text, text, fc.integer({ min: 10, max: 80 }), (text, fact, max) => {
    const passage = passageOf(text, fact, max);
    assert.ok(passage.length <= max);
    assert.ok(text.includes(passage.replace(/…$/, "")));
  }));
});
