import { FACET_LIMITS, type Facets, type Place } from "../../../contract/facets.ts";
import type { SourceRecord } from "../../../contract/record.ts";
import type { Country, Kind } from "../../../contract/vocabulary.ts";
import type { LeftOut } from "../../record/entry.ts";
import { sectorOfSic } from "../../classify/sectors.ts";
import { textOf } from "../../mapping/template.ts";
import { withoutEnding } from "../../text/clean_text.ts";
import { ACCESSION, describePlace, filingPage, isoDayOf, startOfDay } from "../kit/edgar_filing.ts";
import { type AcceptanceZone, acceptedInstant } from "./acceptance_time.ts";
import items from "./items.json" with { type: "json" };
import { facetText } from "../../record/facets.ts";
import { fieldFault } from "../kit/field.ts";

/** The company whose filings a file lists, as described at the beginning of the file. */
export interface Registrant {
  /** Central Index Key with ten digits. */
  cik: string;
  /** Name without EDGAR's additions such as "/DE/". */
  name: string;
  formerNames: string[];
  sic: string;
  sicDescription: string;
  lei: string;
  tickers: string[];
  /** Place of the business address. */
  place: Place;
  /**
   * Country of the business address: null if unknown, undefined if it is neither Canada nor the
   * United States.
   */
  country: Country | null | undefined;
  /** Time zone of the times in the file. */
  zone: AcceptanceZone;
}

/** Columns of the table of filings that are read. */
export const REPORT_COLUMNS = [
  "accessionNumber",
  "form",
  /** Items of the report, separated by commas: "5.02,9.01". */
  "items",
  "filingDate",
  /** Date of the earliest event that is reported. */
  "reportDate",
  "acceptanceDateTime",
] as const;

/** One row of the table of filings, unchanged. */
export type FilingReport = Record<(typeof REPORT_COLUMNS)[number], unknown>;

/**
 * Items that fit a known kind, according to the instructions of Form 8-K. `title` is that of the
 * form, and `reported` the event that a company reports with the item. The confidence states how
 * surely the event is of that kind. It is high for 5.02, which is only about the leadership. It is
 * lower for 1.01, which covers any unusual agreement, and for 3.02, because shares may be sold for
 * something other than money.
 *
 * Items 2.01 and 2.05 change the assets and activities of the company, so they are profiles. They
 * are neither partnerships nor expansions: a purchase of assets need not add a facility, and 2.01
 * also covers sales. Item 1.02, the end of an agreement, fits no kind and is left out.
 */
const MAPPED = items as Readonly<Record<string, (typeof items)["1.01"] & { kind: Kind }>>;

/**
 * Items that lower the confidence of item 1.01 in the same report. Its agreement is then probably a
 * loan (2.03) or a sale of shares (3.02).
 */
const FINANCING = ["2.03", "3.02"];
const FINANCING_CONFIDENCE = 0.4;
/** Factor of the confidence of an amendment, which may only add to an earlier report. */
const AMENDMENT_FACTOR = 0.8;

/** Returns the items of a row that become observations, without duplicates. */
export function mappedItemsOf(items: string): string[] {
  const mapped = listOf(items).filter((item) => Object.hasOwn(MAPPED, item));
  return [...new Set(mapped)];
}

/** Returns the reason why a row without a mapped item is left out. */
export function leftOutItems(items: string): LeftOut {
  const list = listOf(items);
  if (list.includes("1.02")) {
    return { left_out: "a report of an agreement that ended (1.02), which is no partnership" };
  }
  return { left_out: "a report without an item of a known kind" };
}

/**
 * Maps an item of a report to a record that is not normalized yet. Otherwise returns the reason why
 * there is none, with the name of the column, or that the company is left out.
 */
export function recordOfItem(
  registrant: Registrant,
  report: FilingReport,
  item: string,
): SourceRecord | { reason: string } | LeftOut {
  const { cik, name, country, lei } = registrant;
  if (country === undefined) return { left_out: "a company outside Canada and the United States" };
  if (country === null) return { reason: "addresses.business.stateOrCountry: is empty" };
  const accession = textOf(report.accessionNumber);
  const reported = isoDayOf(textOf(report.reportDate));
  const accepted = acceptedInstant(textOf(report.acceptanceDateTime), registrant.zone);
  if (!ACCESSION.test(accession)) {
    return columnFault(report, "accessionNumber", "an accession number");
  }
  if (reported === undefined) return columnFault(report, "reportDate", "a date");
  if (accepted === undefined) return columnFault(report, "acceptanceDateTime", "a date and time");
  const sector = sectorOfSic(registrant.sic);
  return {
    source: "edgar_8k",
    external_id: `${accession}:${item}`,
    company: { name, external_id: cik, identifiers: { cik, ...lei !== "" && { lei } } },
    kind: MAPPED[item]!.kind,
    observed_fact: factOf(registrant, { report, item, accession, reported }),
    why_it_may_matter: MAPPED[item]!.why,
    demand_class: "proxy",
    country,
    confidence: confidenceOf(report, item),
    occurred_at: startOfDay(reported),
    observed_at: accepted,
    categories: sector === undefined ? [] : [sector],
    facets: facetsOf(registrant),
    evidence: [{
      source_uri: filingPage(cik, accession),
      excerpt: [
        `Form ${report.form}, filed ${textOf(report.filingDate)}, date of report ${reported}`,
        `Items: ${listOf(textOf(report.items)).join(", ")}`,
        `Item ${item}: ${MAPPED[item]!.title}`,
      ].join("\n"),
    }],
  };
}

function factOf(
  { name, formerNames, place, cik, tickers, sicDescription }: Registrant,
  { report, item, accession, reported }: {
    report: FilingReport;
    item: string;
    accession: string;
    reported: string;
  },
): string {
  const others = listOf(textOf(report.items)).filter((other) => other !== item);
  const about = [
    describePlace(place),
    sicDescription,
    tickers.slice(0, TICKERS_SHOWN).join(", "),
    formerNames.length > 0 && `formerly ${formerNames.slice(0, FORMER_NAMES_SHOWN).join(", ")}`,
  ].filter(Boolean);
  const sentences = [
    `${name} reported on Form ${report.form} ${MAPPED[item]!.reported} (Item ${item}); date of ` +
    `report: ${reported}.`,
    ...about.length === 0 ? [] : [`${withoutEnding(about.join("; "), /\./)}.`],
    `CIK ${Number(cik)}, accession number ${accession}` +
    `${others.length === 0 ? "" : `, with items ${others.join(", ")}`}.`,
  ];
  return sentences.join(" ");
}

const TICKERS_SHOWN = 3;
const FORMER_NAMES_SHOWN = 2;

function facetsOf({ place, sicDescription, formerNames, tickers }: Registrant): Facets {
  return {
    place,
    industry: facetText(sicDescription),
    former_names: formerNames,
    tickers: tickers.slice(0, FACET_LIMITS.list),
  };
}

function confidenceOf({ form, items }: FilingReport, item: string): number {
  const itemsOfReport = listOf(textOf(items));
  const isFinancing = item === "1.01" && FINANCING.some((other) => itemsOfReport.includes(other));
  const confidence = isFinancing ? FINANCING_CONFIDENCE : MAPPED[item]!.confidence;
  return textOf(form).endsWith("/A")
    ? Number((confidence * AMENDMENT_FACTOR).toFixed(2))
    : confidence;
}

function listOf(items: string): string[] {
  return items.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function columnFault(
  report: FilingReport,
  column: keyof FilingReport,
  wanted: string,
): { reason: string } {
  return fieldFault(column, textOf(report[column]), wanted);
}
