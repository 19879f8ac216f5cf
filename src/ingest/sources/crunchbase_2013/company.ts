/** Maps the rows of companies.csv. Each row is one company. */
import type { SourceRecord } from "../../../contract/record.ts";
import type { LeftOut } from "../../record/entry.ts";
import {
  countryOf,
  describe,
  dollarsOf,
  ELSEWHERE,
  excerptOf,
  EXPORTED_AT,
  facetsOf,
  instantOf,
  nameOf,
  pageOf,
  sectorsOfCategory,
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
 * Confidence in hundredths. It is limited, because users wrote the texts years ago. Each missing
 * cell lowers it.
 */
const CONFIDENCE = {
  of_a_company: 70,
  less_without_category: 5,
  less_without_place: 5,
  less_without_founding: 5,
  less_with_a_damaged_total: 10,
  less_without_name: 10,
};

/**
 * Maps a row to a record that is not normalized yet. Otherwise returns the reason why there is
 * none, with the name of the column, or that the company is left out.
 */
export function recordOfCompany(
  row: CrunchbaseCompany,
): SourceRecord | { reason: string } | LeftOut {
  const permalink = row.permalink.trim();
  const founded = row.founded.trim();
  const country = countryOf(row.country);
  if (row.country.trim() === "") return fieldFault(COMPANY_COLUMNS.country, "", "a country");
  if (country === undefined) return ELSEWHERE;
  if (permalink === "") return fieldFault(COMPANY_COLUMNS.permalink, "", "a permalink");
  if (row.name.trim() === "") return fieldFault(COMPANY_COLUMNS.name, "", "a name");
  if (founded !== "" && instantOf(founded) === undefined) {
    return fieldFault(COMPANY_COLUMNS.founded, founded, "a date");
  }
  const total = isDamaged(row.total) ? "" : row.total;
  return {
    source: "crunchbase_2013",
    external_id: permalink,
    company: { name: nameOf(row.name, permalink).name, external_id: permalink },
    kind: "company_profile",
    observed_fact: factOf(row),
    why_it_may_matter: whyOf(row.status.trim()),
    demand_class: "structural",
    country,
    confidence: confidenceOf(row),
    occurred_at: null,
    observed_at: EXPORTED_AT,
    expires_at: null,
    categories: sectorsOfCategory(row.category),
    facets: facetsOf(row, country),
    evidence: [{
      source_uri: pageOf(permalink),
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

function factOf(row: CrunchbaseCompany): string {
  const { name } = nameOf(row.name, row.permalink.trim());
  const described = describe(row);
  const founded = foundingOf(row.founded.trim());
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

const STATES: Readonly<Record<string, string>> = {
  ipo: "publicly traded",
};

const DAY_LENGTH = "2011-04-05".length;

/**
 * Shortens a date, because the export has only full dates. The first of January means a year, and
 * the first of another month means that month.
 */
function foundingOf(date: string): string {
  return date.replace(/-01-01$/, "").replace(/(?<=-\d\d)-01$/, "");
}

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

function confidenceOf(row: CrunchbaseCompany): number {
  let hundredths = CONFIDENCE.of_a_company;
  if (row.category.trim() === "") hundredths -= CONFIDENCE.less_without_category;
  if (row.city.trim() === "") hundredths -= CONFIDENCE.less_without_place;
  if (row.founded.trim() === "") hundredths -= CONFIDENCE.less_without_founding;
  if (isDamaged(row.total)) hundredths -= CONFIDENCE.less_with_a_damaged_total;
  if (nameOf(row.name, row.permalink).lost) hundredths -= CONFIDENCE.less_without_name;
  return hundredths / 100;
}
