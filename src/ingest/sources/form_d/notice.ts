import type { SourceRecord } from "../../../contract/record.ts";
import type { LeftOut } from "../../record/entry.ts";
import { faultOfBounds } from "../../record/field_bounds.ts";
import { type Judged, judgeMapped } from "../../record/normalize.ts";
import {
  CIK,
  countryOfEdgarCode,
  describePlace,
  displayNameOf,
  filingPage,
  formerNamesOf,
  isoDayOf,
  placeOfEdgar,
  startOfDay,
} from "../kit/edgar_filing.ts";
import { fieldFault } from "../kit/field.ts";
import { facetsOfNotice, sectorOfNotice } from "./facets.ts";

/** Texts of a notice, with their paths in the form's XML. Empty paths: the wrapper states them. */
export const PATHS = {
  /** "D", or "D/A" for an amendment. */
  submissionType: "submissionType",
  testOrLive: "testOrLive",
  /** Accession number; empty if the document does not state it. */
  accessionNumber: "",
  fileNumber: "",
  /** Day of filing, or of the signature if only that day is known. */
  filingDate: "",
  /** Code of the Standard Industrial Classification that the SEC has assigned. */
  sicCode: "",
  cik: "primaryIssuer.cik",
  entityName: "primaryIssuer.entityName",
  /** Legal form: "Limited Liability Company". */
  entityType: "primaryIssuer.entityType",
  city: "primaryIssuer.issuerAddress.city",
  stateOrCountry: "primaryIssuer.issuerAddress.stateOrCountry",
  industryGroupType: "offeringData.industryGroup.industryGroupType",
  revenueRange: "offeringData.issuerSize.revenueRange",
  dateOfFirstSale: "offeringData.typeOfFiling.dateOfFirstSale.value",
  totalOfferingAmount: "offeringData.offeringSalesAmounts.totalOfferingAmount",
  totalAmountSold: "offeringData.offeringSalesAmounts.totalAmountSold",
  totalNumberAlreadyInvested: "offeringData.investors.totalNumberAlreadyInvested",
} as const;
type TextElement = keyof typeof PATHS;

/** The fields of a notice, unchanged. Most have their names in the form's XML. */
export interface FormDNotice extends Record<TextElement, string> {
  /** Earlier names of the issuer, or "None". */
  previousNames: string[];
  /** Codes of the claimed exemptions: "06b". */
  exemptions: string[];
  yetToOccur: boolean;
  securities: Security[];
  isBusinessCombination: boolean;
}

/** Our words for the types of securities (item 9 of the form), by element of the XML. */
export const SECURITIES = {
  isEquityType: "equity",
  isDebtType: "debt",
  isOptionToAcquireType: "options or warrants",
  isSecurityToBeAcquiredType: "securities that options or warrants give",
  isPooledInvestmentFundType: "interests in a pooled investment fund",
  isTenantInCommonType: "tenant-in-common interests",
  isMineralPropertyType: "mineral property interests",
  isOtherType: "other securities",
} as const;
/** A type of securities. */
export type Security = keyof typeof SECURITIES;

const FUND = "Pooled Investment Fund";

/**
 * Confidence that the issuer raised money. `sold` means that a part of the offering is sold,
 * `unsold` that nothing is sold yet, and `combination` that the securities pay for another company.
 */
const CONFIDENCE = { sold: 0.9, unsold: 0.6, combination: 0.5 } as const;

/** Maps a notice to a normalized record, or returns the reason why there is none. */
export function judgeNotice(notice: FormDNotice): Judged | LeftOut {
  const beyond = faultOfBounds(notice, { descriptions: [] });
  if (beyond !== undefined) return { reason: beyond };
  const left_out = whyLeftOut(notice);
  return left_out === undefined ? judgeMapped(recordOfNotice(notice)) : { left_out };
}

/**
 * Maps a notice to a record that is not normalized yet, or returns the reason why there is none,
 * with the name of the element. The event is the first sale or, before the first sale, the filing.
 */
