import assert from "node:assert/strict";
import { LANGUAGES } from "../../../src/search/engine/words.ts";
import { sectorMask } from "../../../src/search/index/document.ts";
import type { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { Coverage } from "../../../src/search/ranking/coverage.ts";
import { requiredShares } from "../../../src/search/ranking/required_shares.ts";
import { questionOf, type QuestionPart } from "../../support/questions.ts";
import { createIndex } from "./ranked.ts";

/** Returns each observation's share by words, facets and sectors, rounded to three decimals. */
function shares(index: ObservationIndex, part: QuestionPart): number[] {
  const coverage = new Coverage(index, questionOf(part));
  return Array.from(
    { length: index.size },
    (_, n) => Math.round(1_000 * coverage.of(n + 1).all) / 1_000,
  );
}

Deno.test("Coverage is the share of the words' total weight that a record contains", () => {
  const index = createIndex("crane roof", "cranes", "roofs", "snow");
  assert.deepEqual(shares(index, { words: ["crane", "roof"] }), [1, 0.5, 0.5, 0]);
  // The weight of a word is ln 2 if two of the four records contain it, and ln(1 + 3.5/1.5) if one
  // does.
  assert.deepEqual(shares(index, { words: ["crane", "snow"] }), [0.365, 0.365, 0, 0.635]);
});

Deno.test("Coverage gives a word without records the highest weight", () => {
  const index = createIndex("crane roof", "crane", "roof", "snow");
  // The share is ln 2 / (ln 2 + ln 10).
  assert.deepEqual(shares(index, { words: ["crane", "zzzqqq"] }), [0.231, 0.231, 0, 0]);
  assert.deepEqual(shares(index, { words: ["zzzqqq"] }), [0, 0, 0, 0]);
});

Deno.test("Coverage of a question without words is 1", () => {
  assert.deepEqual(shares(createIndex("crane", "roof"), {}), [1, 1]);
});

Deno.test("Coverage counts a synonym by its weight, and by half of it if its words are scattered", () => {
  const index = createIndex("snow removal", "deneigement", "plowing of roads", "roads, plowing");
  const form = (words: string[], weight: number) => ({ words, weight, languages: LANGUAGES });
  const alternatives = [{
    from: 0,
    to: 2,
    forms: [form(["deneigement"], 1), form(["plowing", "roads"], 0.5)],
  }];
  const words = ["snow", "removal"];
  assert.deepEqual(shares(index, { words, alternatives }), [1, 1, 0.5, 0.25]);
});

Deno.test("Coverage does not add scattered words of a synonym to those of a partial term", () => {
  const index = createIndex(
    "security guard",
    "security of our cloud services",
    "security deposit",
    "patrol of guard",
  );
  const form = { words: ["security", "services"], weight: 0.5, languages: LANGUAGES };
  const alternatives = [{ from: 0, to: 2, forms: [form] }];
  const words = ["security", "guard"];
  // The weights are ln(1 + 1.5/3.5) for "security" and ln 2 for "guard". In the second record, the
  // scattered form gives 0.25, and half of the word "security" gives 0.17. The larger one counts.
  assert.deepEqual(shares(index, { words, alternatives }), [1, 0.25, 0.17, 0.33]);
});

Deno.test("Coverage gives words of the purpose a lower weight than words of the subject", () => {
  const index = createIndex("packaging", "food", "crane");
  const words = [{ text: "packaging", count: 1 }, { text: "food", count: 1, is_purpose: true }];
  const coverage = new Coverage(index, { ...questionOf({}), words });
  const [subject, purpose] = [1, 2].map((id) => coverage.of(id).words.toFixed(2));
  assert.deepEqual([subject, purpose], ["0.71", "0.29"]);
});

Deno.test("Coverage counts words as met by facets and sectors that cover them", () => {
  const index = createIndex(
    { facets: ["industry:software"] },
    { sectors: sectorMask(["51"]) },
    "software",
    "crane",
  );
  const question = questionOf({
    words: ["software"],
    facets: [{ any: ["industry:software"], sectors: ["51"], words: [0] }],
  });
  const coverage = new Coverage(index, question);
  assert.deepEqual([1, 2, 3, 4].map((id) => coverage.of(id)), [
    { words: 0, all: 1 },
    { words: 0, all: 1 },
    { words: 1, all: 1 },
    { words: 0, all: 0 },
  ]);
  assert.equal(coverage.standInShare, 1);
  assert.equal(new Coverage(index, questionOf({ words: ["software"] })).standInShare, 0);
});

Deno.test("Coverage does not require words that a planner has added", () => {
  const index = createIndex("freezer", "congelateur", "crane", "roof");
  const words = [{ text: "freezer", count: 1 }, { text: "congelateur", count: 1, added: true }];
  assert.deepEqual(shares(index, { words }), [1, 1, 0, 0]);
  assert.equal(new Coverage(index, questionOf({ words })).size, 1);
  // One added word can replace only one word of the query.
  const both = [...words, { text: "crane", count: 1 }];
  assert.deepEqual(shares(index, { words: both }), [0.5, 0.5, 0.5, 0]);
});

Deno.test("Coverage gives no word a negative weight, also if it occurs in both languages", () => {
  const text = { texts: ["The crane of the port", "La crane de la ville et du port"] };
  const index = createIndex({ text }, { text });
  assert.deepEqual(shares(index, { words: ["crane"] }), [1, 1]);
  assert.deepEqual(shares(index, { words: ["crane", "zzzqqq"] }).map((share) => share > 0.5), [
    false,
    false,
  ]);
  assert(shares(index, { words: ["crane", "zzzqqq"] }).every((share) => share >= 0));
});

Deno.test("wordsNeeded() returns words of which a record needs one to reach a share", () => {
  const index = createIndex("crane fund", "fund of funds", "fund", "snow plow", "plow");
  const needed = (part: QuestionPart, share: number) =>
    new Coverage(index, questionOf(part)).wordsNeeded(share);
  // The weights are ln(1 + 4.5/1.5) for "crane" and ln(1 + 2.5/3.5) for "fund". "fund" has 28 %.
  assert.deepEqual(needed({ words: ["crane", "fund"] }, 0.3), ["crane"]);
  assert.deepEqual(needed({ words: ["crane", "fund"] }, 0.2)?.toSorted(), ["crane", "fund"]);
  // A record contains a phrase only if it contains the rarest word of the phrase.
  const alternatives = [{
    from: 0,
    to: 1,
    forms: [{ words: ["snow", "plow"], weight: 1, languages: LANGUAGES }],
  }];
  assert.deepEqual(needed({ words: ["crane", "fund"], alternatives }, 0.3), ["crane", "snow"]);
  const facets = [{ any: ["industry:crane"], sectors: [], words: [0] }];
  assert.equal(needed({ words: ["crane", "fund"], facets }, 0.3), null);
  assert.equal(needed({}, 0.3), null);
});

Deno.test("Coverage halves the weight of a term's words in a record without the whole term", () => {
  const index = createIndex("security camera", "security deposit", "camera", "roof");
  const term = { from: 0, to: 2, forms: [] };
  const words = ["security", "camera"];
  assert.deepEqual(shares(index, { words }), [1, 0.5, 0.5, 0]);
  assert.deepEqual(shares(index, { words, alternatives: [term] }), [1, 0.25, 0.25, 0]);
});

Deno.test("Coverage counts a choice as met by one operand", () => {
  const index = createIndex("museum seats", "theatre", "seats", "roof");
  const words = ["museum", "theatre", "seats"];
  const choices = [{ operands: [[0], [1]] }];
  const [both, one, only_seats, neither] = shares(index, { words, choices });
  assert.deepEqual([both, neither], [1, 0]);
  // The weights are ln(1 + 3.5/1.5) for each operand and ln 2 for "seats".
  assert.deepEqual([one, only_seats], [0.776, 0.224]);
  const needed = new Coverage(index, questionOf({ words, choices })).wordsNeeded(0.5);
  assert.deepEqual(needed?.toSorted(), ["museum", "theatre"]);
});

Deno.test("Coverage gives a word that fits any trade a lower weight", () => {
  const index = createIndex("refrigeration", "systems", "roof", "snow");
  assert.deepEqual(shares(index, { words: ["refrigeration", "systems"] }), [0.714, 0.286, 0, 0]);
});

Deno.test("Coverage counts a term and a choice as one word each", () => {
  const words = ["data", "centres", "generators", "cooling"];
  const alternatives = [{ from: 0, to: 2, forms: [] }];
  const choices = [{ operands: [[2], [3]] }];
  const sizeOf = (part: QuestionPart) => new Coverage(createIndex("roof"), questionOf(part)).size;
  assert.equal(sizeOf({ words }), 4);
  assert.equal(sizeOf({ words, alternatives, choices }), 2);
});

Deno.test("requiredShares() falls with a question's length, and rises with the best share", () => {
  assert.deepEqual(requiredShares(1, 0), { met: 0.38, alone: 0.33, only: 0.4 });
  assert.deepEqual(requiredShares(3, 1), { met: 0.42, alone: 0.36, only: 0.45 });
  assert.deepEqual(requiredShares(4, 1), { met: 0.42, alone: 0.36, only: 0.2 });
  assert.deepEqual(requiredShares(5, 0), { met: 0.15, alone: 0.15, only: 0.15 });
  assert.deepEqual(requiredShares(96, 1), { met: 0.06, alone: 0.06, only: 0.06 });
});
