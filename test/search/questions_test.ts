import assert from "node:assert/strict";
import { openApi } from "../../bench/questions/api.ts";
import { askQuestions, realQuestions } from "../../bench/questions/ask.ts";
import { openTenders, readCompanyKeys } from "../../bench/questions/dataset.ts";
import { meansByKind, type QuestionScore } from "../../bench/questions/judge.ts";
import { askDemoApi } from "../../bench/questions/demo_runs.ts";
import { meanOf } from "../../bench/questions/demo_subjects.ts";
import type { Database } from "../../src/db/connect.ts";
import { serverTest } from "../support/database.ts";
import { hasRealData, ingestRealRecords } from "../support/real_records.ts";
import { ownQuestions } from "./questions/own_questions.ts";

/**
 * Min scores of the ranking, which are raised when the ranking improves. `own` are the questions of
 * own_questions.ts, and `shared` are those of ../shared/data. Their scores are nDCG@10, as the mean
 * of all questions and of each kind. The recall of `demo` counts all companies about the subject,
 * also those that state another place, time, round or role. Only `nonsense` is a max: the number of
 * companies that may be found for nonsense words.
 */
const FLOORS = {
  own: { mean: 0.92, kind: 0.75 },
  shared: { mean: 0.96, kind: 0.74 },
  demo: { precision: 0.83, recall: 0.63, ndcg: 0.81, nonsense: 0 },
};

const MISSING = hasRealData() ? "" : " (skipped: ../shared/data is not beside the project)";

/**
 * Registers a test of the real records in ../shared/data. Without them the test is ignored, and its
 * name gives the reason.
 */
function realTest(name: string, body: (db: Database) => Promise<void>): void {
  if (MISSING === "") serverTest(name, ({ db }) => body(db));
  else Deno.test({ name: name + MISSING, ignore: true, fn() {} });
}

realTest(
  "questions about the records of all sources find the right companies",
  async (db) => {
    await ingestRealRecords(db);
    await openTenders(db);
    const questions = await ownQuestions();
    const keys = await readCompanyKeys(db);
    await using api = await openApi(db);
    const answer = async (query: string, limit: number) =>
      (await api.search(query, limit)).companies.map(({ id }) => id);
    const ask = { answer, keys };
    const scores = await askQuestions(questions, ask);
    assert.deepEqual(scores.map(({ question }) => question.id), questions.map(({ id }) => id));
    assertMeans(scores, FLOORS.own);
    assertMeans(await askQuestions(realQuestions(), ask), FLOORS.shared);
  },
);

function assertMeans(
  scores: readonly QuestionScore[],
  floor: { mean: number; kind: number },
): void {
  const means = meansByKind(scores);
  const table = JSON.stringify(means);
  assert.ok(means[0]!.mean >= floor.mean, table);
  assert.ok(means.every(({ mean }) => mean >= floor.kind), table);
}

Deno.test("questions about the demo dataset find companies that match their subject", async () => {
  const { graded, subjects, nonsense } = await askDemoApi();
  const all = [...graded, ...subjects];
  const { precision, recall, ndcg, nonsense: nonsense_max } = FLOORS.demo;
  assert.ok(meanOf(all.map((score) => score.precision)) >= precision);
  assert.ok(meanOf(all.map((score) => score.recall)) >= recall);
  assert.ok(meanOf(graded.map((score) => score.ndcg)) >= ndcg);
  assert.ok(nonsense <= nonsense_max, `${nonsense} companies for nonsense words`);
});
