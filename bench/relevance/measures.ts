/** Measures the companies that a search delivers by the right records of a question. */
import type { JudgedQuestion } from "./sets.ts";

/** A delivered company with the records that it shows. */
export interface DeliveredCompany {
  company_id: number;
  records: readonly number[];
}

/** Figures of one question, from 0 to 1. A figure is undefined if its denominator is 0. */
export interface Figures {
  /** nDCG@10 over companies. The gain of a company is the best grade of its shown records. */
  ndcg?: number;
  /** Share of the delivered companies that show a record about the subject. */
  about?: number;
  /** Share of the delivered companies that show a record which meets everything. */
  meets?: number;
  /** Share of the delivered companies that show a record at the place of the question. */
  place?: number;
  /** Share of the right companies that are delivered, of at most a page of them. */
  recall?: number;
  /** For a question without a right answer: whether it delivers anything, as 1 or 0. */
  charges_nothing?: number;
}

/** Number of companies on a page. */
export const PAGE = 25;

/** Number of companies that nDCG judges. */
const CUT = 10;

/** Measures an answer. @param companyOf returns the company of a record */
export function measure(
  { about, meets, grades, at_place, has_answer }: JudgedQuestion,
  answer: readonly DeliveredCompany[],
  companyOf: (record: number) => number,
): Figures {
  if (!has_answer) return { charges_nothing: answer.length > 0 ? 1 : 0 };
  const gradeOf = (record: number) => grades?.get(record) ?? (meets.has(record) ? 1 : 0);
  const best = new Map<number, number>();
  for (const record of grades?.keys() ?? meets) {
    const company = companyOf(record);
    best.set(company, Math.max(best.get(company) ?? 0, gradeOf(record)));
  }
  const right = new Set([...meets].map(companyOf)).size;
  const showing = (records: ReadonlySet<number>) =>
    answer.filter((company) => company.records.some((record) => records.has(record))).length;
  const share = (count: number, of: number) => of === 0 ? undefined : count / of;
  const gains = answer.map(({ records }) => Math.max(...records.map(gradeOf)));
  return {
    ndcg: best.size === 0 ? undefined : discounted(gains) / discounted(descending(best.values())),
    about: share(showing(about), answer.length),
    meets: share(showing(meets), answer.length),
    place: at_place && share(showing(at_place), answer.length),
    recall: share(showing(meets), Math.min(PAGE, right)),
  };
}

function descending(values: Iterable<number>): number[] {
  return [...values].sort((a, b) => b - a);
}

/** Returns the discounted cumulative gain. @param gains of the ranked companies, best first */
function discounted(gains: readonly number[]): number {
  return gains.slice(0, CUT).reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
}

/** Returns the mean of the values that are defined. */
export function mean(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Returns the mean of each figure as the cells of a table, and an empty cell if it has no value. */
export function meanCells(all: readonly Figures[]): string[] {
  const figures = ["ndcg", "about", "meets", "place", "recall"] as const;
  const charges = all.flatMap(({ charges_nothing }) => charges_nothing ?? []);
  const cells = figures.map((name) => mean(all.map((one) => one[name])))
    .map((value) => Number.isNaN(value) ? "" : value.toFixed(3));
  const charging = charges.reduce((sum, value) => sum + value, 0);
  return [...cells, charges.length === 0 ? "" : `${charging} of ${charges.length}`];
}

/** Heads of the columns of meanCells(). */
export const FIGURE_HEADS = [
  "nDCG@10",
  "about",
  "meets",
  "place",
  "recall",
  "charging without an answer",
];
