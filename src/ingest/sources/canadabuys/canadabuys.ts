/**
 * Reads CanadaBuys open tender notices from the CSV of the Government of Canada. A notice is one
 * observation, and its buyer is the company. An amendment has the same reference number as its
 * notice, so it revises the observation.
 */
import { readTable } from "../../formats/csv.ts";
import { judgeMapped } from "../../record/normalize.ts";
import type { Source } from "../kit/source.ts";
import { FACET_LIMITS } from "../../../contract/facets.ts";
import type { SourceRecord } from "../../../contract/record.ts";
import type { DemandClass } from "../../../contract/vocabulary.ts";
import { maskedLine } from "../../masking/mask_text.ts";
import { cutAtWord, withoutEnding } from "../../text/clean_text.ts";
import { facetText } from "../../record/facets.ts";
import { fieldFault } from "../kit/field.ts";
import {
  type CanadaBuysNotice,
  COLUMNS,
  CONTACT_COLUMNS,
  deliveryOf,
  listOf,
  NEEDED_COLUMNS,
  officeOf,
  placesOf,
  quotedOf,
  readDate,
  sectorsOf,
} from "./cells.ts";

export const canadabuys: Source = {
  name: "canadabuys",
  title: "CanadaBuys open tender notices",
  licence: "Open Government Licence – Canada",
  attribution: "Contains information licensed under the Open Government Licence – Canada.",
  natural_key: "the reference number; an amendment keeps it",
  left_out:
    "contact columns; within texts: e-mail addresses, telephone numbers, and names next to " +
    "them or after a label, because they concern persons",
  read: (stream, { address }) =>
    readTable(stream, {
      title: "a CanadaBuys tender notice file",
      columns: COLUMNS,
      needed: NEEDED_COLUMNS,
      descriptions: ["description", "description_fra"],
      contacts: CONTACT_COLUMNS,
      ended: address !== undefined,
      judge: (notice) => judgeMapped(recordOfNotice(notice)),
    }),
  remote: {
    address: "https://canadabuys.canada.ca/opendata/pub",
    interval_seconds: 7_200,
    pause_milliseconds: 1_000,
    bytes_max: 256 * 1_048_576,
    request: (address) => ({
      url: `${address}/openTenderNotice-ouvertAvisAppelOffres.csv`,
      accept: "text/csv",
    }),
    // The file contains the open notices. A notice that is no longer in the file is closed.
    listed: () => ({ external_id_prefix: "" }),
  },
};

const CATEGORIES: Record<string, string> = {
  CNST: "construction",
  GD: "goods",
  SRV: "services",
  SRVTGD: "services related to goods",
};

/** Stage of the purchase. */
type NoticeStage = "request" | "unnamed" | "early" | "announced";

/**
 * Confidence that the buyer will buy, and demand class, by stage. `request` asks for bids.
 * `unnamed` does not state its type. `early` only asks for information about the market.
 * `announced` announces a purchase.
 */
const STAGES: Readonly<Record<NoticeStage, { confidence: number; demand: DemandClass }>> = {
  request: { confidence: 0.95, demand: "explicit_request" },
  unnamed: { confidence: 0.9, demand: "explicit_request" },
  early: { confidence: 0.7, demand: "explicit_request" },
  announced: { confidence: 0.7, demand: "proxy" },
};
const ANNOUNCED = /\badvance (?:contract award|procurement) notice\b|^APN(?![a-z])/i;
const PLANNED_TYPE = /\bplanning\b/i;
const EARLY =
  /\brequests? for information\b|\bletter of interest\b|\bexpressions? of interest\b|^RFI\b/i;
const EARLY_TEXTS = /\bis not a (?:bid solicitation|request for (?:bids?|proposals?|tenders?))/i;

/**
 * Matches a status of a closed notice. A notice with any other status, such as "Amended", ends at
 * its closing date.
 */
const ENDED = /^(?:cancel|award|expired|closed|withdrawn|terminated|archived|completed)/i;

/** Matches words for requests that are reserved for a group of suppliers. */
const SET_ASIDE =
  /\bset[- ]asides?\b|\bindigenous business|\baboriginal business|\bPSIB\b|\bPSAB\b/i;

/**
 * Maps a notice to a record that is not normalized yet, or returns the reason why there is none,
 * with the name of the column. The categories are the sectors of the wanted goods or services, not
 * of the buyer.
 */
