/** Measures the companies that a search delivers by the right records of a question. */
import { discounted } from "../relevance.ts";
import type { JudgedQuestion } from "./sets.ts";

/** A delivered company with the records that it shows. */
export interface DeliveredCompany {
  company_id: number;
  records: readonly number[];
}

/** Figures of one question. A figure is undefined if its denominator is 0. */
export interface Figures {
  /** nDCG@10 over companies that show a record which meets the question. */
  ndcg?: number;
  /** Share of the delivered companies that show a record about the subject. */
  about?: number;
  /** Share of the delivered companies that show a record which meets everything. */
  meets?: number;
  /** Share of the right companies that are delivered, of at most a page of them. */
  recall?: number;
  delivered: number;
  /** True for a question without a right answer that delivers anything. */
  charges_nothing?: boolean;
}

/** Number of companies on a page. */
export const PAGE = 25;

/** Measures an answer. @param companyOf returns the company of a record */
export function measure(
  { about, meets, type }: JudgedQuestion,
  answer: readonly DeliveredCompany[],
  companyOf: (record: number) => number,
): Figures {
  const shows = (right: ReadonlySet<number>) => (company: DeliveredCompany) =>
    company.records.some((record) => right.has(record));
  const gains = answer.map((company) => shows(meets)(company) ? 1 : 0);
  const right = new Set([...meets].map(companyOf)).size;
  const delivered = answer.length;
  if (type === "nothing") return { delivered, charges_nothing: delivered > 0 };
  const ideal = Array.from({ length: Math.min(10, right) }, () => 1);
  return {
    delivered,
    ndcg: right === 0 ? undefined : discounted(gains.slice(0, 10)) / discounted(ideal),
    about: delivered === 0 ? undefined : answer.filter(shows(about)).length / delivered,
    meets: delivered === 0 ? undefined : answer.filter(shows(meets)).length / delivered,
    recall: right === 0 ? undefined : answer.filter(shows(meets)).length / Math.min(PAGE, right),
  };
}

/** Returns the mean of the values that are defined. */
export function mean(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
