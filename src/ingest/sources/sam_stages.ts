import type { DemandClass } from "../../contract/vocabulary.ts";

/** Stage of a purchase, by the type of its notice. */
export type PurchaseStage = "bids" | "answers" | "planned" | "told" | "decided" | "awarded";

/**
 * Confidence that the office buys: bids are asked for; a contract was awarded; a solicitation is
 * announced; answers are asked for, to see whether it is worth while; a supplier was chosen without
 * competition; anything else is told.
 */
export const STAGES: Readonly<
  Record<PurchaseStage, { demand: DemandClass; confidence: number; why: string }>
> = {
  bids: {
    demand: "explicit_request",
    confidence: 0.95,
    why: "A public buyer asks suppliers for offers",
  },
  answers: {
    demand: "explicit_request",
    confidence: 0.7,
    why: "A public buyer asks which suppliers could meet a need, but for no offers yet",
  },
  planned: {
    demand: "proxy",
    confidence: 0.8,
    why: "A proxy: a public buyer announces a purchase, but asks for no offers yet",
  },
  told: {
    demand: "proxy",
    confidence: 0.5,
    why: "A proxy: a public buyer tells of a matter that may lead to a purchase, or to none",
  },
  decided: {
    demand: "proxy",
    confidence: 0.6,
    why:
      "A proxy: a public buyer explains why it buys without open competition; this purchase is " +
      "decided, like ones may follow",
  },
  awarded: {
    demand: "proxy",
    confidence: 0.9,
    why: "A proxy: a public buyer has awarded this contract already; it shows what the office " +
      "buys, and from whom, not an open request",
  },
};

/** Titles by which a notice of any other type asks suppliers for answers, as with other buyers. */
const ASKING =
  /\brequests? for information\b|\bexpressions? of interest\b|\bsources sought\b|\bRFI\b/i;

/**
 * Returns the stage of a type, such as "Combined Synopsis/Solicitation". A type that says nothing, as
 * "Special Notice", is "answers" if the title is that of a request for information, else "told".
 */
export function stageOf(type: string, title: string): PurchaseStage {
  const known = TYPES.find(([start]) => type.toLowerCase().startsWith(start))?.[1];
  return known ?? (ASKING.test(title) ? "answers" : "told");
}

/** Returns whether the office sells: nothing is bought there. */
export function isSale(type: string): boolean {
  return /^sale of surplus/i.test(type);
}

/**
 * Stages of notices by the beginning of their type (FAR 5.2, and SAM.gov's own list of notice
 * types). Only bids and answers are asked for; all else is a sign that an office buys such things.
 */
const TYPES: readonly (readonly [string, PurchaseStage])[] = [
  ["solicitation", "bids"],
  ["combined synopsis", "bids"],
  ["sources sought", "answers"],
  ["presolicitation", "planned"],
  ["intent to bundle", "planned"],
  ["consolidate", "planned"],
  ["justification", "decided"],
  ["fair opportunity", "decided"],
  ["award", "awarded"],
];