function recordOfNotice(notice: CanadaBuysNotice): SourceRecord | { reason: string } {
  const cell = (key: keyof CanadaBuysNotice) => maskedLine(notice[key]);
  const title = cell("title") || cell("title_fra");
  const buyer = cell("buyer") || cell("buyer_fra");
  const reference = notice.reference.trim();
  const published = readDate(notice.published.trim(), { ends: false });
  const amended = readDate(notice.amended.trim() || notice.published.trim(), { ends: false });
  const closing = readDate(notice.closing.trim(), { ends: true });
  if (reference === "") return fieldFault(COLUMNS.reference, "", "a number");
  if (title === "") return fieldFault(COLUMNS.title, "", "a title");
  if (buyer === "") return fieldFault(COLUMNS.buyer, "", "a name");
  if (published === undefined) return fieldFault(COLUMNS.published, notice.published, "a date");
  if (amended === undefined) return fieldFault(COLUMNS.amended, notice.amended, "a date");
  if (closing === undefined) return fieldFault(COLUMNS.closing, notice.closing, "a date");

  const ended = ENDED.test(cell("status"));
  const facts = { title, buyer, reference, ...demandOf(notice, title) };
  const { confidence, demand } = STAGES[facts.stage];
  return {
    source: "canadabuys",
    external_id: reference,
    company: { name: buyer },
    kind: "procurement_request",
    observed_fact: factOf(facts, notice),
    why_it_may_matter: whyOf(facts, notice.closing.trim()),
    demand_class: demand,
    country: "CA",
    confidence,
    occurred_at: published,
    observed_at: amended,
    // A cancelled or awarded notice ends at once, even if its closing date is later.
    expires_at: ended && amended < closing ? amended : closing,
    categories: sectorsOf(notice),
    facets: facetsOf(notice, facts, closing),
    ...quotedOf(notice, reference),
  };
}

interface CanadaBuysFacts {
  title: string;
  buyer: string;
  reference: string;
  /** The wanted things: "goods and services". */
  wanted: string;
  /** Type of the notice: "Request for Proposal", or empty. */
  type: string;
  stage: NoticeStage;
  /** Group of suppliers for which the request is reserved, or empty. */
  set_aside: string;
}

function demandOf(
  notice: CanadaBuysNotice,
  title: string,
): Pick<CanadaBuysFacts, "wanted" | "type" | "stage" | "set_aside"> {
  const type = maskedLine(notice.type);
  const named = [type, maskedLine(notice.method), title];
  const isEarly = named.some((text) => EARLY.test(text)) || EARLY_TEXTS.test(notice.description);
  const isAnnounced = PLANNED_TYPE.test(type) || named.some((text) => ANNOUNCED.test(text));
  const reserved = [notice.limited, notice.agreements, notice.method, notice.criteria]
    .flatMap(listOf).find((value) => SET_ASIDE.test(value));
  return {
    type,
    wanted: listOf(notice.category).map((code) => CATEGORIES[code] ?? code).join(" and "),
    stage: isAnnounced ? "announced" : isEarly ? "early" : type === "" ? "unnamed" : "request",
    set_aside: reserved ?? "",
  };
}

function factOf(facts: CanadaBuysFacts, notice: CanadaBuysNotice): string {
  const classes = classesOf(notice).join("; ");
  const delivery = deliveryOf(notice.delivery).join("; ");
  const solicitation = maskedLine(notice.solicitation);
  const office = officeOf(notice);
  const sentences = [
    `${facts.buyer} published a tender notice${facts.wanted && ` for ${facts.wanted}`}: ` +
    `${withoutEnding(facts.title, /[.\s]/)}.`,
    facts.type && `Notice type: ${facts.type}.`,
    classes && `Classified as: ${cutAtWord(classes, 600)}.`,
    facts.set_aside && `Reserved: ${cutAtWord(facts.set_aside, 200)}.`,
    delivery && `Delivery: ${cutAtWord(delivery, 300)}.`,
    delivery === "" && office !== undefined && `Buyer's office: ${office}.`,
    `Reference ${facts.reference}${solicitation && `, solicitation ${solicitation}`}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function classesOf(notice: CanadaBuysNotice): string[] {
  const classes = [...listOf(notice.gsin), ...listOf(notice.unspsc)];
  const distinct = new Map(classes.map((name) => [name.toLowerCase(), name]));
  // "Services" and "Goods" are not names of classes.
  return [...distinct.values()].filter((name) => !/^(?:goods|services)$/i.test(name));
}

function whyOf({ wanted, type, stage }: CanadaBuysFacts, closing: string): string {
  const named = type === "" ? "tender notice" : type;
  const [date, time] = closing.split(/[T ]/) as [string, string?];
  const closes = time === undefined ? date : `${date} at ${time.slice(0, 5)} (Eastern time)`;
  const subject = wanted === "" ? "" : ` for ${wanted}`;
  switch (stage) {
    case "announced":
      return `A proxy: a public buyer announces a need${subject} (${named}), but does not ask ` +
        `for bids with this notice; it stands until ${closes}.`;
    case "early":
      return `A public buyer states a need${subject} (${named}), but does not ask for bids with ` +
        `this notice; answers are taken until ${closes}.`;
    default:
      return `A public buyer asks suppliers${subject} to respond (${named}); it closes on ${closes}.`;
  }
}

function facetsOf(
  notice: CanadaBuysNotice,
  facts: CanadaBuysFacts,
  closing: string,
): SourceRecord["facets"] {
  const codes = listOf(notice.unspsc_codes).filter((code) => /^\d{8}$/.test(code));
  return {
    place: placesOf(notice).slice(0, FACET_LIMITS.list),
    deadline: closing,
    unspsc: [...new Set(codes)].slice(0, FACET_LIMITS.list),
    industry: facetText(facts.wanted),
    document: facetText(facts.type),
    set_aside: facetText(facts.set_aside),
  };
}
