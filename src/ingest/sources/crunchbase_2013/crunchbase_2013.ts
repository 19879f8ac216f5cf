/**
 * Reads the companies and funding rounds of Crunchbase as of October 2013, the last export under
 * the Creative Commons Attribution licence. It has two tables, rounds.csv and companies.csv, which
 * are recognized by their headers. The export no longer changes, so it is not fetched.
 */
import type { SourceRecord } from "../../../contract/record.ts";
import { readTable } from "../../formats/csv.ts";
import { sniff } from "../../formats/sniff.ts";
import type { LeftOut, SourceEntry } from "../../record/entry.ts";
import { facetText } from "../../record/facets.ts";
import { judgeMapped } from "../../record/normalize.ts";
import { fieldFault } from "../kit/field.ts";
import type { Source } from "../kit/source.ts";
import {
  companyOf,
  describe,
  dollarsOf,
  excerptOf,
  faultOfCompany,
  instantOf,
  type ListedCompany,
} from "./cells.ts";
import { COMPANY_COLUMNS, recordOfCompany } from "./company.ts";

export const crunchbase2013: Source = {
  name: "crunchbase_2013",
  title: "Crunchbase, export of October 2013",
  licence: "CC BY (Crunchbase licensing policy before 12 December 2013)",
  attribution: "Contains data of Crunchbase, October 2013 export (https://www.crunchbase.com).",
  natural_key:
    "for a company, its permalink; for a round, everything that is known: the company's " +
    "permalink, date, type and amount. Rounds that agree in all of these are one round",
  left_out:
    "companies outside Canada and the United States; totals that a spreadsheet had turned " +
    "into dates or number signs; categories of Crunchbase that do not correspond to one " +
    "sector of NAICS",
  read: readExport,
};

async function* readExport(stream: AsyncIterable<Uint8Array>): AsyncGenerator<SourceEntry> {
  await using sniffed = await sniff(stream);
  const { start, replayed } = sniffed;
  if (start.split("\n", 1)[0]!.includes(ROUND_COLUMNS.funded)) {
    yield* readTable(replayed, {
      title: "a table of Crunchbase's rounds",
      columns: ROUND_COLUMNS,
      needed: ["permalink", "name", "country", "type", "funded", "amount"],
      ended: true,
      judge: (row) => judgeMapped(recordOfRound(row)),
    });
  } else {
    yield* readTable(replayed, {
      title: "a table of Crunchbase's rounds or companies",
      columns: COMPANY_COLUMNS,
      needed: ["permalink", "name", "country"],
      ended: true,
      judge: (row) => judgeMapped(recordOfCompany(row)),
    });
  }
}

/** Columns of rounds.csv, by the names of their cells in this program. */
export const ROUND_COLUMNS = {
  permalink: "company_permalink",
  name: "company_name",
  category: "company_category_code",
  country: "company_country_code",
  state: "company_state_code",
  region: "company_region",
  city: "company_city",
  type: "funding_round_type",
  funded: "funded_at",
  amount: "raised_amount_usd",
} as const;

/** The cells of one row, unchanged. */
type Round = Record<keyof typeof ROUND_COLUMNS, string>;

const TYPES: Readonly<Record<string, string>> = {
  angel: "angel round",
  crowdfunding: "crowdfunding round",
  other: "round of unstated type",
  "post-ipo": "post-IPO round",
  "private-equity": "private equity round",
  "series-a": "Series A round",
  "series-b": "Series B round",
  "series-c+": "Series C or later round",
  venture: "venture round",
};

/** The earliest date. It means an unknown date. */
const UNKNOWN_DATE = "1960-01-01";

/**
 * Maps a row to a record that is not normalized yet. Otherwise returns the reason why there is
 * none, with the name of the column, or that the company is left out.
 */
function recordOfRound(row: Round): SourceRecord | { reason: string } | LeftOut {
  const fault = faultOfCompany(row, ROUND_COLUMNS);
  if (fault !== undefined) return fault;
  const company = companyOf(row);
  const type = row.type.trim();
  const funded = row.funded.trim();
  const amount = row.amount.trim();
  const occurred = instantOf(funded);
  if (type === "") return fieldFault(ROUND_COLUMNS.type, "", "a type");
  if (occurred === undefined) return fieldFault(ROUND_COLUMNS.funded, funded, "a date");
  if (amount !== "" && dollarsOf(amount) === undefined) {
    return fieldFault(ROUND_COLUMNS.amount, amount, "an amount of dollars");
  }
  return {
    ...company.members,
    external_id: [company.permalink, funded, type, amount || "undisclosed"].join("/"),
    kind: "funding_round",
    observed_fact: factOf(row, company),
    why_it_may_matter: WHY,
    demand_class: "proxy",
    confidence: confidenceOf(row, company),
    occurred_at: occurred,
    facets: {
      ...company.facets,
      amount: amount === "" ? undefined : { value: Number(amount), currency: "USD" },
      round: type === "series-c+" ? "series_c_or_later" : facetText(type.replaceAll("-", "_")),
    },
    evidence: [{ source_uri: company.page, excerpt: excerptOf(ROUND_COLUMNS, row) }],
  };
}

const WHY = "A funding round as Crunchbase knew it in October 2013: history. It shows what the " +
  "company was given money for, and is a proxy at most: no sign that it buys now.";

function factOf(row: Round, { name }: ListedCompany): string {
  const type = row.type.trim();
  const funded = row.funded.trim();
  const round = TYPES[type] ?? `round of type ${type}`;
  const amount = dollarsOf(row.amount.trim());
  const described = describe(row);
  const date = funded === UNKNOWN_DATE
    ? "whose date Crunchbase did not know (1960-01-01, the earliest it offers)"
    : `dated ${funded}`;
  return `${name}${described && ` (${described})`} raised ${amount ?? "an undisclosed amount"} ` +
    `in ${/^[aeiou]/i.test(round) ? "an" : "a"} ${round} ${date}.`;
}

/**
 * Returns the confidence. It is limited, because users wrote the records. Each missing cell lowers
 * it. Dates do not state their precision. The first of January, which 5 % of the rounds have, may
 * mean the whole year. The first of another month may mean that month.
 */
function confidenceOf(row: Round, { isNameLost }: ListedCompany): number {
  const funded = row.funded.trim();
  if (funded === UNKNOWN_DATE) return 0.3;
  const isYear = funded.endsWith("-01-01");
  const isMonth = !isYear && funded.endsWith("-01");
  const great = [row.amount.trim() === "", isYear, isNameLost].filter(Boolean);
  const small = [row.type.trim() === "other", isMonth].filter(Boolean);
  return (80 - 10 * great.length - 5 * small.length) / 100;
}
