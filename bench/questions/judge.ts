/** Judges what is delivered for the questions to the real records, by nDCG@10 with gain 1. */
import { ndcg } from "../relevance.ts";

/** A question with the raw names of the companies that answer it. */
export interface NamedQuestion {
  id: string;
  kind: string;
  query: string;
  relevant: readonly string[];
}

/** The names that each company is known by, as keys, by the company's id. */
export type CompanyKeys = ReadonlyMap<number, ReadonlySet<string>>;

/** The result of one question. */
export interface QuestionScore {
  question: NamedQuestion;
  /** Normalized discounted cumulative gain of the first ten companies. */
  score: number;
  /** Ids of the delivered companies, best first. */
  delivered: readonly number[];
}

/** Number of companies that count. */
export const CUT = 10;

/** Reads questions, one JSON object in a line. */
export function readQuestions(path: string): NamedQuestion[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Returns a name without case, accents, spaces and signs, for comparing raw and recorded names. */
export function nameKey(name: string): string {
  return name.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") || name.trim();
}

/**
 * Scores the delivered companies. Relevant names without a company are left out.
 * Returns nothing where no relevant name has a company.
 *
 * @param companies best first
 */
export function scoreOf(
  { relevant }: NamedQuestion,
  companies: readonly number[],
  keys: CompanyKeys,
): number | undefined {
  const recorded = recordedKeys(keys);
  const wanted = new Map(
    relevant.map(nameKey).filter((key) => recorded.has(key)).map((key) => [key, 1]),
  );
  if (wanted.size === 0) return undefined;
  const counted = new Set<string>();
  const ranked = companies.map((id) => {
    const key = [...keys.get(id) ?? []].find((one) => wanted.has(one) && !counted.has(one));
    if (key === undefined) return "";
    counted.add(key);
    return key;
  });
  return ndcg(ranked, wanted, CUT);
}

const recordedOf = new WeakMap<CompanyKeys, Set<string>>();

/** Returns the keys of all companies. They are collected once. */
function recordedKeys(keys: CompanyKeys): Set<string> {
  let recorded = recordedOf.get(keys);
  if (recorded === undefined) {
    recorded = new Set([...keys.values()].flatMap((ones) => [...ones]));
    recordedOf.set(keys, recorded);
  }
  return recorded;
}

/** Returns the mean of all scores and of each kind, in the order in which the kinds come up. */
export function meansByKind(
  scores: readonly QuestionScore[],
): { kind: string; questions: number; mean: number }[] {
  const groups = Map.groupBy(scores, ({ question }) => question.kind);
  return [["all", [...scores]] as const, ...groups].map(([kind, members]) => ({
    kind,
    questions: members.length,
    mean: members.map(({ score }) => score).reduce((sum, score) => sum + score, 0) / members.length,
  }));
}
