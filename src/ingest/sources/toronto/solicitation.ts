import type { SourceRecord } from "../../../contract/record.ts";
import type { Sector } from "../../../contract/vocabulary.ts";
import type { Row } from "../../formats/csv.ts";
import type { LeftOut } from "../../record/entry.ts";
import { EASTERN_TIME } from "../../formats/local_time.ts";
import { dateReader } from "../../mapping/values.ts";
import { isInformative } from "../../record/excerpts.ts";
import { maskedLine, maskedParagraphs } from "../../masking/mask_text.ts";
import { cleanLine, withoutEnding } from "../../text/clean_text.ts";
import { facetText } from "../../record/facets.ts";
import { fieldFault } from "../kit/field.ts";
import { isCancelled, summaryOf } from "./description.ts";

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

/**
 * Columns without which a solicitation would be missing, or taken for a request that it is not. The
 * City's exports from 2024-07 to 2025-12 have no wards.
 */
export const NEEDED_COLUMNS = [
  "number",
  "type",
  "notice",
  "issued",
  "deadline",
  "description",
] as const;

/** The cells of one row, in which only the names of contact persons are masked. */
export type Solicitation = Row<typeof SOLICITATION_COLUMNS>;

const readDate = dateReader([], EASTERN_TIME.CA);

/** The page of the data set. A single solicitation has no page, so the fragment names it. */
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

/** Type of documents with which the City sells scrap, surplus or recovered material. */
const SALE = "OTP";

/** Stage of a solicitation. */
type SolicitationStage = "request" | "unnamed" | "early" | "advance" | "cancelled";

/**
 * Confidence that the buyer will buy, by stage. `request` calls for bids or qualified suppliers.
 * `unnamed` has no known type. `early` only asks for information about the market. `advance` is an
 * announcement with provisional dates. `cancelled` was withdrawn.
 */
const CONFIDENCE: Readonly<Record<SolicitationStage, number>> = {
  request: 0.95,
  unnamed: 0.9,
  early: 0.7,
  advance: 0.6,
  cancelled: 0.5,
};

/**
 * Maps a solicitation to a record that is not normalized yet, or returns the reason why there is
 * none, with the name of the column. The company is the buying division, which has its own needs
 * and budget. A search shows at most three observations of a company, so it would hide most
 * solicitations if the City were one company. If several divisions or none are named, the company
 * is the City.
 *
 * A cancelled solicitation gets the demand class `proxy`. It revises the earlier record of the open
 * request, which would otherwise stay open until its deadline.
 */
export function recordOfSolicitation(
  row: Solicitation,
): SourceRecord | { reason: string } | LeftOut {
  const code = row.type.trim();
  if (code === SALE) return { left_out: "an offer to purchase: the City sells there" };
  // Some numbers contain a replacement character, because the file is damaged.
  const number = cleanLine(row.number.replaceAll("\ufffd", ""));
  const description = maskedParagraphs(row.description);
  const issued = readDate(row.issued.trim(), { ends: false });
  const deadline = readDate(row.deadline.trim(), { ends: true });
  const columns = SOLICITATION_COLUMNS;
  if (number === "") return fieldFault(columns.number, "", "a number");
  if (!/\d{6}/.test(number)) {
    return { reason: `${columns.number}: is not a document number: ${number}` };
  }
  if (description === "") return fieldFault(columns.description, "", "a text");
  if (issued === undefined) return fieldFault(columns.issued, row.issued, "a date");
  if (deadline === undefined) return fieldFault(columns.deadline, row.deadline, "a date");
  if (deadline < issued) return { reason: `${columns.deadline}: is before the issue date` };

  const facts = factsOf(row, { code, number, description });
  // Exports write the day with or without a time, and words of a number in any letter case.
  const day = row.issued.trim().slice(0, 10);
  const id = `${number[0]!.toUpperCase()}${number.slice(1).toLowerCase()}:${day}`;
  return {
    source: "toronto",
    external_id: id,
    company: { name: facts.buyer },
    kind: "procurement_request",
    observed_fact: factOf(facts, wardsOf(row.wards)),
    why_it_may_matter: whyOf(facts),
    // Before a call and after its cancellation, suppliers cannot answer.
    demand_class: /^(?:advance|cancelled)$/.test(facts.stage) ? "proxy" : "explicit_request",
    country: "CA",
    confidence: CONFIDENCE[facts.stage],
    occurred_at: issued,
    observed_at: issued,
    expires_at: deadline,
    categories: sectorsOf(row.category, facts.summary),
    facets: {
      place: { country: "CA", region: "ON", city: "Toronto" },
      deadline,
      industry: facetText(maskedLine(row.category).replace("&", "and")),
      document: TYPES[code]?.title ?? null,
    },
    text: [description, ...detailsOf(row, facts)].join("\n"),
    evidence: [{
      source_uri: `${DATASET_PAGE}#${encodeURIComponent(id)}`,
      excerpt: isInformative(description)
        ? description
        : [description, ...detailsOf(row, facts)].join("\n"),
    }],
  };
}

const CITY = "City of Toronto";

