import type { DemandClass } from "../../contract/vocabulary.ts";

/** Stage of a purchase, by the type of its notice. */
export type PurchaseStage = "bids" | "answers" | "planned" | "other" | "decided" | "awarded";

/**
 * Demand class, confidence that the office buys, and relevance in words, by stage. A notice of
 * `bids` requests offers. `answers` only asks for information about the market. `planned` announces
 * a solicitation. `decided` explains why a supplier was chosen without competition. `awarded` names
 * a contract. `other` is any other notice.
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
  other: {
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

/** Matches titles of notices of other types that ask for information about the market. */
const ASKING =
  /\brequests? for information\b|\bexpressions? of interest\b|\bsources sought\b|\bRFI\b/i;

/**
 * Returns the stage of a type, such as "Combined Synopsis/Solicitation". For an unspecific type,
 * such as "Special Notice", the title decides between "answers" and "other".
 */
export function stageOf(type: string, title: string): PurchaseStage {
  const known = TYPES.find(([start]) => type.toLowerCase().startsWith(start))?.[1];
  return known ?? (ASKING.test(title) ? "answers" : "other");
}

/** Returns whether the notice is of a sale, not of a purchase. */
export function isSale(type: string): boolean {
  return /^sale of surplus/i.test(type);
}

/** Stages by the beginning of a notice's type (FAR 5.2, and SAM.gov's own list of types). */
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
