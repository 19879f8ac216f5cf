/** Reads the awards of SAM.gov's notices, and maps them to records of the winners. */
import type { SourceRecord } from "../../contract/record.ts";
import type { Country } from "../../contract/vocabulary.ts";
import { maskedLine } from "../masking/mask_text.ts";
import { countryOfName } from "../classify/places.ts";
import { isPlaceholderName } from "../record/placeholder_name.ts";
import { facetText } from "./field.ts";
import type { SamNotice } from "./sam_notice.ts";
import { countryOf, performanceOf, placeIn } from "./sam_places.ts";
import type { PurchaseStage } from "./sam_stages.ts";

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
export function awardOf({ award }: SamNotice): Award {
  const [named, number, amount, date] = [award.awardee, award.number, award.amount, award.date]
    .map(maskedLine) as [string, string, string, string];
  const awardee = isPlaceholderName(named) ? "" : named;
  const dollars = Number(amount.replace(/[$,\s]/g, ""));
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
    awardee && award.uei && ` (UEI ${award.uei})`,
    shared.amount && ` for ${shared.amount}`,
    shared.day && ` on ${shared.day}`,
    ".",
  ];
  return { ...shared, sentence: sentence.filter(Boolean).join("") };
}

const UEI = /^[A-Z0-9]{12}$/;
/**
 * Matches an address at the end of an awardee's name. Such an awardee gets no record, because name
 * and address cannot be told apart.
 */
const ADDRESS = /\b[A-Z]{2},? \d{5}(?:-?\d{4})?,?(?: [A-Z]{3})?$/;

/**
 * Returns the record of the company that won a contract. Its kind is partnership, with the buyer.
 * Its demand class is proxy, because the winner may need subcontractors and supplies. Returns
 * undefined if the notice is not an award or does not clearly name a company. Also returns
 * undefined if the notice names no place of performance and the company is outside Canada and the
 * United States.
 */
export function awardeeRecord(
  notice: SamNotice,
  facts: NoticeFacts,
  buyer: SourceRecord,
): SourceRecord | undefined {
  const { sum, ...award } = awardOf(notice);
  // A placeholder in place of a name is rejected with its reason, like any other record.
  const awardee = award.awardee || maskedLine(notice.award.awardee);
  if (facts.stage !== "awarded" || awardee === "" || ADDRESS.test(awardee)) return undefined;
  const country = countryOfAward(notice, facts.country);
  if (country === undefined) return undefined;
  const { location } = notice.award;
  const uei = notice.award.uei.trim().toUpperCase();
  const place = performanceOf(notice, facts.country);
  const naics = buyer.facets?.naics ?? [];
  const sentences = [
    `${awardee} won ${award.contract.replace("Contract", "contract")} from ${facts.buyer}` +
    `${award.amount && ` for ${award.amount}`}${award.day && ` on ${award.day}`}: ${facts.title}.`,
    place && `Place of performance: ${place}.`,
    naics.length > 0 && `NAICS ${naics.join(", ")}.`,
  ];
  return {
    ...buyer,
    external_id: `${buyer.external_id}:awardee`,
    company: { name: awardee, identifiers: UEI.test(uei) ? { uei } : undefined },
    kind: "partnership",
    observed_fact: sentences.filter(Boolean).join(" "),
    why_it_may_matter: `A proxy: this company has won public work (${facts.type}) and may need ` +
      "subcontractors, staff and supplies for it; it asks for nothing itself.",
    country,
    // An award stays a fact after its notice is archived.
    expires_at: null,
    facets: {
      ...buyer.facets,
      place: place === "" && (location.city + location.state).trim() !== ""
        ? placeIn(country, location)
        : buyer.facets?.place,
      amount: sum,
      counterpart: facetText(facts.buyer),
    },
  };
}

/**
 * Returns the country of the work, or else of the awardee. Returns undefined if the awardee is
 * outside Canada and the United States. If the awardee's country is not known, returns the country
 * of the notice.
 */
function countryOfAward(notice: SamNotice, country: Country): Country | undefined {
  const { location } = notice.award;
  // Some answers contain the state in the field of the country.
  const isUnnamed = location.country.trim() === "" || location.country === location.state;
  if (performanceOf(notice, country) !== "" || isUnnamed) return country;
  return countryOf(location.country) ??
    (countryOfName(location.country) === "elsewhere" ? undefined : country);
}
