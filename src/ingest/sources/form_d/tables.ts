/**
 * Reads the SEC's data set of a quarter, a ZIP of tab-separated tables that are joined by accession
 * number. Two tables are held in memory: about 15,000 filings with a few cells each. The table of
 * offerings is read row by row.
 */
import { unzipSync } from "fflate";
import { readTable, type Row } from "../../formats/csv.ts";
import { type SourceEntry, UnreadableSource } from "../../record/entry.ts";
import { isoDayOf } from "../kit/edgar_filing.ts";
import { type FormDNotice, judgeNotice, SECURITIES, type Security } from "./notice.ts";

const SUBMISSION_COLUMNS = {
  ...inCapitals("accessionNumber", "submissionType", "testOrLive"),
  fileNumber: "FILE_NUM",
  filingDate: "FILING_DATE",
  sicCode: "SIC_CODE",
};

const NAME_COLUMNS = (["ISSUER", "EDGAR"] as const)
  .flatMap((origin) => ([1, 2, 3] as const).map((at) => `${origin}_PREVIOUSNAME_${at}` as const));

const ISSUER_COLUMNS = {
  ...inCapitals("accessionNumber", "cik", "entityName", "city", "stateOrCountry", "entityType"),
  isPrimary: "IS_PRIMARYISSUER_FLAG",
  ...inCapitals(...NAME_COLUMNS),
};

const OFFERING_COLUMNS = {
  ...inCapitals("accessionNumber", "industryGroupType", "revenueRange", "yetToOccur"),
  ...inCapitals("totalOfferingAmount", "totalAmountSold", "totalNumberAlreadyInvested"),
  ...inCapitals(...Object.keys(SECURITIES) as Security[]),
  exemptions: "FEDERALEXEMPTIONS_ITEMS_LIST",
  dateOfFirstSale: "SALE_DATE",
  isBusinessCombination: "ISBUSINESSCOMBINATIONTRANS",
};

/** Returns the columns of elements: their names in capitals. */
function inCapitals<const Name extends string>(...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, name.toUpperCase()])) as Record<
    Name,
    string
  >;
}

/**
 * Columns of the three tables without which a notice would be missing, or taken for an offering
 * that it is not.
 */
const NEEDED_COLUMNS: readonly string[] =
  ("accessionNumber fileNumber filingDate submissionType testOrLive isPrimary cik entityName " +
    "stateOrCountry industryGroupType dateOfFirstSale yetToOccur isPooledInvestmentFundType " +
    "isBusinessCombination totalOfferingAmount totalAmountSold").split(" ");

type Submission = Row<typeof SUBMISSION_COLUMNS>;
type Issuer = Row<typeof ISSUER_COLUMNS>;
type Offering = Row<typeof OFFERING_COLUMNS>;

/**
 * Reads the notices. The line of an entry is the line of its row in OFFERING.tsv. A filing with a
 * damaged, missing or second row in another table is rejected at its row in OFFERING.tsv, so it is counted
 * once.
 *
 * @throws UnreadableSource if the ZIP is damaged, lacks a table or is too large
 */
export async function* readTables(zip: Uint8Array): AsyncGenerator<SourceEntry> {
  const submissions = await rowsOf(zip, "FORMDSUBMISSION.tsv", SUBMISSION_COLUMNS);
  const issuers = await rowsOf(zip, "ISSUERS.tsv", ISSUER_COLUMNS, isPrimary);
  const latest = latestByFileNumber([...submissions.values()].flat());
  const offered = new Set<string>();
  yield* readTable(tableOf(zip, "OFFERING.tsv"), {
    title: "OFFERING.tsv of Form D",
    columns: OFFERING_COLUMNS,
    needed: neededOf(OFFERING_COLUMNS),
    tabs: true,
    judge(offering) {
      const { accessionNumber } = offering;
      const [submission, ...submissionsAfter] = submissions.get(accessionNumber) ?? [];
      const [issuer, ...issuersAfter] = issuers.get(accessionNumber) ?? [];
      if (accessionNumber === "") return { reason: "ACCESSIONNUMBER: is empty" };
      if (submission === undefined) return missing("FORMDSUBMISSION.tsv", accessionNumber);
      if (issuer === undefined) return missing("ISSUERS.tsv", accessionNumber);
      if (submissionsAfter.length > 0) return repeated("FORMDSUBMISSION.tsv", accessionNumber);
      if (issuersAfter.length > 0) return repeated("ISSUERS.tsv", accessionNumber);
      if (offered.has(accessionNumber)) return repeated("OFFERING.tsv", accessionNumber);
      offered.add(accessionNumber);
      const { fileNumber } = submission;
      if (fileNumber !== "" && latest.get(fileNumber) !== submission) {
        return { left_out: "a notice that a later one in the same quarter replaces" };
      }
      return judgeNotice(noticeOf(submission, issuer, offering));
    },
  });
}

