/** Maps the rows of companies.csv. Each row is one company. */
import type { SourceRecord } from "../../../contract/record.ts";
import type { LeftOut } from "../../record/entry.ts";
import {
  companyOf,
  describe,
  dollarsOf,
  excerptOf,
  faultOfCompany,
  instantOf,
  type ListedCompany,
} from "./cells.ts";
import { fieldFault } from "../kit/field.ts";

/** Columns of companies.csv, by the names of their cells in this program. */
export const COMPANY_COLUMNS = {
  permalink: "permalink",
  name: "name",
  category: "category_code",
  total: "funding_total_usd",
  status: "status",
  country: "country_code",
  state: "state_code",
  region: "region",
  city: "city",
  rounds: "funding_rounds",
  founded: "founded_at",
  last_funded: "last_funding_at",
} as const;

/** The cells of one row, unchanged. */
type CrunchbaseCompany = Record<keyof typeof COMPANY_COLUMNS, string>;

/**
 * Maps a row to a record that is not normalized yet. Otherwise returns the reason why there is
 * none, with the name of the column, or that the company is left out.
 */
export function recordOfCompany(
  row: CrunchbaseCompany,
): SourceRecord | { reason: string } | LeftOut {
  const fault = faultOfCompany(row, COMPANY_COLUMNS);
  if (fault !== undefined) return fault;
  const company = companyOf(row);
  const founded = row.founded.trim();
  if (founded !== "" && instantOf(founded) === undefined) {
    return fieldFault(COMPANY_COLUMNS.founded, founded, "a date");
  }
  const total = isDamaged(row.total) ? "" : row.total;
  return {
    ...company.members,
    external_id: company.permalink,
    kind: "company_profile",
    observed_fact: factOf(row, company),
    why_it_may_matter: whyOf(row.status.trim()),
    demand_class: "structural",
    confidence: confidenceOf(row, company),
    occurred_at: null,
    facets: company.facets,
    evidence: [{
      source_uri: company.page,
      excerpt: excerptOf(COMPANY_COLUMNS, { ...row, total }),
    }],
  };
}

/**
 * Returns whether a spreadsheet has damaged a total. Damaged totals are dates ("5/18/27") or
 * "####".
 */
function isDamaged(total: string): boolean {
  return total.trim() !== "" && dollarsOf(total.trim()) === undefined;
}

function factOf(row: CrunchbaseCompany, { name }: ListedCompany): string {
  const described = describe(row);
  // The export has only full dates. The first of January means a year, and the first of another
  // month means that month.
  const founded = row.founded.trim().replace(/-01-01$/, "").replace(/(?<=-\d\d)-01$/, "");
  const status = row.status.trim();
  const sentences = [
    `${name}${described && ` (${described})`}` +
    `${founded && `, founded ${founded.length === DAY_LENGTH ? "on" : "in"} ${founded},`} was ` +
    "listed by Crunchbase in October 2013" +
    `${status && ` as ${STATES[status] ?? status}`}.`,
    fundingOf(row),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

const STATES: Readonly<Record<string, string>> = { ipo: "publicly traded" };

const DAY_LENGTH = "2011-04-05".length;

function fundingOf(row: CrunchbaseCompany): string {
  const rounds = row.rounds.trim();
  const total = dollarsOf(row.total.trim());
  const last = row.last_funded.trim();
  if (!/^[1-9]\d*$/.test(rounds)) return "";
  return `Funding: ${rounds} ${rounds === "1" ? "round" : "rounds"}` +
    `${total === undefined ? "" : `, ${total} in all`}${last && `, last dated ${last}`}.`;
}

function whyOf(status: string): string {
  const known = "Who the company was in October 2013: its trade, place and funding.";
  if (status === "closed") return `${known} It had closed by then, and is likely no buyer.`;
  if (status === "acquired") return `${known} It had been acquired: its owner may buy for it.`;
  return `${known} Much may have changed since, and none of it is a sign of buying.`;
}

/**
 * Returns the confidence. It is limited, because users wrote the texts years ago. Each missing cell
 * lowers it, and a damaged total or name lowers it more.
 */
function confidenceOf(row: CrunchbaseCompany, { isNameLost }: ListedCompany): number {
  const missing = [row.category, row.city, row.founded].filter((cell) => cell.trim() === "");
  const damaged = [isDamaged(row.total), isNameLost].filter(Boolean);
  return (70 - 5 * missing.length - 10 * damaged.length) / 100;
}
