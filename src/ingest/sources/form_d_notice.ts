import type { SourceRecord } from "../../contract/record.ts";
import type { Sector } from "../../contract/vocabulary.ts";
import { type Judged, normalizeRecord } from "../normalize.ts";
import { cleanLine, cutAtWord } from "../text.ts";
import { CIK, countryOfEdgarCode, filingPage, isoDayOf, startOfDay } from "./edgar_filing.ts";

/** What is read of a notice, each text as it stands there; names as in the form's XML. */
export interface Notice {
  /** D or D/A. */
  submissionType: string;
  testOrLive: string;
  /** Empty where the document does not say. */
  accessionNumber: string;
  fileNumber: string;
  /** When it was filed, or where only that is known signed. */
  filingDate: string;
  cik: string;
  entityName: string;
  city: string;
  stateOrCountry: string;
  stateOrCountryDescription: string;
  industryGroupType: string;
  revenueRange: string;
  /** "06b" */
  exemptions: string[];
  dateOfFirstSale: string;
  yetToOccur: boolean;
  securities: Security[];
  isBusinessCombination: boolean;
  totalOfferingAmount: string;
  totalAmountSold: string;
  totalNumberAlreadyInvested: string;
}

/** The types of securities (item 9 of the form): element of the XML, words of ours. */
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
export type Security = keyof typeof SECURITIES;

const FUND = "Pooled Investment Fund";

/**
 * How sure it is that the issuer raised money: some of the offering is sold; nothing is yet;
 * securities are given for another company in place of money.
 */
const CONFIDENCE = { sold: 0.9, unsold: 0.6, combination: 0.5 } as const;

/**
 * The industry groups (item 4 of the form) that lie in one sector. Left out: Biotechnology,
 * Business Services, Computers, Energy Conservation, REITS and Finance and all the others.
 */
const SECTOR_OF_GROUP: Readonly<Record<string, Sector>> = {
  "Agriculture": "11",
  "Airlines and Airports": "48-49",
  "Coal Mining": "21",
  "Commercial": "53",
  "Commercial Banking": "52",
  "Construction": "23",
  "Electric Utilities": "22",
  "Health Insurance": "52",
  "Hospitals and Physicians": "62",
  "Insurance": "52",
  "Investing": "52",
  "Investment Banking": "52",
  "Lodging and Conventions": "72",
  "Manufacturing": "31-33",
  "Oil and Gas": "21",
  "Other Banking and Financial Services": "52",
  "Other Real Estate": "53",
  "Pharmaceuticals": "31-33",
  "Residential": "53",
  "Restaurants": "72",
  "Retailing": "44-45",
  "Telecommunications": "51",
};

/** As recordOfNotice(), normalized. */
export function judgeNotice(notice: Notice): Judged | undefined {
  const record = recordOfNotice(notice);
  return record === undefined || "reason" in record ? record : normalizeRecord(record);
}

/**
 * A notice as a record. It occurred when the first sale was made; where that is yet to come, when
 * the notice was filed.
 *
 * @returns the record, yet to be normalized; why there is none, naming the element; or nothing
 * where it is left out.
 */
function recordOfNotice(notice: Notice): SourceRecord | { reason: string } | undefined {
  if (!isKept(notice)) return undefined;
  const { cik, entityName, industryGroupType, yetToOccur, dateOfFirstSale } = notice;
  const country = countryOfEdgarCode(notice.stateOrCountry);
  const filed = isoDayOf(notice.filingDate);
  const sold = yetToOccur ? filed : isoDayOf(dateOfFirstSale);
  if (!CIK.test(cik)) return unfit(notice, "cik", "a number");
  if (entityName === "") return unfit(notice, "entityName", "");
  if (country === undefined) return unfit(notice, "stateOrCountry", "");
  if (filed === undefined) return unfit(notice, "filingDate", "a date");
  if (sold === undefined) return unfit(notice, "dateOfFirstSale", "a date");
  if (!AMOUNT.test(notice.totalAmountSold)) return unfit(notice, "totalAmountSold", "an amount");
  if (!AMOUNT.test(notice.totalOfferingAmount) && notice.totalOfferingAmount !== INDEFINITE) {
    return unfit(notice, "totalOfferingAmount", "an amount");
  }

  const sector = SECTOR_OF_GROUP[industryGroupType];
  const firstSale = yetToOccur ? undefined : sold;
  return {
    source: "form_d",
    external_id: notice.fileNumber || notice.accessionNumber ||
      `${Number(cik)}:${firstSale ?? `unsold:${filed}`}`,
    company: {
      name: entityName,
      external_id: cik.padStart(10, "0"),
      identifiers: { cik },
    },
    kind: "funding_round",
    observed_fact: factOf(notice, firstSale),
    why_it_may_matter: WHY[stateOf(notice)],
    demand_class: "proxy",
    country,
    confidence: CONFIDENCE[stateOf(notice)],
    occurred_at: startOfDay(sold),
    observed_at: startOfDay(filed),
    categories: sector === undefined ? [] : [sector],
    evidence: [{ source_uri: pageOf(notice), excerpt: excerptOf(notice, firstSale) }],
  };
}

