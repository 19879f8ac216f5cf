/** Grades observations of the demo dataset by what the generator knows of them, not by their texts. */
import type { Country, Kind, Sector } from "../src/contract/vocabulary.ts";
import type { DemoObservation } from "../src/demo/demo.ts";
import type { Scene } from "../src/demo/texts.ts";

/** Criteria of a good answer. An absent one does not matter. */
export interface Wanted {
  kinds?: Kind[];
  not_kinds?: Kind[];
  country?: Country;
  /** Name of the place's region, in full. */
  region?: RegExp;
  sectors?: Sector[];
  /** Instants; occurred at or after, and before. */
  after?: string;
  before?: string;
  /** Pattern of the subject of an observation (see demo_judge.ts), in either language. */
  about?: RegExp;
  /** Pattern of neighbouring subjects. */
  near?: RegExp;
  /** Pattern of the names of companies in the trade. */
  trade?: RegExp;
  /** Pattern of subjects that neither the observation nor the company may have. */
  not?: RegExp;
  /** A hostname of the company. */
  hostname?: string;
}

/** Parts of a scene that an observation of a kind is about, beside its company. */
const ABOUT: Record<Kind, readonly (keyof Scene)[]> = {
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
 * 3: all that was asked for. 2: about something close to it. 1: all but one of several conditions, or
 * another matter of a company that is in the business. 0: anything else, and what was excluded.
 */
export function gradeOf(observation: DemoObservation, wanted: Wanted): number {
  const { company, kind, record, scene } = observation;
  const business = [company.trade.name, ...company.trade.products, company.trade.facility];
  const matter = ABOUT[kind].map((field) => String(scene[field]));
  if (wanted.not && [...business, ...matter].some((text) => wanted.not!.test(text))) return 0;
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
  const topic = topicOf(wanted, matter, business);
  if (missed === 0) return topic;
  return missed === 1 && topic === 3 && wanted.about !== undefined ? 1 : 0;
}

function topicOf({ about, near }: Wanted, matter: string[], business: string[]): number {
  if (about === undefined || matter.some((text) => about.test(text))) return 3;
  if (near !== undefined && matter.some((text) => near.test(text))) return 2;
  return business.some((text) => about.test(text)) ? 1 : 0;
}
