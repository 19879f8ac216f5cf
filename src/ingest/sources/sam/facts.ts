/** Reads the dates, places, stage and award of SAM.gov's notices. */
import { normalizeInstant } from "../../../contract/instant.ts";
import { EASTERN_TIME, instantInZone } from "../../formats/local_time.ts";
import type { Place } from "../../../contract/facets.ts";
import type { Country, DemandClass } from "../../../contract/vocabulary.ts";
import { numberIn, suitsCurrency } from "../../mapping/values.ts";
import { maskedLine } from "../../masking/mask_text.ts";
import { regionOf, territoryOf } from "../../classify/gazetteer.ts";
import { isPlaceholderName } from "../../record/company_name.ts";
import type { SamNotice } from "./forms.ts";

/** Cleaned fields of a notice. */
export interface NoticeFacts {
  title: string;
  buyer: string;
  type: string;
  stage: PurchaseStage;
  country: Country;
  /** Instant of publication, in UTC. */
  posted: string;
  awarded: string | undefined;
  deadline: string | undefined;
  /** Deadline in words; empty if there is none. */
  closes: string;
}

/** Stage of a purchase, by the type of its notice. */
type PurchaseStage = "bids" | "answers" | "planned" | "other" | "decided" | "awarded";

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

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const AMERICAN_DATE = /^(\d\d)\/(\d\d)\/(\d{4})$/;

/**
 * Returns the UTC instant of a text, or undefined if it is not a date. Forms are 2026-02-02,
 * 02/02/2026, 2026-02-02 09:30:00.123-05 and 2026-02-02T09:30:00-05:00. A date without a time gets
 * `time`. A time without an offset is in `zone`, by default the zone of SAM.gov in Washington.
 */
export function instantOf(
  text: string,
  time: string,
  zone: string = EASTERN_TIME.US,
): string | undefined {
  const match = DATE.exec(text.trim().replace(AMERICAN_DATE, "$3-$1-$2"));
  if (match === null) return undefined;
  const [, date, minute, second = ":00", offset] = match;
  const clock = minute === undefined ? time : minute + second;
  return offset === undefined
    ? instantInZone(zone, date!, clock)
    : normalizeInstant(`${date}T${clock}${offset}`);
}

/** Returns a deadline in words: the local time with the offset that the notice states. */
export function timeOf(text: string): string | undefined {
  const [, date, minute, , offset] = DATE.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const zone = offset === undefined ? "local time" : `(UTC${offset === "Z" ? "" : offset})`;
  return [date, ...minute === undefined ? [] : [minute, zone]].join(" ");
}

/** Countries by their names and codes in the API, the extract and older notices. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  "": "US",
  USA: "US",
  US: "US",
  "UNITED STATES": "US",
  "UNITED STATES OF AMERICA": "US",
  CAN: "CA",
  CA: "CA",
  CANADA: "CA",
};

/** Returns the country; the United States if none is named; undefined for another country. */
export function countryOf(text: string): Country | undefined {
  return territoryOf(text) === undefined ? COUNTRIES[text.trim().toUpperCase()] : "US";
}

/**
 * Returns the place of performance to show: "Grand Junction, CO, US". Returns an empty text if none
 * is named.
 */
export function performanceOf(notice: SamNotice, country: Country): string {
  const parts = [notice.city, notice.state].map(maskedLine).filter((part) => part !== "");
  return parts.length === 0 ? "" : [...new Set([...parts, country])].join(", ");
}

/**
 * Returns the place of performance, if one is stated. It may be a whole country. The place of the
 * office is not used.
 */
export function placeOf(notice: SamNotice, country: Country): Place | undefined {
  const { city, state } = notice;
  if ((city + state).trim() !== "" || territoryOf(notice.country) !== undefined) {
    return placeIn(country, notice);
  }
  return notice.country.trim() === "" ? undefined : { country };
}

/** Returns a city and a state of a country as a facet. A territory counts as a state. */
export function placeIn(
  country: Country,
  { city, state, country: stated }: { city: string; state: string; country: string },
): Place {
  const name = maskedLine(city);
  const region = regionOf(country, state) ?? territoryOf(stated);
  return { country, region: region ?? null, city: name === "" ? null : name };
}

/** An award in words. Missing parts are empty. */
interface Award {
  awardee: string;
  /** Amount in words, such as "5,000,000 US dollars". */
  amount: string;
  sum: { value: number; currency: string } | null;
  contract: string;
  day: string;
  sentence: string;
}

/** Returns the award of a notice. Its sentence is empty if there is none. */
export function awardOf(notice: SamNotice): Award {
  const named = maskedLine(notice.awardee);
  const number = maskedLine(notice.award_number);
  const amount = maskedLine(notice.award_amount);
  const date = maskedLine(notice.award_date);
  const awardee = isPlaceholderName(named) ? "" : named;
  const dollars = suitsCurrency(amount, () => "USD") && numberIn(amount, ".") || 0;
  const isSum = dollars > 0 && dollars <= 1e15;
  const shared = {
    awardee,
    amount: isSum ? `${dollars.toLocaleString("en-US")} US dollars` : "",
    sum: isSum ? { value: dollars, currency: "USD" } : null,
    contract: number === "" ? "Contract" : `Contract ${number}`,
    day: date.slice(0, "2026-01-01".length),
  };
  if (awardee === "" && number === "") return { ...shared, sentence: "" };
  const sentence = [
    shared.contract,
    awardee && ` awarded to ${awardee}`,
    awardee && notice.uei && ` (UEI ${notice.uei})`,
    shared.amount && ` for ${shared.amount}`,
    shared.day && ` on ${shared.day}`,
    ".",
  ];
  return { ...shared, sentence: sentence.filter(Boolean).join("") };
}
