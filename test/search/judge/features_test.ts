import assert from "node:assert/strict";
import { RecordIndex } from "../../../src/search/index/record_index.ts";
import { FEATURES, featuresOf } from "../../../src/search/judge/features.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { match } from "../../../src/search/match/match.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { runNow } from "../../../src/slices.ts";
import { observationDocument } from "../../support/documents.ts";

const NOW = "2026-07-01T00:00:00.000000Z";

/** Returns one feature of each candidate by its record, among records with these facts. */
function featureOf(
  name: typeof FEATURES[number],
  query: string,
  facts: readonly string[],
): Record<number, number> {
  const index = new RecordIndex();
  for (const [at, observed_fact] of facts.entries()) {
    index.put(observationDocument(at + 1, { observed_fact }));
  }
  const { records } = index;
  const question = readQuestion(query, new Date(NOW), records);
  const matched = runNow(match({ records, question, filters: { ...NO_FILTERS, now: NOW } }));
  const read = featuresOf(records, question, matched);
  return Object.fromEntries(matched.candidates.map((candidate) => {
    const [{ arrays }, document] = records.placeOf(candidate.slot);
    const value = read(candidate)[FEATURES.indexOf(name)]!;
    return [arrays.observation_id[document]!, Math.round(100 * value) / 100];
  }));
}

Deno.test("featuresOf() measures the words of a record, and the units of the subject", () => {
  const long = `Zircon ${"Ontario ".repeat(500)}`;
  const short = `Zircon ${"Ontario ".repeat(39)}`;
  assert.deepEqual(featureOf("length", "zircon", [short, long]), { 1: 0.1, 2: 1 });
  assert.deepEqual(featureOf("brevity", "zircon", ["Zircon."]), { 1: 1 });
  assert.deepEqual(featureOf("brevity", "zircon mullite", ["Zircon."]), { 1: 0.5 });
  // It meets all of three words, and no record has a better score: 1 × (1 × 2/3)².
  const whole = ["Zircon mullite kyanite."];
  assert.deepEqual(featureOf("prominence", "zircon mullite kyanite", whole), { 1: 0.44 });
  assert.deepEqual(featureOf("prominence", "zircon", whole), { 1: 0 });
});

Deno.test("featuresOf() compares a record with one that meets the subject in full", () => {
  const facts = ["Zircon and mullite.", "Zircon."];
  const any = featureOf("any", "zircon mullite", facts);
  assert.equal(any[1], 1);
  assert.ok(any[2]! > 0 && any[2]! < 1);
  const shortfall = featureOf("shortfall", "zircon mullite", facts);
  assert.deepEqual(shortfall, { 1: 0, 2: Math.round(100 * (1 - any[2]!)) / 100 });
  assert.deepEqual(featureOf("shortfall", "zircon mullite", ["Zircon."]), { 1: 0 });
});

Deno.test("featuresOf() finds nothing of the subject in a record that only states its kind", () => {
  const facts = ["Tenders for zircon.", "Tenders."];
  const any = featureOf("any", "tenders for zircon", facts);
  assert.ok(any[1]! > 0);
  assert.equal(any[2], 0);
  assert.ok(featureOf("any", "facility expansions", ["Facility expansions."])[1]! > 0);
});

Deno.test("featuresOf() finds nothing in a silent record of a question without a subject", () => {
  const facts = ["Tenders for zircon."];
  assert.deepEqual(featureOf("any", "tenders closing this month", facts), { 1: 0 });
  assert.deepEqual(featureOf("weakest", "tenders closing this month", facts), { 1: 0 });
  assert.deepEqual(featureOf("any", "closing this month", ["Closing."]), { 1: 0 });
  assert.ok(featureOf("any", "tenders for zircon closing this month", facts)[1]! > 0);
  // A record of another kind is none of "product launches", whatever words it contains.
  assert.deepEqual(featureOf("any", "product launches", ["A product launches."]), { 1: 0 });
});

Deno.test("featuresOf() knows a rare word, a silent record and a record of another kind", () => {
  // One of four records contains a word, and none of 1,000 others: ln(1005 / 1.5) of ln(1005 / 0.5).
  const facts = ["Zircon.", "Mullite.", "Mullite.", "Mullite."];
  assert.deepEqual(featureOf("rarity", "zircon", facts), { 1: 0.86 });
  assert.deepEqual(featureOf("rarity", "mullite", facts), { 2: 0.74, 3: 0.74, 4: 0.74 });
  assert.deepEqual(featureOf("silent", "zircon in Ontario", facts), { 1: 1 });
  assert.deepEqual(featureOf("silent", "zircon", facts), { 1: 0 });
  // A round names the kind of its records.
  assert.deepEqual(featureOf("other_kind", "Series A zircon", facts), { 1: 1 });
  assert.deepEqual(featureOf("other_kind", "companies that raised for zircon", facts), { 1: 1 });
  assert.deepEqual(featureOf("other_kind", "zircon", facts), { 1: 0 });
});
