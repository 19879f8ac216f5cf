/**
 * Reads notices of exempt offerings of securities (Form D), which companies file with the SEC when
 * they raise money privately. A file is either one notice, as XML or in EDGAR's wrapper, or the
 * SEC's data set of a quarter, a ZIP of tables. An offering is one observation, and an amendment
 * revises it.
 */
import { type SourceEntry, UnreadableSource } from "../../record/entry.ts";
import type { Source } from "../kit/source.ts";
import { readBytes, textOf as decoded } from "../../formats/lines.ts";
import { readXmlRows } from "../../formats/xml.ts";
import { textOf, valueIn } from "../../mapping/template.ts";
import { readTables } from "./tables.ts";
import { shownValue } from "../../masking/mask_text.ts";
import { type FormDNotice, judgeNotice, PATHS, SECURITIES, type Security } from "./notice.ts";

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
  } else yield* readDocuments(decoded(bytes));
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

/** The fields in the header of a submission. */
type Header = Pick<FormDNotice, "accessionNumber" | "fileNumber" | "filingDate" | "sicCode">;

/**
 * Reads the notices of a text, in which submissions may follow each other. The line of an entry is
 * the line on which its XML starts.
 *
 * @throws UnreadableSource if the text contains no Form D, or ends within it
 */
export async function* readDocuments(text: string): AsyncGenerator<SourceEntry> {
  let from = 0;
  for (const { 0: xml, index } of text.matchAll(DOCUMENT)) {
    yield* readDocument(xml.trim(), {
      line: text.slice(0, index).split("\n").length,
      header: text.slice(from, index),
    });
    from = index + xml.length;
  }
  if (from === 0) throw new UnreadableSource("the submission holds no XML document");
}

/**
 * Matches a document up to its last tag, the end of its wrapper, the next document or the end of
 * the text.
 */
const DOCUMENT =
  /(?:<\?xml\b|<edgarSubmission\b)[^]*?(?:<\/edgarSubmission\s*>|(?=<\/XML>|<\?xml\b)|$)/g;

async function* readDocument(
  xml: string,
  { line, header }: { line: number; header: string },
): AsyncGenerator<SourceEntry> {
  let rows;
  try {
    rows = await Array.fromAsync(readXmlRows(new Blob([xml]).stream(), "edgarSubmission"));
  } catch (error) {
    if (!(error instanceof UnreadableSource) || !xml.includes("</edgarSubmission")) throw error;
    // The document names officers and signatories, so only the fields that are read may be shown.
    yield { line, raw: null, judged: { reason: error.message } };
    return;
  }
  if (rows.length === 0) {
    throw new UnreadableSource("not Form D: an XML document without edgarSubmission");
  }
  const notice = noticeOf(rows[0]!.value, headerOf(header));
  yield {
    line,
    get raw() {
      return shownValue(notice);
    },
    judged: judgeNotice(notice),
  };
}

/**
 * Reads the header of a submission. Its fields are marked by tags in EDGAR's feed, and by titles in
 * EDGAR's archive.
 */
function headerOf(header: string): Header {
  const cell = (pattern: RegExp) => pattern.exec(header)?.[1] ?? "";
  return {
    accessionNumber: cell(/^(?:<ACCESSION-NUMBER>|ACCESSION NUMBER:)\s*(\S+)/m),
    fileNumber: cell(/^[ \t]*(?:<FILE-NUMBER>|SEC FILE NUMBER:)\s*(\S+)/m),
    filingDate: cell(/^(?:<FILING-DATE>|FILED AS OF DATE:)\s*(\S+)/m),
    sicCode: cell(
      /^[ \t]*(?:<ASSIGNED-SIC>|STANDARD INDUSTRIAL CLASSIFICATION:[^[\n]*\[)\s*(\d{3,4})/m,
    ),
  };
}

function noticeOf(root: unknown, header: Header): FormDNotice {
  const text = (path: string) => textOf(valueIn(root, path));
  const textsAt = (path: string) => [valueIn(root, path) ?? []].flat().map(textOf);
  const isTrue = (path: string) => text(`offeringData.${path}`) === "true";
  const texts = Object.entries(PATHS).map(([name, path]) => [name, text(path)]);
  const signed = textsAt("offeringData.signatureBlock.signature.*.signatureDate").sort();
  return {
    ...Object.fromEntries(texts) as Record<keyof typeof PATHS, string>,
    ...header,
    filingDate: header.filingDate || signed.at(-1) || "",
    previousNames: PREVIOUS_NAMES.flatMap((path) => textsAt(`primaryIssuer.${path}`)),
    exemptions: textsAt("offeringData.federalExemptionsExclusions.item"),
    yetToOccur: isTrue("typeOfFiling.dateOfFirstSale.yetToOccur"),
    securities: (Object.keys(SECURITIES) as Security[])
      .filter((type) => isTrue(`typesOfSecuritiesOffered.${type}`)),
    isBusinessCombination: isTrue(
      "businessCombinationTransaction.isBusinessCombinationTransaction",
    ),
  };
}

/** Paths of the issuer's earlier names, as stated by the issuer and as known to EDGAR. */
const PREVIOUS_NAMES = ["issuerPreviousNameList", "edgarPreviousNameList"]
  .flatMap((list) => [`${list}.previousName`, `${list}.value`]);
