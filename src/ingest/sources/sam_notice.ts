import { normalizeInstant } from "../../contract/instant.ts";
import type { SourceRecord } from "../../contract/record.ts";
import type { Country } from "../../contract/vocabulary.ts";
import { maskedLine, maskedParagraphs } from "../masked.ts";
import { sectorOfNaics } from "../sectors.ts";
import { cutAtWord, withoutEnding } from "../text.ts";
import { isSale, type Stage, stageOf, STAGES } from "./sam_stages.ts";

/** A notice in either form: texts as they stand there, empty where there is none. */
export interface SamNotice {
  id: string;
  title: string;
  /** Of the solicitation. */
  number: string;
  /** Department, agency and office, as far as they are named; and their codes. */
  names: string[];
  codes: string[];
  posted: string;
  type: string;
  archived: string;
  set_aside: string;
  deadline: string;
  naics: string[];
  /** The Product and Service Code. */
  product: string;
  city: string;
  state: string;
  /** Of the place of performance; where it is not named, of the office. */
  country: string;
  active: string;
  award: { number: string; date: string; amount: string; awardee: string; uei: string };
  page: string;
  description: string;
  /** What the form calls what a record needs, for reasons. */
  fields: Readonly<Record<FieldName, string>>;
}

type FieldName = "id" | "title" | "names" | "posted" | "deadline" | "type" | "country";

/** As the API, the extract and older notices write them; the territories' codes are of their own. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  "": "US",
  USA: "US",
  US: "US",
  "UNITED STATES": "US",
  PRI: "US",
  VIR: "US",
  GUM: "US",
  ASM: "US",
  MNP: "US",
  CAN: "CA",
  CA: "CA",
  CANADA: "CA",
};

/**
 * A notice as a record. The company is the contracting office under its agency's name ("FOREST
 * SERVICE – USDA-FS, INCIDENT PROCUREMENT LOGISTICS"): the office is whom a seller deals with and
 * what the codes name, yet offices are called "CUSTOMER SERVICES", and departments buy everything.
 * The categories are the sectors of the notice's NAICS codes: of the industry that is asked.
 *
 * @returns the record, yet to be normalized; why there is none, naming the field; or nothing for a
 * sale.
 */
export function recordOfNotice(notice: SamNotice): SourceRecord | { reason: string } | undefined {
  const type = maskedLine(notice.type);
  if (isSale(type)) return undefined;
  const { fields } = notice;
  const title = withoutEnding(maskedLine(notice.title), /[.\s]/);
  const buyer = buyerOf(notice.names);
  const posted = instantOf(notice.posted, "00:00:00");
  const deadline = instantOf(notice.deadline, "23:59:59");
  const country = COUNTRIES[notice.country.trim().toUpperCase()];
  if (notice.id.trim() === "") return fault(fields.id, "is empty");
  if (title === "") return fault(fields.title, "is empty");
  if (type === "") return fault(fields.type, "is empty");
  if (buyer === "") return fault(fields.names, "is empty");
  if (posted === undefined) return noDate(fields.posted, notice.posted);
  if (deadline === undefined && notice.deadline.trim() !== "") {
    return noDate(fields.deadline, notice.deadline);
  }
  if (country === undefined) {
    return fault(fields.country, `is neither CA nor US: ${shown(notice.country)}`);
  }

  const stage = stageOf(type);
  // What is decided has the deadline of the request that went before, if any.
  const isOpen = stage !== "awarded" && stage !== "decided";
  return recordOf(notice, {
    title,
    buyer,
    type,
    stage,
    country,
    posted,
    deadline: isOpen ? deadline : undefined,
    closes: isOpen ? timeOf(notice.deadline) : "",
  });
}

interface Facts {
  title: string;
  buyer: string;
  type: string;
  stage: Stage;
  country: Country;
  /** In UTC. */
  posted: string;
  deadline: string | undefined;
  /** The deadline as the notice has it, or empty. */
  closes: string;
}

function recordOf(notice: SamNotice, facts: Facts): SourceRecord {
  const { buyer, type, stage, country, posted, closes } = facts;
  const { demand, confidence, why } = STAGES[stage];
  const awarded = stage === "awarded" ? instantOf(notice.award.date, "00:00:00") : undefined;
  const id = notice.id.trim();
  return {
    source: "sam",
    external_id: id,
    company: { name: buyer, external_id: notice.codes.join(".") || undefined },
    kind: "procurement_request",
    observed_fact: factOf(notice, facts),
    why_it_may_matter: `${why} (${type})${closes && `; responses are taken until ${closes}`}.`,
    demand_class: demand,
    country,
    confidence,
    occurred_at: awarded ?? posted,
    observed_at: posted,
    expires_at: expiryOf(notice, facts),
    categories: notice.naics.map(sectorOfNaics).filter((sector) => sector !== undefined),
    evidence: [{
      source_uri: notice.page.trim() || `https://sam.gov/workspace/contract/opp/${id}/view`,
      excerpt: excerptOf(notice, type),
    }],
  };
}

