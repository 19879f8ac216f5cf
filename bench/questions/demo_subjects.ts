/**
 * Judges pages of delivered companies by the subjects of questions about the demo dataset. A
 * company concerns a subject if its name or one of its records mentions the subject. If a question
 * names no subject, its hostname, its trade, or its kinds and sectors decide. The country, place
 * and time of a question are ignored.
 */
import type { DemoObservation } from "../../src/demo/demo.ts";
import type { Wanted } from "../demo_judge.ts";

/** A delivered page: numbers of companies, best first. */
type DeliveredPage = readonly number[];

/** Max number of companies per page. */
export const PAGE = 25;

/** Figures of one question, from 0 to 1. A figure is absent if its denominator is 0. */
export interface SubjectScore {
  /** Share of the delivered companies that concern the subject. */
  precision?: number;
  /**
   * Share of the companies about the subject that were delivered. If there are more than PAGE, the
   * share refers to PAGE of them.
   */
  recall?: number;
}

/** All observations of each company, by the company's number. */
type DemoCompanies = ReadonlyMap<number, readonly DemoObservation[]>;

/** Groups observations by their companies. */
export function companiesOf(observations: readonly DemoObservation[]): DemoCompanies {
  return Map.groupBy(observations, ({ company }) => company.number);
}

/** Judges a page. If no company is about the subject, the precision of an empty page is 1. */
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
  const relevant = page.filter((number) => near.has(number)).length;
  const hits = page.filter((number) => about.has(number)).length;
  return {
    precision: page.length > 0 ? relevant / page.length : about.size === 0 ? 1 : undefined,
    recall: about.size === 0 ? undefined : Math.min(1, hits / Math.min(about.size, PAGE)),
  };
}

/** Returns whether a company concerns the subject of a question. @param patterns of the subject */
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

/** Returns whether the question excludes the company's business. */
function isUnwanted(observations: readonly DemoObservation[], { not }: Wanted): boolean {
  const [{ company }] = observations as [DemoObservation];
  const { name, products, facility } = company.trade;
  return not !== undefined && [name, ...products, facility].some((text) => not.test(text));
}

/** Returns the mean of all values that are not undefined. */
export function meanOf(values: readonly (number | undefined)[]): number {
  const defined = values.filter((value) => value !== undefined);
  return defined.reduce((sum, value) => sum + value, 0) / defined.length;
}
