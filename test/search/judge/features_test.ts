import assert from "node:assert/strict";
import { RecordIndex } from "../../../src/search/index/record_index.ts";
import { FeatureReader, FEATURES } from "../../../src/search/judge/features.ts";
import { NO_FILTERS } from "../../../src/search/match/criteria.ts";
import { matchNow } from "../../../src/search/match/match.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
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
    index.put(observationDocument(at + 1, { text: { observed_fact } }));
  }
  const { records } = index;
  const question = readQuestion(query, new Date(NOW), records);
  const matched = matchNow({ records, question, filters: { ...NO_FILTERS, now: NOW } });
  const reader = new FeatureReader(records, question, matched);
  return Object.fromEntries(matched.candidates.map((candidate) => {
    const { base, arrays } = records.segmentOf(candidate.slot);
    const value = reader.read(candidate)[FEATURES.indexOf(name)]!;
    return [arrays.ids[candidate.slot - base]!, Math.round(100 * value) / 100];
  }));
}

Deno.test("FeatureReader measures the words of a record, and the units of the subject", () => {
  const long = `Zircon ${"Ontario ".repeat(500)}`;
  const short = `Zircon ${"Ontario ".repeat(39)}`;
  assert.deepEqual(featureOf("length", "zircon", [short, long]), { 1: 0.1, 2: 1 });
  assert.deepEqual(featureOf("brevity", "zircon", ["Zircon."]), { 1: 1 });
  assert.deepEqual(featureOf("brevity", "zircon mullite", ["Zircon."]), { 1: 0.5 });
});
