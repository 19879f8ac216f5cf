import { normalizeInstant } from "../../contract/instant.ts";
import type { SourceRecord } from "../../contract/record.ts";
import type { Sector } from "../../contract/vocabulary.ts";
import { maskedLine, maskedParagraphs } from "../masked.ts";
import { sectorOfUnspsc } from "../sectors.ts";
import { cleanLine, cutAtWord, withoutEnding } from "../text.ts";

/** The columns that are read. The contact columns are not among them. */
export const NOTICE_COLUMNS = {
  title: "title-titre-eng",
  title_fra: "title-titre-fra",
  reference: "referenceNumber-numeroReference",
  amendment: "amendmentNumber-numeroModification",
  solicitation: "solicitationNumber-numeroSollicitation",
  published: "publicationDate-datePublication",
  closing: "tenderClosingDate-appelOffresDateCloture",
  amended: "amendmentDate-dateModification",
  status: "tenderStatus-appelOffresStatut-eng",
  type: "noticeType-avisType-eng",
  method: "procurementMethod-methodeApprovisionnement-eng",
  category: "procurementCategory-categorieApprovisionnement",
  gsin: "gsinDescription-nibsDescription-eng",
  unspsc: "unspscDescription-eng",
  unspsc_codes: "unspsc",
  delivery: "regionsOfDelivery-regionsLivraison-eng",
  buyer: "contractingEntityName-nomEntitContractante-eng",
  buyer_fra: "contractingEntityName-nomEntitContractante-fra",
  url: "noticeURL-URLavis-eng",
  url_fra: "noticeURL-URLavis-fra",
  description: "tenderDescription-descriptionAppelOffres-eng",
  description_fra: "tenderDescription-descriptionAppelOffres-fra",
} as const;

/** The cells of one row, as they stand in the file. */
export type Notice = Record<keyof typeof NOTICE_COLUMNS, string>;

/** Where CanadaBuys shows a notice that names no address of its own. */
const NOTICE_PAGE = "https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/";

const CATEGORIES: Record<string, string> = {
  CNST: "construction",
  GD: "goods",
  SRV: "services",
  SRVTGD: "services related to goods",
};

/**
 * How sure it is that the buyer will buy: a request for bids or for qualified suppliers; a notice
 * that does not say what it is; one that only asks, announces, or names the supplier already.
 */
const CONFIDENCE = { request: 0.95, unnamed: 0.9, early: 0.7 } as const;
const EARLY_TYPES = /request for information|letter of interest|advance contract award|planning/i;
const EARLY_TEXTS = /\bis not a (?:bid solicitation|request for (?:bids?|proposals?|tenders?))/i;

/** Any other status ("Open", "Active", "Amended") leaves it to the closing date. */
const ENDED = /^(?:cancel|award|expired|closed|withdrawn|terminated|archived|completed)/i;

/**
 * A notice as a record. Its categories are the sectors of what is bought, by its UNSPSC codes: they
 * say which industry is asked, not which one the buyer is of.
 *
 * @returns the record, yet to be normalized, or why there is none, naming the column.
 */
export function recordOfNotice(notice: Notice): SourceRecord | { reason: string } {
  const cell = (key: keyof Notice) => maskedLine(notice[key]);
  const title = cell("title") || cell("title_fra");
  const buyer = cell("buyer") || cell("buyer_fra");
  const reference = notice.reference.trim();
  const published = instantOf(notice.published);
  const amended = notice.amended.trim() === "" ? published : instantOf(notice.amended);
  const closing = instantOf(notice.closing, "23:59:59");
  if (reference === "") return missing("reference");
  if (title === "") return missing("title");
  if (buyer === "") return missing("buyer");
  if (published === undefined) return noDate(notice, "published");
  if (amended === undefined) return noDate(notice, "amended");
  if (closing === undefined) return noDate(notice, "closing");

  const ended = ENDED.test(cell("status"));
  const facts = { title, buyer, reference, closing, ...demandOf(notice) };
  return {
    source: "canadabuys",
    external_id: reference,
    company: { name: buyer },
    kind: "procurement_request",
    observed_fact: factOf(facts, notice),
    why_it_may_matter: whyOf(facts),
    demand_class: "explicit_request",
    country: "CA",
    confidence: CONFIDENCE[facts.stage],
    occurred_at: published,
    observed_at: amended,
    // A notice that was cancelled or awarded is over, whatever its closing date says.
    expires_at: ended && amended < closing ? amended : closing,
    categories: distinctSectors(notice.unspsc_codes),
    evidence: evidenceOf(notice, reference),
  };
}