interface SolicitationFacts {
  buyer: string;
  divisions: string[];
  /** Title of the type: "Request for Tender". */
  type: string;
  /** Code of the type: "RFT", or empty. */
  code: string;
  stage: SolicitationStage;
  /** Category in words: "construction services", or empty. */
  wanted: string;
  /** Wanted goods or services in the City's words; empty if the row only refers to documents. */
  summary: string;
  number: string;
  /** Last day to answer, in Toronto. */
  closes: string;
}

function factsOf(
  row: Solicitation,
  { code, number, description }: { code: string; number: string; description: string },
): SolicitationFacts {
  // A comma before a space is part of a name.
  const divisions = row.division.split(/,(?=\S)/).map(divisionOf)
    .filter((name) => /^\p{L}/u.test(name));
  const type = TYPES[code];
  const stage = isCancelled(description, number)
    ? "cancelled"
    : row.notice.startsWith("Advance")
    ? "advance"
    : type?.stage ?? "unnamed";
  return {
    buyer: divisions.length === 1 ? `${CITY} – ${divisions[0]}` : CITY,
    divisions,
    type: type?.title ?? "solicitation",
    code,
    stage,
    wanted: maskedLine(row.category).replace("&", "and").toLowerCase(),
    summary: summaryOf(description),
    number,
    closes: row.deadline.trim(),
  };
}

const VERBS: Readonly<Partial<Record<SolicitationStage, string>>> = {
  advance: "gave advance notice of a",
  cancelled: "cancelled a",
};

/** Ends a text with one full stop, or with its ellipsis. */
function asSentence(text: string): string {
  return text.endsWith("…") ? text : `${withoutEnding(text, /[.,;:\s]/)}.`;
}

function factOf(facts: SolicitationFacts, wards: string): string {
  const { buyer, divisions, type, code, stage, wanted, summary, number, closes } = facts;
  const sentences = [
    asSentence(
      `${buyer} ${VERBS[stage] ?? "issued a"} ${type}${code && ` (${code})`}` +
        `${wanted && ` for ${wanted}`}${summary && `: ${summary}`}`,
    ),
    divisions.length > 1 && `Divisions: ${divisions.join("; ")}.`,
    wards && `Wards: ${wards}.`,
    `Document number ${number}, submission deadline ${closes}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function whyOf({ type, stage, wanted, closes }: SolicitationFacts): string {
  const subject = wanted && ` for ${wanted}`;
  switch (stage) {
    case "advance":
      return `A proxy: a public buyer announces that it will ask${subject} (${type}); nothing can ` +
        `be bid on yet, and the date of ${closes} is provisional.`;
    case "cancelled":
      return `A proxy: a public buyer asked${subject} (${type}) and has cancelled that; nothing ` +
        `can be bid on, but the need may come back.`;
    case "early":
      return `A public buyer asks the market${subject} (${type}), but for no bids yet; answers are ` +
        `taken until ${closes}.`;
    default:
      return `A public buyer asks suppliers${subject} to respond (${type}) until ${closes}.`;
  }
}

/** Returns the cells that add to the description. */
function detailsOf(row: Solicitation, { type, divisions }: SolicitationFacts): string[] {
  const cells = [type, row.notice, row.category, divisions.join("; "), wardsOf(row.wards)];
  return cells.map(maskedLine).filter((cell) => cell !== "");
}

/** Matches words of professions in NAICS sector 54. */
const PROFESSIONS = new RegExp(
  "\\b(?:engineering|architect(?:s|ural|ure)?|consult(?:ants?|ing|ancy)|feasibility stud(?:y|ies)|" +
    "audits?|auditors?|legal services(?! division)|technical review|contract administration|" +
    "design and construction administration|professional and technical|geotechnical|environmental assessments?|penetration testing|" +
    "cyber security services|actuarial|graphic design|translation|master plan|advertising)\\b",
  "i",
);

/**
 * Returns the sector of the wanted industry, if the City's category determines it. The category
 * "professional services" also includes guards and sewer cleaning, so the summary must also contain
 * a word of a profession.
 */
function sectorsOf(category: string, summary: string): Sector[] {
  if (/^construction/i.test(category.trim())) return ["23"];
  return /^professional/i.test(category.trim()) && PROFESSIONS.test(summary) ? ["54"] : [];
}

/** Matches the number of a cost centre: "CC1234", "0042 -", "(10042)". */
const COST_CENTRE =
  /^(?:cc|cost cent(?:re|er))?[\s#:]*[A-Z]{0,2}\d{3,}\s*(?:[-–:]\s*|$)|\s*[-–(]\s*[A-Z]{0,2}\d{3,}\)?$/i;

/**
 * Normalizes the name of a division and drops the number of its cost centre. The file has both
 * "and" and "&", and damaged or missing apostrophes.
 */
function divisionOf(cell: string): string {
  return maskedLine(cell)
    .replace(COST_CENTRE, "")
    .replace(/ and /g, " & ")
    .replace(/\b(Children|Clerk|Manager)[\ufffd?’']?s\b/g, "$1's");
}

/** Lists the wards. All 25 wards are the whole city, so they are not listed. */
function wardsOf(cell: string): string {
  const wards = cell.split(",").map(maskedLine).filter((ward) => ward !== "");
  return wards.length >= 25 ? "" : wards.join("; ");
}