/** Unpacks a table, which is in a folder of the quarter ("2024Q1_d/ISSUERS.tsv"). */
function tableOf(zip: Uint8Array, name: string): ReadableStream<Uint8Array> {
  let entries = 0;
  try {
    const [table] = Object.values(unzipSync(zip, {
      filter(file) {
        if (++entries > ENTRIES_MAX) throw new UnreadableSource("the ZIP has too many entries");
        if (file.name.split("/").at(-1)!.toUpperCase() !== name.toUpperCase()) return false;
        // Unpacking stops at the declared size.
        if (file.originalSize > TABLE_BYTES_MAX) {
          throw new UnreadableSource(`${name} is longer than ${TABLE_BYTES_MAX} bytes`);
        }
        return true;
      },
    }));
    if (table !== undefined) return new Blob([table]).stream();
  } catch (error) {
    if (error instanceof UnreadableSource) throw error;
    throw new UnreadableSource(`the ZIP is damaged: ${(error as Error).message}`);
  }
  throw new UnreadableSource(`the ZIP holds no ${name}`);
}

/** Limits of the ZIP. It has six tables and a readme, and the largest table has about 5 MB. */
const ENTRIES_MAX = 100;
const TABLE_BYTES_MAX = 64 * 1_048_576;

/** Returns the valid and wanted rows of each accession number. */
async function rowsOf<const Columns extends { accessionNumber: string }>(
  zip: Uint8Array,
  name: string,
  columns: Columns & Record<string, string>,
  isWanted: (row: Row<Columns>) => boolean = () => true,
): Promise<Map<string, Row<Columns>[]>> {
  const rows = new Map<string, Row<Columns>[]>();
  const table = readTable(tableOf(zip, name), {
    title: `${name} of Form D`,
    columns,
    needed: neededOf(columns),
    tabs: true,
    judge(row) {
      const accession = row.accessionNumber;
      if (isWanted(row)) rows.set(accession, [...rows.get(accession) ?? [], row]);
      return { left_out: "a row that is joined with those of other tables" };
    },
  });
  for await (const _ of table);
  return rows;
}

function neededOf<Columns extends object>(columns: Columns): (keyof Columns)[] {
  return Object.keys(columns).filter((key) => NEEDED_COLUMNS.includes(key)) as (keyof Columns)[];
}

function isPrimary({ isPrimary }: Issuer): boolean {
  return isPrimary.toUpperCase() === "YES";
}

/** Returns the latest notice of each offering, by filing date and then by accession number. */
function latestByFileNumber(submissions: Iterable<Submission>): Map<string, Submission> {
  const latest = new Map<string, Submission>();
  for (const submission of submissions) {
    const before = latest.get(submission.fileNumber);
    if (before === undefined || orderOf(submission) > orderOf(before)) {
      latest.set(submission.fileNumber, submission);
    }
  }
  return latest;
}

function orderOf({ filingDate, accessionNumber }: Submission): string {
  return `${isoDayOf(filingDate) ?? ""} ${accessionNumber}`;
}

function noticeOf(submission: Submission, issuer: Issuer, offering: Offering): FormDNotice {
  return {
    ...submission,
    ...issuer,
    ...offering,
    previousNames: NAME_COLUMNS.map((column) => issuer[column]),
    exemptions: offering.exemptions.split(",").map((code) => code.trim()).filter(Boolean),
    yetToOccur: isTrue(offering.yetToOccur),
    securities: (Object.keys(SECURITIES) as Security[]).filter((type) => isTrue(offering[type])),
    isBusinessCombination: isTrue(offering.isBusinessCombination),
  };
}

function isTrue(cell: string): boolean {
  return cell.toLowerCase() === "true";
}

function missing(table: string, accession: string): { reason: string } {
  return { reason: `ACCESSIONNUMBER: ${accession} has no valid row in ${table}` };
}

/** Returns a rejection, because no row of two says that it is the right one. */
function repeated(table: string, accession: string): { reason: string } {
  return { reason: `ACCESSIONNUMBER: ${accession} has several rows in ${table}` };
}
