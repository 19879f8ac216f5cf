import assert from "node:assert/strict";
import fc from "fast-check";
import { PAIRS_MAX } from "../../../src/search/engine/pairs.ts";
import { detectLanguage, words } from "../../../src/search/engine/text.ts";
import { LANGUAGES, stem } from "../../../src/search/engine/words.ts";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { observationDocument } from "../../support/documents.ts";
import { follow, step } from "./histories.ts";

const fact = (id: number, observed_fact: string, rest = {}) =>
  observationDocument(id, { text: { observed_fact, ...rest } });

function createIndex(...documents: ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex();
  for (const document of documents) index.put(document);
  return index;
}

/** Runs the check before and after the tail is sealed. */
function eachState(index: ObservationIndex, check: () => void): void {
  check();
  index.engine.seal();
  check();
}

Deno.test("pairsHeld() finds adjacent words in any form and language, also letters and digits", () => {
  const index = createIndex(
    fact(1, "It raised a Series A round. Removal of snow in New York.", {
      texts: ["Déneigement des routes municipales de l'école", "Vitamin D, phase 2 of the plan"],
    }),
    fact(2, "A snow removals contract in York, new this series. B"),
  );
  const held = (id: number, ...pairs: [string, string][]) => index.pairsHeld(id, pairs);
  eachState(index, () => {
    assert.deepEqual(
      held(1, ["series", "a"], ["a", "round"], ["series", "b"], ["series", "round"]),
      [true, true, false, true],
    );
    assert.deepEqual(held(1, ["new", "york"], ["york", "new"]), [true, false]);
    assert.deepEqual(held(2, ["new", "york"], ["york", "new"]), [false, true]);
    // Stop words between the two words are ignored. The order of the words matters.
    assert.deepEqual(held(1, ["snow", "removal"], ["removals", "snow"]), [false, true]);
    assert.deepEqual(held(2, ["snow", "removal"], ["removals", "snow"]), [true, false]);
    assert.deepEqual(held(1, ["vitamin", "d"], ["phase", "2"], ["2", "plan"]), [true, true, true]);
    assert.deepEqual(held(1, ["deneigement", "route"], ["l", "ecole"]), [true, false]);
    assert.deepEqual(held(2, ["series", "b"], ["a", "snow"]), [true, true]);
    // Pairs do not span two texts. An absent document has no pairs.
    assert.deepEqual(held(1, ["york", "deneigement"], ["ecole", "vitamin"]), [false, false]);
    assert.deepEqual(held(9, ["new", "york"]), [false]);
  });
});

Deno.test("phraseHeld() requires all words of a phrase to be adjacent", () => {
  const index = createIndex(
    fact(1, "battery storage site"),
    fact(2, "battery storage of a site; a storage battery"),
    fact(3, "site storage and battery storage"),
  );
  eachState(index, () => {
    const held = (...phrase: string[]) => [1, 2, 3].filter((id) => index.phraseHeld(id, phrase));
    assert.deepEqual(held("battery", "storage", "site"), [1, 2]);
    assert.deepEqual(held("battery", "storage"), [1, 2, 3]);
    assert.deepEqual(held("batteries"), [1, 2, 3]);
    assert.deepEqual(held("crane"), []);
    assert.deepEqual(held("storage", "battery"), [2, 3]);
  });
});

Deno.test("pairsHeld() knows only the first pairs of a long document", () => {
  const word = (n: number) => `w${n}x`;
  const index = createIndex(fact(1, Array.from({ length: 1_000 }, (_, n) => word(n)).join(" ")));
  const pairs = Array.from({ length: 999 }, (_, n) => [word(n), word(n + 1)] as [string, string]);
  const held = index.pairsHeld(1, pairs);
  assert(held.slice(0, PAIRS_MAX).every(Boolean));
  assert(held.slice(PAIRS_MAX).filter(Boolean).length < 0.08 * (999 - PAIRS_MAX));
});

/** Returns the pairs of each text of a document, as stems in the text's language. */
function naivePairs({ text }: ObservationDocument): Set<string> {
  const leading = detectLanguage(`${text.observed_fact} ${text.why_it_may_matter}`);
  const pairs = new Set<string>();
  for (const part of [text.company, text.observed_fact, ...text.texts]) {
    const language = detectLanguage(part, leading);
    const stems = words(part).map((word) => stem(word, language));
    stems.slice(1).forEach((second, n) => pairs.add(`${language} ${stems[n]} ${second}`));
  }
  return pairs;
}

Deno.test("pairsHeld() has no false negatives and few false positives after any history", () => {
  const vocabulary = "steel mill paper roof snow crane usine neige toitures".split(" ");
  const pairs = vocabulary.flatMap((first) =>
    vocabulary.map((second): [string, string] => [first, second])
  );
  const counts = { absent: 0, false_positives: 0 };
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (steps, tail) => {
        const { index, documents } = follow(steps, tail);
        const fresh = createIndex(...documents);
        for (const document of documents) {
          const naive = naivePairs(document);
          const held = index.pairsHeld(document.observation_id, pairs);
          assert.deepEqual(held, fresh.pairsHeld(document.observation_id, pairs));
          pairs.forEach(([first, second], n) => {
            const isHeld = LANGUAGES.some((language) =>
              naive.has(`${language} ${stem(first, language)} ${stem(second, language)}`)
            );
            if (isHeld) return assert(held[n]);
            counts.absent++;
            if (held[n]) counts.false_positives++;
          });
        }
      },
    ),
    { numRuns: 150, seed: 14 },
  );
  // The expected share of false positives is about 3 % for each of the two languages.
  assert(counts.false_positives < 0.08 * counts.absent, JSON.stringify(counts));
});
