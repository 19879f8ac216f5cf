/**
 * Are the right companies delivered, and only those? Questions to the real records and to the demo
 * dataset, asked through the public interface.
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

/** Floors of nDCG@10: of all shared questions, of each kind, and of the one kind with another floor. */
const LEAST_MEAN = 0.88;
const LEAST_KIND = 0.75;
const MISSPELLED = "name with an error";
const LEAST_MISSPELLED = 0.85;

await benchInChild(import.meta.url, async () => [...await askReal(), ...await askDemo()]);

async function askReal(): Promise<Floor[]> {
  if (!hasRealData()) {
    say("no questions to the real records: they are not at ../shared/data");
    return [];
  }
  const shared = realQuestions();
  const asked = await askRealApi([...shared, ...await ownQuestions()]);
  if (asked === undefined) {
    say("no questions to the real records: there are no binaries of a PostgreSQL server");
    return [];
  }
  const ids = new Set(shared.map(({ id }) => id));
  const [known, ours] = [true, false].map((isShared) =>
    asked.scores.filter(({ question }) => ids.has(question.id) === isShared)
  ) as [QuestionScore[], QuestionScore[]];
  say(`\n${questionTable(known)}\n\n${questionTable(ours)}`);
  return [...sharedFloors(known), told("nDCG@10 of our own questions", meansByKind(ours)[0]!.mean)];
}

function sharedFloors(scores: readonly QuestionScore[]): Floor[] {
  const [all, ...kinds] = meansByKind(scores);
  const misspelled = kinds.find(({ kind }) => kind === MISSPELLED)!;
  const worst = kinds.filter((one) => one !== misspelled).toSorted((a, b) => a.mean - b.mean)[0]!;
  return [
    least("nDCG@10 of the shared questions", all!.mean, LEAST_MEAN),
    least(`the same, worst kind of question (${worst.kind})`, worst.mean, LEAST_KIND),
    least(`the same, ${MISSPELLED}`, misspelled.mean, LEAST_MISSPELLED),
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
    least("delivered companies that concern the subject, demo", mean(all, "precision"), 0.75),
    least("companies about the subject that are delivered, demo", mean(all, "recall"), 0.95),
    {
      what: "companies delivered for nonsense words",
      floor: "none",
      measured: String(nonsense),
      met: nonsense === 0,
    },
    least("nDCG@10 of the demo questions", mean(graded, "ndcg"), 0.86),
    least("the same, in French", mean(french, "ndcg"), 0.8),
  ];
}

function least(what: string, value: number, floor: number): Floor {
  return { what, floor: `at least ${floor}`, measured: value.toFixed(3), met: value >= floor };
}

function told(what: string, value: number): Floor {
  return { what, floor: "", measured: value.toFixed(3) };
}
