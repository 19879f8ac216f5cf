/**
 * Reads the companies and funding rounds of Crunchbase as of October 2013, the last export under
 * the Creative Commons Attribution licence. It has two tables, rounds.csv and companies.csv, which
 * are recognized by their headers. The export no longer changes, so it is not fetched.
 */
import { readTable } from "../../formats/csv.ts";
import type { SourceEntry } from "../../record/entry.ts";
import { judgeMapped } from "../../record/normalize.ts";
import { sniff } from "../../formats/sniff.ts";
import type { Source } from "../kit/source.ts";
import { COMPANY_COLUMNS, recordOfCompany } from "./company.ts";
import { recordOfRound, ROUND_COLUMNS } from "./round.ts";

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
