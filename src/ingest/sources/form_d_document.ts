/** Reads Form D notices: XML documents, alone or in the texts of EDGAR submissions. */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { type SourceEntry, UnreadableSource } from "../record/entry.ts";
import { shownValue } from "../masking/mask_text.ts";
import { type FormDNotice, judgeNotice, SECURITIES, type Security } from "./form_d_notice.ts";

/** The fields in the header of a submission. */
type Header = Pick<FormDNotice, "accessionNumber" | "fileNumber" | "filingDate" | "sicCode">;

/**
 * Reads the notices of a text, in which submissions may follow each other. The line of an entry is
 * the line on which its XML starts. Only the five entities that XML predefines are accepted.
 * Entities that the document defines are refused.
 *
 * @throws UnreadableSource if the text contains no Form D, or ends within it
 */
export function* readDocuments(text: string): Generator<SourceEntry> {
  let from = 0;
  for (;;) {
    const { start, end } = nextDocument(text, from);
    if (start === -1 && from > 0) return;
    if (start === -1) throw new UnreadableSource("the submission holds no XML document");
    yield* readDocument(text, { from, start, end });
    from = end;
  }
}

const DOCUMENT_START = /<\?xml\b|<edgarSubmission\b/g;
/** Matches the end of a document: its last tag, the end of its wrapper, or the next document. */
const DOCUMENT_END = /<\/edgarSubmission\s*>|(?=<\/XML>|<\?xml\b)/g;

/** Returns the bounds of the first XML document from an index on. A start of -1 means none. */
function nextDocument(text: string, from: number): { start: number; end: number } {
  DOCUMENT_START.lastIndex = from;
  const start = DOCUMENT_START.exec(text)?.index ?? -1;
  if (start === -1) return { start, end: text.length };
  DOCUMENT_END.lastIndex = start + 1;
  const match = DOCUMENT_END.exec(text);
  return { start, end: match === null ? text.length : match.index + match[0].length };
}

function* readDocument(
  text: string,
  { from, start, end }: { from: number; start: number; end: number },
): Generator<SourceEntry> {
  const xml = text.slice(start, end).trim();
  const root = rootOf(xml);
  if (root !== undefined && root.name !== "edgarSubmission") {
    throw new UnreadableSource(`not Form D: an XML document of ${root.name}`);
  }
  const line = text.slice(0, start).split("\n").length;
  // The document names officers and signatories, so only the fields that are read may be shown.
  if (root === undefined) {
    yield { line, raw: null, judged: { reason: "the document is not well-formed XML" } };
    if (xml.includes("<edgarSubmission") && !xml.includes("</edgarSubmission")) {
      throw new UnreadableSource("the file ends within the document");
    }
    return;
  }
  const notice = noticeOf(root, headerOf(text.slice(from, start)));
  yield {
    line,
    get raw() {
      return shownValue(notice);
    },
    judged: judgeNotice(notice),
  };
}

/** Max number of "<", "=" and "&", which bounds the parsing time. A notice has a few hundred. */
const MARKS_MAX = 20_000;

function rootOf(xml: string): XmlElement | undefined {
  if ((xml.match(/[<=&]/g)?.length ?? 0) > MARKS_MAX) return undefined;
  try {
    return parseXml(xml).root ?? undefined;
  } catch {
    // The parser throws only for faults of the text, such as too deep nesting.
    return undefined;
  }
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

function noticeOf(root: XmlElement, header: Header): FormDNotice {
  const text = (path: string) => allAt(root, path)[0] ?? "";
  const isTrue = (path: string) => text(path) === "true";
  const offering = "offeringData";
  const types = `${offering}/typesOfSecuritiesOffered`;
  const firstSale = `${offering}/typeOfFiling/dateOfFirstSale`;
  const signed = allAt(root, `${offering}/signatureBlock/signature/signatureDate`).sort();
  return {
    ...header,
    filingDate: header.filingDate || signed.at(-1) || "",
    submissionType: text("submissionType"),
    testOrLive: text("testOrLive"),
    cik: text("primaryIssuer/cik"),
    entityName: text("primaryIssuer/entityName"),
    entityType: text("primaryIssuer/entityType"),
    previousNames: PREVIOUS_NAMES.flatMap((path) => allAt(root, `primaryIssuer/${path}`)),
    city: text("primaryIssuer/issuerAddress/city"),
    stateOrCountry: text("primaryIssuer/issuerAddress/stateOrCountry"),
    industryGroupType: text(`${offering}/industryGroup/industryGroupType`),
    revenueRange: text(`${offering}/issuerSize/revenueRange`),
    exemptions: allAt(root, `${offering}/federalExemptionsExclusions/item`),
    dateOfFirstSale: text(`${firstSale}/value`),
    yetToOccur: isTrue(`${firstSale}/yetToOccur`),
    securities: (Object.keys(SECURITIES) as Security[]).filter((type) =>
      isTrue(`${types}/${type}`)
    ),
    isBusinessCombination: isTrue(
      `${offering}/businessCombinationTransaction/isBusinessCombinationTransaction`,
    ),
    totalOfferingAmount: text(`${offering}/offeringSalesAmounts/totalOfferingAmount`),
    totalAmountSold: text(`${offering}/offeringSalesAmounts/totalAmountSold`),
    totalNumberAlreadyInvested: text(`${offering}/investors/totalNumberAlreadyInvested`),
  };
}

/** Paths of the issuer's earlier names, as stated by the issuer and as known to EDGAR. */
const PREVIOUS_NAMES = ["issuerPreviousNameList", "edgarPreviousNameList"]
  .flatMap((list) => [`${list}/previousName`, `${list}/value`]);

/** Returns the texts of all elements at a path below the root, in the order of the document. */
function allAt(root: XmlElement, path: string): string[] {
  let elements = [root];
  for (const name of path.split("/")) {
    elements = elements.flatMap(({ children }) =>
      children.filter((child) => child instanceof XmlElement && child.name === name) as XmlElement[]
    );
  }
  return elements.map(({ text }) => text.trim());
}
