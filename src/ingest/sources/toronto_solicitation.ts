import { normalizeInstant } from "../../contract/instant.ts";
import type { SourceRecord } from "../../contract/record.ts";
import type { Row } from "../csv.ts";
import { maskedLine, maskedParagraphs } from "../masked.ts";
import { cleanLine, cutAtWord, withoutEnding } from "../text.ts";

/** The columns that are read. The buyer's name, e-mail address and telephone are not among them. */
export const SOLICITATION_COLUMNS = {
  number: "Document Number",
  type: "RFx (Solicitation) Type",
  notice: "NOIP (Notice of Intended Procurement) Type",
  issued: "Issue Date",
  deadline: "Submission Deadline",
  category: "High Level Category",
  description: "Solicitation Document Description",
  division: "Division",
  wards: "Wards",
} as const;

/** The cells of one row, as they stand in the file. */
export type Solicitation = Row<typeof SOLICITATION_COLUMNS>;

/** The page of the data set. It has none for a single solicitation: the fragment says which it is. */
const DATASET_PAGE = "https://open.toronto.ca/dataset/tobids-all-open-solicitations/";

const TYPES: Record<string, { title: string; stage: "request" | "early" }> = {
  RFP: { title: "Request for Proposal", stage: "request" },
  NRFP: { title: "Negotiated Request for Proposal", stage: "request" },
  RFQ: { title: "Request for Quotation", stage: "request" },
  RFT: { title: "Request for Tender", stage: "request" },
  RFSQ: { title: "Request for Supplier Qualifications", stage: "request" },
  RFI: { title: "Request for Information", stage: "early" },
  REOI: { title: "Request for Expressions of Interest", stage: "early" },
};

/** The City sells: scrap, surplus, recovered material. */
const SALE = "OTP";

/**
 * How sure it is that the buyer will buy: a call for bids or for qualified suppliers; one that does
 * not say what it is; one that only asks the market; an announcement, whose dates are provisional.
 */
const CONFIDENCE = { request: 0.95, unnamed: 0.9, early: 0.7, advance: 0.6 } as const;

/**
 * A solicitation as a record. The company is the division that buys, under the City's name: a
 * division has its own needs and budget, and is what a seller knows; the City as one company would
 * show three of its solicitations in a search and hide the others. Several divisions together, or
 * none, are the City.
 *
 * @returns the record, yet to be normalized; why there is none, naming the column; or nothing for
 * an offer to purchase.
 */
export function recordOfSolicitation(
  row: Solicitation,
): SourceRecord | { reason: string } | undefined {
  const code = row.type.trim();
  if (code === SALE) return undefined;
  // The file has lost characters around some numbers.
  const number = cleanLine(row.number.replaceAll("\ufffd", ""));
  const description = maskedLine(row.description);
  const issued = instantOf(row.issued, "00:00:00");
  const deadline = instantOf(row.deadline, "23:59:59");
  if (number === "") return missing("number");
  if (!/\d{6}/.test(number)) return fault("number", `is no document number: ${number}`);
  if (description === "") return missing("description");
  if (issued === undefined) return noDate(row, "issued");
  if (deadline === undefined) return noDate(row, "deadline");
  if (deadline < issued) return fault("deadline", "is before the issue date");

  const divisions = divisionsOf(row.division);
  const isAdvance = row.notice.startsWith("Advance");
  const type = TYPES[code];
  const facts: Facts = {
    buyer: divisions.length === 1 ? `${CITY} – ${divisions[0]}` : CITY,
    divisions,
    type: type?.title ?? "solicitation",
    code,
    stage: isAdvance ? "advance" : type?.stage ?? "unnamed",
    wanted: maskedLine(row.category).replace("&", "and").toLowerCase(),
    number,
    closes: deadline.slice(0, "2026-01-01".length),
  };
  return {
    source: "toronto",
    external_id: `${number}:${row.issued.trim()}`,
    company: { name: facts.buyer },
    kind: "procurement_request",
    observed_fact: factOf(facts, { description, wards: wardsOf(row.wards) }),
    why_it_may_matter: whyOf(facts),
    demand_class: isAdvance ? "proxy" : "explicit_request",
    country: "CA",
    confidence: CONFIDENCE[facts.stage],
    occurred_at: issued,
    observed_at: issued,
    expires_at: deadline,
    evidence: [{
      source_uri: `${DATASET_PAGE}#${encodeURIComponent(`${number}:${row.issued.trim()}`)}`,
      excerpt: maskedParagraphs(row.description),
    }],
  };
}

const CITY = "City of Toronto";

interface Facts {
  buyer: string;
  divisions: string[];
  /** "Request for Tender". */
  type: string;
  /** "RFT", or empty. */
  code: string;
  stage: keyof typeof CONFIDENCE;
  /** "construction services", or empty. */
  wanted: string;
  number: string;
  /** The last day, in Toronto. */
  closes: string;
}

function factOf(facts: Facts, { description, wards }: { description: string; wards: string }) {
  const { buyer, divisions, type, code, stage, wanted, number, closes } = facts;
  const did = stage === "advance" ? "gave advance notice of a" : "issued a";
  const text = cutAtWord(`${withoutEnding(description, /[.,;:\s]/)}.`, 600);
  const sentences = [
    `${buyer} ${did} ${type}${code && ` (${code})`}${wanted && ` for ${wanted}`}: ${text}`,
    divisions.length > 1 && `Divisions: ${divisions.join("; ")}.`,
    wards && `Wards: ${wards}.`,
    `Document number ${number}, submission deadline ${closes}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function whyOf({ type, stage, wanted, closes }: Facts): string {
  const subject = wanted && ` for ${wanted}`;
  if (stage === "advance") {
    return `A proxy: a public buyer announces that it will ask${subject} (${type}); nothing can ` +
      `be bid on yet, and the date of ${closes} is provisional.`;
  }
  return stage === "early"
    ? `A public buyer asks the market${subject} (${type}), but for no bids yet; answers are ` +
      `taken until ${closes}.`
    : `A public buyer asks suppliers${subject} to respond (${type}) until ${closes}.`;
}

/** Names hold commas with a space behind; several names are parted by commas without. */
function divisionsOf(cell: string): string[] {
  return cell.split(/,(?=\S)/).map(divisionOf).filter((name) => /^\p{L}/u.test(name));
}

/** One spelling of a division: the file has "and" beside "&", and apostrophes lost or left out. */
function divisionOf(cell: string): string {
  return maskedLine(cell)
    .replace(/ and /g, " & ")
    .replace(/\b(Children|Clerk|Manager)[\ufffd?’']?s\b/g, "$1's");
}

/** All 25 wards are the whole city, which says nothing. */
function wardsOf(cell: string): string {
  const wards = cell.split(",").map(maskedLine).filter((ward) => ward !== "");
  return wards.length >= 25 ? "" : wards.join("; ");
}

/** A date alone, taken at UTC-05:00 all year round: Toronto, to the hour in winter. */
function instantOf(cell: string, time: string): string | undefined {
  const text = `${cell.trim()}T${time}-05:00`;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(cell.trim());
  return isDate && normalizeInstant(text) !== undefined ? text : undefined;
}

function noDate(row: Solicitation, key: keyof Solicitation): { reason: string } {
  const text = cutAtWord(cleanLine(row[key]), 40);
  return text === "" ? missing(key) : fault(key, `is not a date: ${text}`);
}

function missing(key: keyof Solicitation): { reason: string } {
  return fault(key, "is empty");
}

function fault(key: keyof Solicitation, what: string): { reason: string } {
  return { reason: `${SOLICITATION_COLUMNS[key]}: ${what}` };
}
