/**
 * Reads notices of exempt offerings of securities (Form D), which companies file with the SEC when
 * they raise money privately. A file is either one notice, as XML or in EDGAR's wrapper, or the
 * SEC's data set of a quarter, a ZIP of tables. An offering is one observation, and an amendment
 * revises it.
 */
import { type SourceEntry, UnreadableSource } from "../record/entry.ts";
import type { Source } from "./source.ts";
import { readBytes, textOf } from "../formats/read_bytes.ts";
import { readDocuments } from "./form_d_document.ts";
import { readTables } from "./form_d_tables.ts";

/** Max bytes of a ZIP. A quarter has about 5 MB. */
const ZIP_BYTES_MAX = 64 * 1_048_576;
/** Max bytes of a document. A notice with a hundred related persons has about 100 KB. */
const DOCUMENT_BYTES_MAX = 1_048_576;

export const formD: Source = {
  name: "form_d",
  title: "SEC Form D notices of exempt offerings",
  licence: "Public domain (information on sec.gov may be copied without permission)",
  attribution: "Source: U.S. Securities and Exchange Commission, Form D.",
  natural_key:
    "the SEC's file number of the offering (021-…), which an amendment keeps; without one, " +
    "the accession number; an XML document without a wrapper states neither, and is " +
    "identified by the issuer's CIK and the date of the first sale or, before the first " +
    "sale, the date of the signature",
  left_out:
    "related persons, signatories, recipients of commissions and telephone numbers, because " +
    "they concern persons; pooled investment funds, which buy nothing themselves; issuers " +
    "outside Canada and the United States; test filings; in a quarter's tables, notices that " +
    "an amendment in the same quarter replaced, and issuers other than the primary one",
  read: readNotices,
  remote: {
    // https://www.sec.gov/data-research/sec-markets-data/form-d-data-sets: one ZIP per quarter.
    address: "https://www.sec.gov/files/structureddata/data/form-d-data-sets",
    interval_seconds: 30 * 86_400,
    pause_milliseconds: 150,
    bytes_max: ZIP_BYTES_MAX,
    request: (address, { now }) => ({
      url: `${address}/${lastQuarter(now)}_d.zip`,
      accept: "application/zip",
    }),
  },
};

async function* readNotices(stream: AsyncIterable<Uint8Array>): AsyncGenerator<SourceEntry> {
  const bytes = await readBytes(stream, ZIP_BYTES_MAX);
  const start = new TextDecoder().decode(bytes.subarray(0, START_BYTES));
  if (start.startsWith("PK\u0003\u0004")) yield* readTables(bytes);
  else if (!DOCUMENT_START.test(start)) {
    throw new UnreadableSource("not Form D: neither XML, an EDGAR submission nor a ZIP");
  } else if (bytes.length > DOCUMENT_BYTES_MAX) {
    throw new UnreadableSource(`the document is longer than ${DOCUMENT_BYTES_MAX} bytes`);
  } else yield* readDocuments(textOf(bytes));
}

const START_BYTES = 1_000;
const DOCUMENT_START =
  /^\s*(?:<\?xml|<edgarSubmission|-----BEGIN|<SEC-DOCUMENT>|<SEC-HEADER>|<SUBMISSION>)/;

/** Number of days after the end of a quarter until its data set is surely published. */
const PUBLISHED_AFTER_DAYS = 30;

/** Returns the last quarter that ended long enough ago: "2024q1". */
function lastQuarter(now: Date): string {
  const day = new Date(now.getTime() - PUBLISHED_AFTER_DAYS * 86_400_000);
  const quarters = day.getUTCFullYear() * 4 + Math.floor(day.getUTCMonth() / 3) - 1;
  return `${Math.floor(quarters / 4)}q${quarters % 4 + 1}`;
}
