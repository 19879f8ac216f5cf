/** Asks questions about the real records over the public interface or over an index alone. */
import { createPipeline } from "../engines/pipeline.ts";
import { openApi } from "./api.ts";
import { askQuestions } from "./ask.ts";
import { openRealDataset } from "./dataset.ts";
import type { CompanyKeys, NamedQuestion, QuestionScore } from "./judge.ts";
import { documentsOf, savedRows } from "./saved.ts";

/** Scores, and the names of all companies. */
export interface RealScores {
  scores: QuestionScore[];
  keys: CompanyKeys;
}

/** Asks over a temporary database with the records. Returns undefined if no server starts. */
export async function askRealApi(
  questions: readonly NamedQuestion[],
): Promise<RealScores | undefined> {
  await using dataset = await openRealDataset();
  if (dataset === undefined) return undefined;
  await using api = await openApi(dataset.db);
  const { keys } = dataset;
  const answer = async (query: string, limit: number) =>
    (await api.search(query, limit)).companies.map(({ id }) => id);
  return { scores: await askQuestions(questions, { answer, keys }), keys };
}

/** Asks an index of the saved rows. Returns undefined if there are neither rows nor a server. */
export async function askRealFast(
  questions: readonly NamedQuestion[],
  { hybrid }: { hybrid: boolean },
): Promise<RealScores | undefined> {
  const rows = await savedRows();
  if (rows === undefined) return undefined;
  const { pages, keys } = rows;
  const pipeline = createPipeline(documentsOf(pages), { hybrid, now: new Date() });
  const answer = (query: string, limit: number) =>
    Promise.resolve(pipeline.search(query).slice(0, limit).map(({ company_id }) => company_id));
  return { scores: await askQuestions(questions, { answer, keys }), keys };
}