function recordOfNotice(notice: FormDNotice): SourceRecord | { reason: string } {
  const { cik, yetToOccur, dateOfFirstSale } = notice;
  const entityName = displayNameOf(notice.entityName);
  const country = countryOfEdgarCode(notice.stateOrCountry);
  const filed = isoDayOf(notice.filingDate);
  const sold = yetToOccur ? filed : isoDayOf(dateOfFirstSale);
  if (!CIK.test(cik)) return elementFault(notice, "cik", "a number");
  if (entityName === "") return elementFault(notice, "entityName", "");
  if (country === undefined) return elementFault(notice, "stateOrCountry", "");
  if (filed === undefined) return elementFault(notice, "filingDate", "a date");
  if (sold === undefined) return elementFault(notice, "dateOfFirstSale", "a date");
  if (!AMOUNT.test(notice.totalAmountSold)) {
    return elementFault(notice, "totalAmountSold", "an amount");
  }
  if (!AMOUNT.test(notice.totalOfferingAmount) && notice.totalOfferingAmount !== INDEFINITE) {
    return elementFault(notice, "totalOfferingAmount", "an amount");
  }

  const sector = sectorOfNotice(notice);
  const firstSale = yetToOccur ? undefined : sold;
  return {
    source: "form_d",
    external_id: notice.fileNumber || notice.accessionNumber ||
      `${Number(cik)}:${firstSale ?? `unsold:${filed}`}`,
    company: { name: entityName, external_id: cik.padStart(10, "0"), identifiers: { cik } },
    kind: "funding_round",
    observed_fact: factOf(notice, firstSale),
    why_it_may_matter: WHY[stateOf(notice)],
    demand_class: "proxy",
    country,
    confidence: CONFIDENCE[stateOf(notice)],
    occurred_at: startOfDay(sold),
    observed_at: startOfDay(filed),
    categories: sector === undefined ? [] : [sector],
    facets: facetsOfNotice(notice),
    evidence: [{ source_uri: pageOf(notice), excerpt: excerptOf(notice, firstSale) }],
  };
}

/** Returns the reason why a notice is left out, or undefined if it is kept. */
function whyLeftOut(notice: FormDNotice): string | undefined {
  const { testOrLive, industryGroupType, securities, stateOrCountry } = notice;
  if (testOrLive === "TEST") return "a test filing";
  if (industryGroupType === FUND || securities.includes("isPooledInvestmentFundType")) {
    return "a pooled investment fund";
  }
  if (stateOrCountry === UNKNOWN_PLACE) return "an issuer whose country is not stated";
  const isElsewhere = stateOrCountry !== "" && countryOfEdgarCode(stateOrCountry) === undefined;
  return isElsewhere ? "an issuer outside Canada and the United States" : undefined;
}

/** EDGAR's code for an unknown place. */
const UNKNOWN_PLACE = "XX";

const WHY = {
  sold: "Money raised privately is often spent on people, equipment and services. The notice is " +
    "the issuer's own and asks no one to supply anything: a proxy.",
  unsold: "The issuer set out to raise money privately and had sold nothing when it gave notice: " +
    "a proxy for spending that depends on the sale.",
  combination: "Securities are offered to join with another company, which can bring integration " +
    "work more than money to spend: a proxy.",
} as const;

function stateOf(notice: FormDNotice): keyof typeof CONFIDENCE {
  if (notice.isBusinessCombination) return "combination";
  return Number(notice.totalAmountSold) > 0 ? "sold" : "unsold";
}

/** Matches an amount of dollars. */
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;
/** Text for an unlimited amount. */
const INDEFINITE = "Indefinite";

function dollars(amount: string): string {
  return `$${Number(amount).toLocaleString("en-US", { maximumFractionDigits: 0 })}`;
}