/** @returns whether it is kept: no test, no fund, no issuer in a third country. */
function isKept({ testOrLive, industryGroupType, securities, stateOrCountry }: Notice): boolean {
  const isFund = industryGroupType === FUND || securities.includes("isPooledInvestmentFundType");
  const isElsewhere = stateOrCountry !== "" && countryOfEdgarCode(stateOrCountry) === undefined;
  return testOrLive !== "TEST" && !isFund && !isElsewhere;
}

const WHY = {
  sold: "Money raised privately is often spent on people, equipment and services. The notice is " +
    "the issuer's own and asks no one to supply anything: a proxy.",
  unsold: "The issuer set out to raise money privately and had sold nothing when it gave notice: " +
    "a proxy for spending that depends on the sale.",
  combination: "Securities are offered to join with another company, which can bring integration " +
    "work more than money to spend: a proxy.",
} as const;

function stateOf(notice: Notice): keyof typeof CONFIDENCE {
  if (notice.isBusinessCombination) return "combination";
  return Number(notice.totalAmountSold) > 0 ? "sold" : "unsold";
}

/** Dollars. */
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;
/** In place of what is offered. */
const INDEFINITE = "Indefinite";

function dollars(amount: string): string {
  return `$${Number(amount).toLocaleString("en-US", { maximumFractionDigits: 0 })}`;
}

function factOf(notice: Notice, firstSale: string | undefined): string {
  const { submissionType, cik, fileNumber, accessionNumber } = notice;
  const offered = notice.totalOfferingAmount === INDEFINITE
    ? "an indefinite amount"
    : dollars(notice.totalOfferingAmount);
  const place = placeOf(notice);
  const exemptions = exemptionsOf(notice);
  const numbers = [
    `CIK ${Number(cik)}`,
    fileNumber && `SEC file number ${fileNumber}`,
    accessionNumber && `accession number ${accessionNumber}`,
  ];
  return [
    `${notice.entityName}${place && ` (${place})`} reported on Form ${submissionType} a private ` +
    `offering of ${securitiesOf(notice)}${exemptions && ` under ${exemptions}`}` +
    `${notice.isBusinessCombination ? " in a business combination" : ""}: ` +
    `${dollars(notice.totalAmountSold)} sold of ${offered}${investorsOf(notice)}, ` +
    `${firstSale === undefined ? "first sale yet to occur" : `first sale on ${firstSale}`}.`,
    `Industry group: ${notice.industryGroupType || "not stated"}; revenue range: ` +
    `${notice.revenueRange || "not stated"}.`,
    `${numbers.filter(Boolean).join(", ")}.`,
  ].join(" ");
}

function excerptOf(notice: Notice, firstSale: string | undefined): string {
  return [
    `Form ${notice.submissionType}: ${notice.entityName}`,
    `Principal place of business: ${placeOf(notice)}`,
    `Industry group: ${notice.industryGroupType}`,
    `Issuer size (revenue range): ${notice.revenueRange}`,
    `Federal exemptions and exclusions claimed: ${notice.exemptions.join(", ")}`,
    `Date of first sale: ${firstSale ?? "yet to occur"}`,
    `Types of securities offered: ${securitiesOf(notice)}`,
    `Total offering amount: ${notice.totalOfferingAmount}`,
    `Total amount sold: ${notice.totalAmountSold}`,
    `Total number of investors already invested: ${notice.totalNumberAlreadyInvested}`,
  ].filter((line) => !/: $/.test(line)).join("\n");
}

/** A document that does not state its accession number is found among the company's notices. */
function pageOf({ cik, accessionNumber }: Notice): string {
  return accessionNumber === ""
    ? `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${
      cik.padStart(10, "0")
    }&type=D`
    : filingPage(cik, accessionNumber);
}

function placeOf({ city, stateOrCountryDescription, stateOrCountry }: Notice): string {
  return [city, stateOrCountryDescription || stateOrCountry].filter(Boolean).join(", ");
}

function securitiesOf({ securities }: Notice): string {
  return securities.map((security) => SECURITIES[security]).join(", ") || "securities";
}

function investorsOf({ totalNumberAlreadyInvested: investors }: Notice): string {
  if (!/^[1-9]\d*$/.test(investors)) return "";
  return investors === "1" ? " to 1 investor" : ` to ${investors} investors`;
}

/** Codes of item 6 of the form; those of the Investment Company Act (3C) exempt from another law. */
function exemptionsOf({ exemptions }: Notice): string {
  return exemptions.flatMap((code) => {
    const rule = /^0([456])([bc]?)/.exec(code);
    if (rule !== null) return [`Rule 50${rule[1]}${rule[2] && `(${rule[2]})`}`];
    return code === "4a5" ? ["Securities Act Section 4(a)(5)"] : [];
  }).filter((title, at, all) => all.indexOf(title) === at).join(" and ");
}

type TextElement = { [Key in keyof Notice]: Notice[Key] extends string ? Key : never }[
  keyof Notice
];

/** Where the tables or the wrapper have another name than the XML. */
const NATIVE_NAMES: Partial<Record<TextElement, string>> = {
  dateOfFirstSale: "dateOfFirstSale (SALE_DATE)",
  filingDate: "FILING_DATE (FILING-DATE, signatureDate)",
};

function unfit(notice: Notice, element: TextElement, wanted: string): { reason: string } {
  const name = NATIVE_NAMES[element] ?? element;
  return {
    reason: notice[element] === ""
      ? `${name}: is empty`
      : `${name}: is not ${wanted}: ${cutAtWord(cleanLine(notice[element]), 40)}`,
  };
}
