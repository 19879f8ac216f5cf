/** Grades demo observations by the facts from which they were generated, not by their texts. */
import type { Country, Kind, Sector } from "../src/contract/vocabulary.ts";
import type { DemoObservation } from "../src/demo/demo.ts";
import type { Scene } from "../src/demo/texts.ts";

/** Criteria of a good answer. An absent criterion is always met. */
export interface Wanted {
  kinds?: Kind[];
  not_kinds?: Kind[];
  country?: Country;
  /** Pattern of the full name of the region. */
  region?: RegExp;
  sectors?: Sector[];
  /** Earliest moment at which the observed fact may have occurred. */
  after?: string;
  /** Moment before which the observed fact must have occurred. */
  before?: string;
  /** Pattern of the subject of an observation (see SUBJECT_FIELDS), in either language. */
  about?: RegExp;
  /** Pattern of related subjects, in either language. */
  near?: RegExp;
  /** Pattern of the name of the company's trade. */
  trade?: RegExp;
  /** Pattern of subjects that neither the observation nor the company may have. */
  not?: RegExp;
  /** A hostname of the company. */
  hostname?: string;
}

/** Fields of `scene` that name the subject of an observation, by the observation's kind. */
const SUBJECT_FIELDS: Record<Kind, readonly (keyof Scene)[]> = {
  procurement_request: ["need"],
  facility_expansion: ["facility"],
  funding_round: ["product", "technology", "facility"],
  leadership_change: ["technology"],
  product_launch: ["second_product"],
  partnership: ["product", "technology"],
  technology_use: ["technology"],
  job_posting: ["role"],
  company_profile: ["product", "second_product", "facility", "technology"],
};

/**
 * Returns the grade of an observation:
 *
 * - 3: it meets all criteria.
 * - 2: it meets all other criteria, but its subject is only related (`near`).
 * - 1: its subject is right (`about`), but it misses one other criterion. Or it meets all other
 *   criteria, but only the company's business matches `about`.
 * - 0: any other observation, and those that the criteria exclude.
 */
export function gradeOf(observation: DemoObservation, wanted: Wanted): number {
  const { company, kind, record, scene } = observation;
  const business = [company.trade.name, ...company.trade.products, company.trade.facility];
  const subjects = SUBJECT_FIELDS[kind].map((field) => String(scene[field]));
  if (wanted.not && [...business, ...subjects].some((text) => wanted.not!.test(text))) return 0;
  if (wanted.not_kinds?.includes(kind)) return 0;
  const occurred = record.occurred_at ?? "";
  const missed = [
    wanted.kinds?.includes(kind),
    wanted.country && wanted.country === record.country,
    wanted.region && wanted.region.test(scene.region),
    wanted.sectors?.includes(company.sector),
    wanted.trade && wanted.trade.test(company.trade.name),
    wanted.hostname && company.hostnames.includes(wanted.hostname),
    wanted.after && occurred >= wanted.after,
    wanted.before && occurred !== "" && occurred < wanted.before,
  ].filter((met) => met === false).length;
  const subjectGrade = subjectGradeOf(wanted, subjects, business);
  if (missed === 0) return subjectGrade;
  return missed === 1 && subjectGrade === 3 && wanted.about !== undefined ? 1 : 0;
}

/** Returns the grade by subject alone, as if all other criteria were met. */
function subjectGradeOf({ about, near }: Wanted, subjects: string[], business: string[]): number {
  if (about === undefined || subjects.some((text) => about.test(text))) return 3;
  if (near !== undefined && subjects.some((text) => near.test(text))) return 2;
  return business.some((text) => about.test(text)) ? 1 : 0;
}
