/** Judges the answers to questions about the real records by nDCG@10. Relevant companies have gain 1. */
import { ndcg } from "../relevance.ts";

/** A question, and the names of the relevant companies as raw records spell them. */
export interface NamedQuestion {
  id: string;
  kind: string;
  query: string;
  relevant: readonly string[];
}

/** Names of each company as keys (see `nameKey`), by the company's id. */
export type CompanyKeys = ReadonlyMap<number, ReadonlySet<string>>;

/** Result of one question. */
export interface QuestionScore {
  question: NamedQuestion;
  /** Normalized discounted cumulative gain of the first ten companies. */
  score: number;
  /** Ids of the delivered companies, best first. */
  delivered: readonly number[];
}

/** Number of companies that are judged. */
export const CUT = 10;

/** Reads a file with one question as JSON per line. */
export function readQuestions(path: string): NamedQuestion[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Returns a key that is equal for names that differ only in case, accents, spaces and signs. */
export function nameKey(name: string): string {
  return name.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") || name.trim();
}

/**
 * Returns nDCG@10 of the delivered companies. Relevant names without a recorded company are
 * ignored. Returns undefined if all relevant names are ignored.
 *
 * @param companies ids, best first
 */
export function scoreOf(
  { relevant }: NamedQuestion,
  companies: readonly number[],
  keys: CompanyKeys,
): number | undefined {
  const recorded = recordedKeys(keys);
  const relevantKeys = new Map(
    relevant.map(nameKey).filter((key) => recorded.has(key)).map((key) => [key, 1]),
  );
  if (relevantKeys.size === 0) return undefined;
  const counted = new Set<string>();
  const ranked = companies.map((id) => {
    const key = [...keys.get(id) ?? []].find((name) =>
      relevantKeys.has(name) && !counted.has(name)
    );
    if (key === undefined) return "";
    counted.add(key);
    return key;
  });
  return ndcg(ranked, relevantKeys, CUT);
}

const recordedOf = new WeakMap<CompanyKeys, Set<string>>();

/** Returns the keys of all companies. They are collected only once. */
function recordedKeys(keys: CompanyKeys): Set<string> {
  let recorded = recordedOf.get(keys);
  if (recorded === undefined) {
    recorded = new Set([...keys.values()].flatMap((ones) => [...ones]));
    recordedOf.set(keys, recorded);
  }
  return recorded;
}

/** Returns the mean of all scores, and then of each kind in the order of its first question. */
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
