/**
 * Does the service deliver the right companies, and no others? Questions about the real records and
 * about the demo dataset are asked over the public interface.
 */
import { ownQuestions } from "../test/search/questions/own_questions.ts";
import { hasRealData } from "../test/support/real_records.ts";
import { benchInChild, say } from "./child.ts";
import type { Floor } from "./floors.ts";
import { questionTable, realQuestions } from "./questions/ask.ts";
import { type DemoScore, demoTable } from "./questions/demo_ask.ts";
import { DEMO_QUESTIONS } from "./demo_questions.ts";
import { askDemoApi } from "./questions/demo_runs.ts";
import { meanOf } from "./questions/demo_subjects.ts";
import { meansByKind, type QuestionScore } from "./questions/judge.ts";
import { askRealApi } from "./questions/runs.ts";

/** Min nDCG@10 of all shared questions. */
const MEAN_MIN = 0.88;
/** Min nDCG@10 of each kind of question except MISSPELLED. */
const KIND_MIN = 0.75;
const MISSPELLED = "name with an error";
const MISSPELLED_MIN = 0.85;

await benchInChild(import.meta.url, async () => [...await askReal(), ...await askDemo()]);

async function askReal(): Promise<Floor[]> {
  if (!hasRealData()) {
    say("no questions about the real records: ../shared/data does not contain them");
    return [];
  }
  const shared = realQuestions();
  const answers = await askRealApi([...shared, ...await ownQuestions()]);
  if (answers === undefined) {
    say("no questions about the real records: there are no binaries of a PostgreSQL server");
    return [];
  }
  const ids = new Set(shared.map(({ id }) => id));
  const [sharedScores, ownScores] = [true, false].map((isShared) =>
    answers.scores.filter(({ question }) => ids.has(question.id) === isShared)
  ) as [QuestionScore[], QuestionScore[]];
  say(`\n${questionTable(sharedScores)}\n\n${questionTable(ownScores)}`);
  return [
    ...sharedFloors(sharedScores),
    withoutFloor("nDCG@10 of our own questions", meansByKind(ownScores)[0]!.mean),
  ];
}

function sharedFloors(scores: readonly QuestionScore[]): Floor[] {
  const [all, ...kinds] = meansByKind(scores);
  const misspelled = kinds.find(({ kind }) => kind === MISSPELLED)!;
  const worst = kinds.filter((kind) => kind !== misspelled).toSorted((a, b) => a.mean - b.mean)[0]!;
  return [
    withFloor("nDCG@10 of the shared questions", all!.mean, MEAN_MIN),
    withFloor(`the same, worst kind of question (${worst.kind})`, worst.mean, KIND_MIN),
    withFloor(`the same, ${MISSPELLED}`, misspelled.mean, MISSPELLED_MIN),
  ];
}

async function askDemo(): Promise<Floor[]> {
  const scores = await askDemoApi();
  say("\n" + demoTable(scores));
  const { graded, subjects, nonsense } = scores;
  const mean = (of: readonly DemoScore[], figure: "ndcg" | "precision" | "recall") =>
    meanOf(of.map((score) => score[figure]));
  const french = graded.filter((_, place) => DEMO_QUESTIONS[place]!.language === "fr");
  const all = [...graded, ...subjects];
  return [
    withFloor("delivered companies that concern the subject, demo", mean(all, "precision"), 0.75),
    withFloor("companies about the subject that are delivered, demo", mean(all, "recall"), 0.95),
    {
      what: "companies delivered for nonsense words",
      floor: "none",
      measured: String(nonsense),
      met: nonsense === 0,
    },
    withFloor("nDCG@10 of the demo questions", mean(graded, "ndcg"), 0.86),
    withFloor("the same, in French", mean(french, "ndcg"), 0.8),
  ];
}

function withFloor(what: string, value: number, floor: number): Floor {
  return { what, floor: `at least ${floor}`, measured: value.toFixed(3), met: value >= floor };
}

function withoutFloor(what: string, value: number): Floor {
  return { what, floor: "", measured: value.toFixed(3) };
}
