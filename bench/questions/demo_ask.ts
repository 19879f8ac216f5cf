/** Asks the questions to the demo dataset, whoever answers them, and judges the answers. */
import type { DemoObservation } from "../../src/demo/demo.ts";
import { gradeOf, type Wanted } from "../demo_judge.ts";
import { DEMO_QUESTIONS, type DemoQuestion, isHeldOut } from "../demo_questions.ts";
import { markdownTable } from "../floors.ts";
import { companiesOf, judgePage, meanOf, PAGE, type SubjectScore } from "./demo_subjects.ts";
import { CUT } from "./judge.ts";
import { NONSENSE, SUBJECT_QUESTIONS } from "./subject_questions.ts";

/** A company as it is delivered: the places of its shown observations, best first. */
type DemoAnswer = readonly number[];

/** Returns the companies that answer a query, best first. */
type DemoAnswering = (query: string, limit: number) => Promise<readonly DemoAnswer[]>;

/** Scores of one question. */
export interface DemoScore extends SubjectScore {
  text: string;
  /** nDCG@10 of a graded question. */
  ndcg?: number;
  delivered: number;
}

/** Scores of the graded questions, of those about narrow subjects, and of nonsense. */
export interface DemoScores {
  graded: DemoScore[];
  subjects: DemoScore[];
  /** Number of companies that were delivered for words that nobody uses. */
  nonsense: number;
}

/** Asks all questions. */
export async function askDemo(
  observations: readonly DemoObservation[],
  answer: DemoAnswering,
): Promise<DemoScores> {
  const companies = companiesOf(observations);
  const ask = async (text: string, wanted: Wanted) => {
    const answers = await answer(text, PAGE);
    const page = answers.map(([place]) => observations[place!]!.company.number);
    const score = { text, delivered: page.length, ...judgePage(page, wanted, companies) };
    return { answers, score };
  };
  const graded: DemoScore[] = [];
  for (const { text, wanted } of DEMO_QUESTIONS) {
    const { answers, score } = await ask(text, wanted);
    graded.push({ ...score, ndcg: ndcgOf(answers, wanted, observations) });
  }
  const subjects: DemoScore[] = [];
  for (const [text, wanted] of SUBJECT_QUESTIONS) subjects.push((await ask(text, wanted)).score);
  let nonsense = 0;
  for (const text of NONSENSE) nonsense += (await answer(text, PAGE)).length;
  return { graded, subjects, nonsense };
}

/** Returns nDCG@10. The grade of a company is the best one of what is shown of it. */
function ndcgOf(
  answers: readonly DemoAnswer[],
  wanted: Wanted,
  observations: readonly DemoObservation[],
): number {
  const grades = observations.map((observation) => gradeOf(observation, wanted));
  const best = new Map<number, number>();
  for (const [place, { company }] of observations.entries()) {
    best.set(company.number, Math.max(best.get(company.number) ?? 0, grades[place]!));
  }
  const gains = answers.map((places) => Math.max(...places.map((place) => grades[place]!)));
  return discounted(gains) / discounted([...best.values()].sort((a, b) => b - a));
}

function discounted(grades: readonly number[]): number {
  return grades.slice(0, CUT).reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
}

/** Returns the means as Markdown tables. */
export function demoTable({ graded, subjects, nonsense }: DemoScores): string {
  const groups: [string, (question: DemoQuestion, place: number) => boolean][] = [
    ["all", () => true],
    ["seen", (_, place) => !isHeldOut(place)],
    ["held out", (_, place) => isHeldOut(place)],
    ["English", ({ language }) => language === "en"],
    ["French", ({ language }) => language === "fr"],
  ];
  const rows = groups.map(([name, belongs]) =>
    row(name, graded.filter((_, place) => belongs(DEMO_QUESTIONS[place]!, place)))
  );
  const head = ["questions to the demo records", "number", "nDCG@10", "precision", "recall"];
  return markdownTable(head, [...rows, row("narrow subjects", subjects)]) +
    `\ncompanies delivered for nonsense words: ${nonsense}`;
}

function row(name: string, scores: readonly DemoScore[]): string[] {
  const mean = (figure: "ndcg" | "precision" | "recall") =>
    meanOf(scores.map((score) => score[figure]));
  const ndcg = mean("ndcg");
  return [
    name,
    String(scores.length),
    Number.isNaN(ndcg) ? "" : ndcg.toFixed(3),
    mean("precision").toFixed(3),
    mean("recall").toFixed(3),
  ];
}