interface Facts {
  title: string;
  buyer: string;
  reference: string;
  /** With the offset of the file. */
  closing: string;
  /** Goods, services, construction, in words. */
  wanted: string;
  /** "Request for Proposal", or empty. */
  type: string;
  stage: keyof typeof CONFIDENCE;
}

function demandOf(notice: Notice): Pick<Facts, "wanted" | "type" | "stage"> {
  const type = maskedLine(notice.type);
  const early = EARLY_TYPES.test(type) || EARLY_TYPES.test(notice.method) ||
    EARLY_TEXTS.test(notice.description);
  return {
    type,
    wanted: listOf(notice.category).map((code) => CATEGORIES[code] ?? code).join(" and "),
    stage: early ? "early" : type === "" ? "unnamed" : "request",
  };
}

function factOf(facts: Facts, notice: Notice): string {
  const classes = [...listOf(notice.gsin), ...listOf(notice.unspsc)].join("; ");
  const delivery = listOf(notice.delivery).join("; ");
  const solicitation = maskedLine(notice.solicitation);
  const sentences = [
    `${facts.buyer} published a tender notice${facts.wanted && ` for ${facts.wanted}`}: ` +
    `${withoutEnding(facts.title, /[.\s]/)}.`,
    facts.type && `Notice type: ${facts.type}.`,
    classes && `Classified as: ${cutAtWord(classes, 600)}.`,
    delivery && `Delivery: ${cutAtWord(delivery, 300)}.`,
    `Reference ${facts.reference}${solicitation && `, solicitation ${solicitation}`}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function whyOf({ wanted, type, stage, closing }: Facts): string {
  const named = type === "" ? "tender notice" : type;
  const closes = `${closing.slice(0, 10)} at ${closing.slice(11, 16)} (UTC-05:00)`;
  const subject = wanted === "" ? "" : ` for ${wanted}`;
  return stage === "early"
    ? `A public buyer states a need${subject} (${named}), but does not ask for bids with this ` +
      `notice; answers are taken until ${closes}.`
    : `A public buyer asks suppliers${subject} to respond (${named}); it closes on ${closes}.`;
}

/** English first, and French beside it where it is a text of its own: both can be searched. */
function evidenceOf(notice: Notice, reference: string): SourceRecord["evidence"] {
  const page = NOTICE_PAGE + reference.toLowerCase().replace(/[^a-z0-9-]/g, "");
  const url = notice.url.trim() || notice.url_fra.trim() || page;
  const english = excerptOf(notice.title, notice.description);
  const french = excerptOf(notice.title_fra, notice.description_fra);
  const evidence = english === "" ? [] : [{ source_uri: url, excerpt: english }];
  if (french !== "" && french !== english) {
    evidence.push({ source_uri: notice.url_fra.trim() || url, excerpt: french });
  }
  return evidence;
}

function excerptOf(title: string, description: string): string {
  return [title, description].map(maskedParagraphs).filter(Boolean).join("\n");
}

/** Of the goods and services, of which a notice can list more than a record may have categories. */
function distinctSectors(codes: string): Sector[] {
  return [...new Set(listOf(codes).flatMap((code) => sectorOfUnspsc(code) ?? []))];
}

/** Cells with several values have one a line, each behind an asterisk. */
function listOf(cell: string): string[] {
  return cell.split(/[\r\n]+/).map((value) => maskedLine(value.replace(/^\s*\*/, "")))
    .filter((value) => value !== "");
}

/** Dates and times without a zone are UTC-05:00, all year round; a date alone takes `time`. */
function instantOf(cell: string, time = "00:00:00"): string | undefined {
  const match = /^((?:19|2[01])\d\d-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/.exec(cell.trim());
  if (match === null) return undefined;
  const [, date, minute, second = ":00"] = match;
  const text = `${date}T${minute === undefined ? time : minute + second}-05:00`;
  return normalizeInstant(text) === undefined ? undefined : text;
}

function missing(key: keyof Notice): { reason: string } {
  return { reason: `${NOTICE_COLUMNS[key]}: is empty` };
}

function noDate(notice: Notice, key: keyof Notice): { reason: string } {
  return notice[key].trim() === ""
    ? missing(key)
    : { reason: `${NOTICE_COLUMNS[key]}: is not a date: ${cutAtWord(cleanLine(notice[key]), 40)}` };
}
