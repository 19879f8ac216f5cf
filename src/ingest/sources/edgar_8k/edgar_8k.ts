/**
 * Reads current reports of companies to the SEC (Form 8-K) from EDGAR's submissions file of one
 * company. The file is a JSON object with one array per column of the table of filings. It lists
 * the items of a report without their text. Each item of a known kind is one observation.
 */
import { z } from "zod";
import { Slices } from "../../../slices.ts";
import { type SourceEntry, UnreadableSource } from "../../record/entry.ts";
import { parseJson } from "../../formats/json.ts";
import { judgeMapped } from "../../record/normalize.ts";
import type { Source } from "../kit/source.ts";
import { readBytes, textOf as decoded } from "../../formats/lines.ts";
import { textOf } from "../../mapping/template.ts";
import {
  type FilingReport,
  leftOutItems,
  mappedItemsOf,
  recordOfItem,
  type Registrant,
  REPORT_COLUMNS,
} from "./item.ts";
import {
  CIK,
  countryOfEdgarCode,
  displayNameOf,
  formerNamesOf,
  placeOfEdgar,
} from "../kit/edgar_filing.ts";
import { acceptanceZoneOf } from "./acceptance_time.ts";

/** Max bytes of a file. The longest known file has about 3 MB. */
const BYTES_MAX = 32 * 1_048_576;

export const edgar8k: Source = {
  name: "edgar_8k",
  title: "SEC EDGAR current reports (Form 8-K)",
  licence: "Public domain (information on sec.gov may be copied without permission)",
  attribution: "Source: U.S. Securities and Exchange Commission, EDGAR.",
  natural_key: "accession number and item; an amendment (8-K/A) is a filing of its own",
  left_out:
    "other forms; items of no known kind: loans (2.03) are not funding rounds, the end of an " +
    "agreement (1.02) is not a partnership, changes of control (5.01) concern owners, and " +
    "2.02, 7.01, 8.01 and 9.01 do not say what happened; reports before August 2004, which " +
    "have other items; companies outside Canada and the United States; persons, because an " +
    "item says that something happened, not to whom",
  read: readReports,
  remote: {
    // https://www.sec.gov/search-filings/edgar-application-programming-interfaces: max ten requests
    // per second, with a User-Agent that names a contact.
    address: "https://data.sec.gov/submissions",
    target: { meaning: "a company's Central Index Key (CIK)", pattern: CIK },
    interval_seconds: 86_400,
    pause_milliseconds: 150,
    bytes_max: BYTES_MAX,
    request: (address, { target = "" }) => ({
      url: `${address}/CIK${target.padStart(10, "0")}.json`,
      accept: "application/json",
      target,
    }),
  },
};

const nullableText = z.string().nullish().transform((text) => text ?? "");

const Submissions = z.object({
  cik: z.string().regex(CIK),
  name: z.string().trim().min(1),
  sic: nullableText,
  sicDescription: nullableText,
  lei: nullableText,
  tickers: z.array(z.string().nullable()).nullish(),
  formerNames: z.array(z.object({ name: nullableText })).nullish(),
  addresses: z.object({
    business: z.object({
      city: nullableText,
      stateOrCountry: nullableText,
      /** Country code in newer files, if the place is abroad. `stateOrCountry` is then empty. */
      countryCode: nullableText,
    }),
  }),
  filings: z.object({
    recent: z.object(
      Object.fromEntries(REPORT_COLUMNS.map((name) => [name, z.array(z.unknown())])) as Record<
        keyof FilingReport,
        z.ZodArray<z.ZodUnknown>
      >,
    ),
  }),
});
type Columns = z.infer<typeof Submissions>["filings"]["recent"];

/** Reads the reports. The line of an entry is the number of its row in the columns, from 1. */
async function* readReports(stream: AsyncIterable<Uint8Array>): AsyncGenerator<SourceEntry> {
  const submissions = submissionsOf(decoded(await readBytes(stream, BYTES_MAX)));
  const columns = submissions.filings.recent;
  checkLengths(columns);
  const rows = columns.form.map((_, index) =>
    Object.fromEntries(REPORT_COLUMNS.map((name) => [name, columns[name][index]])) as FilingReport
  );
  const registrant = { ...registrantOf(submissions), zone: acceptanceZoneOf(rows) };
  const slices = new Slices();
  for (const [index, report] of rows.entries()) {
    const line = index + 1;
    if (slices.isOver) await slices.turn();
    if (textOf(report.form).startsWith("8-K")) yield* entriesOf(registrant, report, line);
    else yield { line, raw: report, judged: OTHER_FORM };
  }
}

const OTHER_FORM = { left_out: "a filing on a form other than 8-K" };

function* entriesOf(
  registrant: Registrant,
  raw: FilingReport,
  line: number,
): Generator<SourceEntry> {
  if (typeof raw.items !== "string") {
    yield { line, raw, judged: { reason: "items: is not a text" } };
    return;
  }
  const items = mappedItemsOf(raw.items);
  if (items.length === 0) yield { line, raw, judged: leftOutItems(raw.items) };
  for (const item of items) {
    const mapped = recordOfItem(registrant, raw, item);
    yield { line, raw, judged: judgeMapped(mapped) };
    // If the row is faulty or left out, so are all its items, but the row counts only once.
    if (!("source" in mapped)) return;
  }
}

function submissionsOf(text: string): z.infer<typeof Submissions> {
  const json = parseJson(text);
  if ("reason" in json) throw new UnreadableSource(`the file ${json.reason}`);
  const { value } = json;
  if (typeof value === "object" && value !== null && "accessionNumber" in value) {
    throw new UnreadableSource(
      "an older page of submissions (CIK…-submissions-001.json) names neither the company nor " +
        "its place: read the company's own file, CIK##########.json",
    );
  }
  const parsed = Submissions.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnreadableSource(
    `not a submissions file of EDGAR: ${issue!.path.map(String).join(".")}: ${issue!.message}`,
  );
}

function registrantOf(
  { addresses, tickers, formerNames, ...head }: z.infer<typeof Submissions>,
): Omit<Registrant, "zone"> {
  const { city, stateOrCountry, countryCode } = addresses.business;
  const code = stateOrCountry || countryCode;
  const name = displayNameOf(head.name);
  return {
    ...head,
    cik: head.cik.padStart(10, "0"),
    name,
    formerNames: formerNamesOf(name, (formerNames ?? []).map((former) => former.name)),
    tickers: (tickers ?? []).filter((ticker) => ticker !== null),
    place: placeOfEdgar(city, code),
    country: code === "" ? null : countryOfEdgarCode(code),
  };
}

/**
 * Checks that all columns have equal lengths. A missing cell would shift all later ones to the
 * wrong filing.
 */
function checkLengths(columns: Columns) {
  const rows = columns.accessionNumber.length;
  for (const [name, { length }] of Object.entries(columns)) {
    if (length === rows) continue;
    throw new UnreadableSource(
      `filings.recent.${name} has ${length} rows, filings.recent.accessionNumber ${rows}`,
    );
  }
}
