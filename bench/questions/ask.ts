/** Asks any retriever the questions about the real records, and scores its answers. */
import { REAL_DATA } from "../../test/support/real_records.ts";
import { markdownTable } from "../floors.ts";
import {
  type CompanyKeys,
  CUT,
  meansByKind,
  type NamedQuestion,
  type QuestionScore,
  readQuestions,
  scoreOf,
} from "./judge.ts";

/** Returns the ids of the companies that answer a query, best first. */
type Answering = (query: string, limit: number) => Promise<readonly number[]>;

/** Reads the shared questions about the real records. */
export function realQuestions(): NamedQuestion[] {
  return readQuestions(`${REAL_DATA}questions/questions.jsonl`);
}

/** Asks and scores every question. Omits questions whose relevant companies are not recorded. */
export async function askQuestions(
  questions: readonly NamedQuestion[],
  { answer, keys }: { answer: Answering; keys: CompanyKeys },
): Promise<QuestionScore[]> {
  const scores: QuestionScore[] = [];
  for (const question of questions) {
    const delivered = await answer(question.query, CUT);
    const score = scoreOf(question, delivered, keys);
    if (score !== undefined) scores.push({ question, score, delivered });
  }
  return scores;
}

/** Returns the means of all questions and of each kind as a Markdown table. */
export function questionTable(scores: readonly QuestionScore[]): string {
  return markdownTable(
    ["kind of question", "questions", "nDCG@10"],
    meansByKind(scores).map(({ kind, questions, mean }) => [
      kind,
      String(questions),
      mean.toFixed(3),
    ]),
  );
}
