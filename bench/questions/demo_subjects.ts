/**
 * Judges what is delivered, and charged, for questions to the demo dataset: which of the companies
 * concern the subject of the question at all. A company concerns it if its name or one of its
 * records speaks of it. A kind, a country, a place or a time is no subject unless there is nothing
 * else.
 */
import type { DemoObservation } from "../../src/demo/demo.ts";
import type { Wanted } from "../demo_judge.ts";

/** A page as it is delivered: numbers of companies, best first. */
type DeliveredPage = readonly number[];

/** Number of companies per page. */
export const PAGE = 25;

/** Figures of one question, each from 0 to 1, or nothing where there is nothing to count. */
export interface SubjectScore {
  /** The share of the delivered companies that concern the subject. */
  precision?: number;
  /** The share of the companies about the subject, at most a page of them, that were delivered. */
  recall?: number;
}

/** All observations of each company, by the company's number. */
type DemoCompanies = ReadonlyMap<number, readonly DemoObservation[]>;

/** Groups observations by their companies. */
export function companiesOf(observations: readonly DemoObservation[]): DemoCompanies {
  return Map.groupBy(observations, ({ company }) => company.number);
}

/** Judges one page. A question about nothing in the dataset is answered well by an empty page. */
export function judgePage(
  page: DeliveredPage,
  wanted: Wanted,
  companies: DemoCompanies,
): SubjectScore {
  const near = new Set<number>();
  const about = new Set<number>();
  for (const [number, observations] of companies) {
    if (isUnwanted(observations, wanted)) continue;
    if (concerns(observations, wanted, [wanted.about, wanted.near])) near.add(number);
    if (concerns(observations, wanted, [wanted.about])) about.add(number);
  }
  const right = page.filter((number) => near.has(number)).length;
  const hit = page.filter((number) => about.has(number)).length;
  return {
    precision: page.length > 0 ? right / page.length : about.size === 0 ? 1 : undefined,
    recall: about.size === 0 ? undefined : Math.min(1, hit / Math.min(about.size, PAGE)),
  };
}

function concerns(
  observations: readonly DemoObservation[],
  { hostname, trade, about, kinds, sectors }: Wanted,
  patterns: readonly (RegExp | undefined)[],
): boolean {
  const [{ company }] = observations as [DemoObservation];
  if (hostname !== undefined) return company.hostnames.includes(hostname);
  if (about !== undefined) {
    const texts = observations.flatMap(textsOf);
    return patterns.some((pattern) => texts.some((text) => pattern?.test(text)));
  }
  if (trade !== undefined) return trade.test(company.name);
  return observations.some(({ kind }) =>
    (kinds?.includes(kind) ?? true) && (sectors?.includes(company.sector) ?? true)
  );
}

function textsOf({ company, record }: DemoObservation): string[] {
  const { observed_fact, why_it_may_matter, evidence } = record;
  return [
    company.name,
    observed_fact,
    why_it_may_matter,
    ...evidence.map(({ excerpt }) => excerpt),
  ];
}

/** Returns whether the question says that it wants nothing to do with the company's business. */
function isUnwanted(observations: readonly DemoObservation[], { not }: Wanted): boolean {
  const [{ company }] = observations as [DemoObservation];
  const { name, products, facility } = company.trade;
  return not !== undefined && [name, ...products, facility].some((text) => not.test(text));
}

/** Returns the mean of what was counted. */
export function meanOf(values: readonly (number | undefined)[]): number {
  const counted = values.filter((value) => value !== undefined);
  return counted.reduce((sum, value) => sum + value, 0) / counted.length;
}