function factOf(notice: FormDNotice, firstSale: string | undefined): string {
  const { submissionType, cik, fileNumber, accessionNumber } = notice;
  const offered = notice.totalOfferingAmount === INDEFINITE
    ? "an indefinite amount"
    : dollars(notice.totalOfferingAmount);
  const name = displayNameOf(notice.entityName);
  const place = placeOf(notice);
  const former = formerNamesOf(name, notice.previousNames).slice(0, FORMER_NAMES_SHOWN);
  const details = [
    notice.industryGroupType && `industry group: ${notice.industryGroupType}`,
    revenueOf(notice) && `revenue range: ${revenueOf(notice)}`,
    former.length > 0 && `formerly ${former.join(", ").replace(/\.$/, "")}`,
  ].filter(Boolean).join("; ");
  const exemptions = exemptionsOf(notice);
  const numbers = [
    `CIK ${Number(cik)}`,
    fileNumber && `SEC file number ${fileNumber}`,
    accessionNumber && `accession number ${accessionNumber}`,
  ];
  return [
    `${name}${place && ` (${place})`} reported on Form ${submissionType} a private ` +
    `offering of ${securitiesOf(notice)}${exemptions && ` under ${exemptions}`}` +
    `${notice.isBusinessCombination ? " in a business combination" : ""}: ` +
    `${dollars(notice.totalAmountSold)} sold of ${offered}${investorsOf(notice)}, ` +
    `${firstSale === undefined ? "first sale yet to occur" : `first sale on ${firstSale}`}.`,
    details && `${details[0]!.toUpperCase()}${details.slice(1)}.`,
    `${numbers.filter(Boolean).join(", ")}.`,
  ].filter(Boolean).join(" ");
}

const FORMER_NAMES_SHOWN = 2;

/** Returns the issuer's range of revenue, or an empty text if it declines to state one. */
function revenueOf({ revenueRange }: FormDNotice): string {
  return /^(?:Decline to Disclose|Not Applicable)$/i.test(revenueRange) ? "" : revenueRange;
}

function excerptOf(notice: FormDNotice, firstSale: string | undefined): string {
  return [
    `Form ${notice.submissionType}: ${notice.entityName}`,
    `Principal place of business: ${placeOf(notice)}`,
    `Industry group: ${notice.industryGroupType}`,
    `Issuer size (revenue range): ${revenueOf(notice)}`,
    `Federal exemptions and exclusions claimed: ${notice.exemptions.join(", ")}`,
    `Date of first sale: ${firstSale ?? "yet to occur"}`,
    `Types of securities offered: ${securitiesOf(notice)}`,
    `Total offering amount: ${notice.totalOfferingAmount}`,
    `Total amount sold: ${notice.totalAmountSold}`,
    `Total number of investors already invested: ${notice.totalNumberAlreadyInvested}`,
  ].filter((line) => !/: $/.test(line)).join("\n");
}

/**
 * Returns the page of a notice, or of all notices of the company if the accession number is
 * unknown.
 */
function pageOf({ cik, accessionNumber }: FormDNotice): string {
  return accessionNumber === ""
    ? `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${
      cik.padStart(10, "0")
    }&type=D`
    : filingPage(cik, accessionNumber);
}

function placeOf({ city, stateOrCountry }: FormDNotice): string {
  return describePlace(placeOfEdgar(city, stateOrCountry));
}

function securitiesOf({ securities }: FormDNotice): string {
  return securities.map((security) => SECURITIES[security]).join(", ") || "securities";
}

function investorsOf({ totalNumberAlreadyInvested: investors }: FormDNotice): string {
  if (!/^[1-9]\d*$/.test(investors)) return "";
  return investors === "1" ? " to 1 investor" : ` to ${investors} investors`;
}

/** Lists the exemptions of item 6. Codes of the Investment Company Act (3C) are left out. */
function exemptionsOf({ exemptions }: FormDNotice): string {
  return exemptions.flatMap((code) => {
    const rule = /^0([456])([bc]?)/.exec(code);
    if (rule !== null) return [`Rule 50${rule[1]}${rule[2] && `(${rule[2]})`}`];
    return code === "4a5" ? ["Securities Act Section 4(a)(5)"] : [];
  }).filter((title, at, all) => all.indexOf(title) === at).join(" and ");
}

/**
 * Names that messages use for fields whose names differ between the tables, the wrapper and the
 * XML.
 */
const NATIVE_NAMES: Partial<Record<TextElement, string>> = {
  dateOfFirstSale: "dateOfFirstSale (SALE_DATE)",
  filingDate: "FILING_DATE (FILING-DATE, signatureDate)",
};

function elementFault(
  notice: FormDNotice,
  element: TextElement,
  wanted: string,
): { reason: string } {
  return fieldFault(NATIVE_NAMES[element] ?? element, notice[element], wanted);
}