function buyerOf(names: readonly string[]): string {
  // The department stands in for an agency that is not named.
  const [agency, office] = names.length > 1 ? names.slice(-2) : [names[0] ?? ""];
  const parts = [agency!, office ?? ""].map(maskedLine).filter((name) => name !== "");
  return [...new Set(parts)].join(" – ");
}

function factOf(notice: SamNotice, { title, buyer, type, country, closes }: Facts): string {
  const place = [notice.city, notice.state].map(maskedLine).filter((part) => part !== "");
  const sentences = [
    `${buyer} published a notice (${type}): ${title}.`,
    awardOf(notice),
    place.length > 0 && `Place of performance: ${[...place, country].join(", ")}.`,
    ...detailsOf(notice).map((detail) => `${detail}.`),
    closes && `Responses until ${closes}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/** Awardees are businesses; their identifiers are theirs, not the buyer's, and stay in the text. */
function awardOf({ award }: SamNotice): string {
  const [awardee, number, amount, date] = [award.awardee, award.number, award.amount, award.date]
    .map(maskedLine) as [string, string, string, string];
  if (awardee === "" && number === "") return "";
  const dollars = Number(amount.replace(/[$,]/g, ""));
  return [
    number === "" ? "Contract" : `Contract ${number}`,
    awardee && ` awarded to ${awardee}`,
    award.uei && ` (UEI ${award.uei})`,
    dollars > 0 && ` for ${dollars.toLocaleString("en-US")} US dollars`,
    date && ` on ${date.slice(0, "2026-01-01".length)}`,
    ".",
  ].filter(Boolean).join("");
}

function detailsOf(notice: SamNotice): string[] {
  const setAside = maskedLine(notice.set_aside);
  const [number, product] = [maskedLine(notice.number), maskedLine(notice.product)];
  const naics = [...new Set(notice.naics)].map(maskedLine).join(", ");
  return [
    /^(?:no set aside used|none)?$/i.test(setAside) ? "" : `Set-aside: ${setAside}`,
    product && `Product or service code ${product}`,
    naics && `NAICS ${naics}`,
    number && `Solicitation ${number}`,
  ].filter((detail) => detail !== "");
}

/** The API's form has no text of its own: its fields then stand for it. */
function excerptOf(notice: SamNotice, type: string): string {
  const description = maskedParagraphs(notice.description);
  const lines = [maskedLine(notice.title), type, ...detailsOf(notice)];
  return [...lines, description].filter((line) => line !== "").join("\n");
}

/** A notice that SAM.gov has archived is over, whatever its deadline says. */
function expiryOf(notice: SamNotice, { posted, deadline }: Facts): string | null {
  const archived = instantOf(notice.archived, "23:59:59");
  if (notice.active.trim().toLowerCase() !== "no") return deadline ?? archived ?? null;
  const ended = archived ?? posted;
  return deadline !== undefined && deadline < ended ? deadline : ended;
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const AMERICAN_DATE = /^(\d\d)\/(\d\d)\/(\d{4})$/;

/**
 * Dates stand as 2026-02-02, 02/02/2026, 2026-02-02 09:30:00.123-05 and 2026-02-02T09:30:00-05:00.
 * Without a zone they are taken at UTC-05:00, all year round: SAM.gov goes by Washington's time. A
 * date alone takes `time`. @returns the instant in UTC, so that texts compare as times do.
 */
function instantOf(text: string, time: string): string | undefined {
  const iso = text.trim().replace(AMERICAN_DATE, "$3-$1-$2");
  const match = DATE.exec(iso);
  if (match === null) return undefined;
  const [, date, minute, second = ":00", zone = "-05:00"] = match;
  return normalizeInstant(`${date}T${minute === undefined ? time : minute + second}${zone}`);
}

/** The deadline to read: its own local time, with the zone where the notice has one. */
function timeOf(text: string): string {
  const [, date, minute, , zone] = DATE.exec(text.trim()) ?? [];
  if (date === undefined) return shown(text);
  return [date, minute, zone && `(UTC${zone === "Z" ? "" : zone})`].filter(Boolean).join(" ");
}

function noDate(field: string, text: string): { reason: string } {
  return text.trim() === ""
    ? fault(field, "is empty")
    : fault(field, `is not a date: ${shown(text)}`);
}

function shown(text: string): string {
  return cutAtWord(maskedLine(text), 40);
}

function fault(field: string, what: string): { reason: string } {
  return { reason: `${field}: ${what}` };
}
