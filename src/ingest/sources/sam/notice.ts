/** Maps SAM.gov's notices to records of the buyers, and awards to records of the winners. */
import { FACET_LIMITS } from "../../../contract/facets.ts";
import type { SourceRecord } from "../../../contract/record.ts";
import type { LeftOut } from "../../record/entry.ts";
import { faultOfBounds } from "../../record/field_bounds.ts";
import { zoneOfState } from "../../formats/local_time.ts";
import { maskedLine, maskedParagraphs } from "../../masking/mask_text.ts";
import { sectorOfNaics } from "../../classify/sectors.ts";
import { cutAtWord, withoutEnding } from "../../text/clean_text.ts";
import { facetText } from "../../record/facets.ts";
import { fieldFault } from "../kit/field.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { countryOfName } from "../../classify/places.ts";
import {
  awardOf,
  countryOf,
  instantOf,
  type NoticeFacts,
  performanceOf,
  placeIn,
  placeOf,
  stageOf,
  STAGES,
  timeOf,
} from "./facts.ts";
import type { SamNotice } from "./forms.ts";

/**
 * The records of a notice: a record of the buyer, and one of the awardee if the notice names an
 * awardee.
 */
interface SamRecords {
  buyer: SourceRecord;
  awardee?: SourceRecord;
}

/**
 * Maps a notice to records that are not normalized yet, or returns the reason why there are none,
 * with the name of the field. The company is the contracting office, with which a seller deals. Its
 * name begins with the agency ("FOREST SERVICE – USDA-FS, INCIDENT PROCUREMENT LOGISTICS"), because
 * offices have names such as "CUSTOMER SERVICES". The categories are the sectors of the notice's
 * NAICS codes, which name the wanted industry.
 */
export function recordsOfNotice(notice: SamNotice): SamRecords | { reason: string } | LeftOut {
  const { fields, ...texts } = notice;
  const beyond = faultOfBounds(texts, { descriptions: ["description"] });
  if (beyond !== undefined) return { reason: namedIn(fields, beyond) };
  const type = maskedLine(notice.type);
  if (/^sale of surplus/i.test(type)) {
    return { left_out: "a sale of surplus property: nothing is bought" };
  }
  const title = withoutEnding(maskedLine(notice.title), /[.\s]/);
  const buyer = buyerOf(notice.names);
  const posted = instantOf(notice.posted, "00:00:00");
  const deadline = instantOf(notice.deadline, "23:59:59", zoneOfState(notice.office_state));
  const country = countryOf(notice.country);
  if (notice.id.trim() === "") return fieldFault(fields.id, "", "an id");
  if (title === "") return fieldFault(fields.title, "", "a title");
  if (type === "") return fieldFault(fields.type, "", "a type");
  if (buyer === "") return fieldFault(fields.names, "", "a name");
  if (posted === undefined) return fieldFault(fields.posted, notice.posted, "a date");
  if (deadline === undefined && notice.deadline.trim() !== "") {
    return fieldFault(fields.deadline, notice.deadline, "a date");
  }
  if (country === undefined) return { left_out: ABROAD };

  const stage = stageOf(type, title);
  // The deadline of a decided purchase is not used, because it belongs to an earlier request.
  const isOpen = stage !== "awarded" && stage !== "decided";
  return recordsOf(notice, {
    title,
    buyer,
    type,
    stage,
    country,
    posted,
    awarded: stage === "awarded" ? instantOf(notice.award_date, "00:00:00") : undefined,
    deadline: isOpen ? deadline : undefined,
    closes: isOpen ? timeOf(notice.deadline) ?? cutAtWord(maskedLine(notice.deadline), 40) : "",
  });
}

const ABROAD = "a place outside Canada and the United States";

function recordsOf(notice: SamNotice, facts: NoticeFacts): SamRecords {
  const { buyer, type, stage, country, posted, awarded, closes } = facts;
  const { demand, confidence, why } = STAGES[stage];
  const id = notice.id.trim();
  const record: SourceRecord = {
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
    facets: facetsOf(notice, facts),
    ...quotedOf(notice, facts),
  };
  return { buyer: record, awardee: awardeeRecord(notice, facts, record) };
}

function facetsOf(notice: SamNotice, facts: NoticeFacts): SourceRecord["facets"] {
  const { sum, awardee } = awardOf(notice);
  const codes = notice.naics.filter((code) => /^\d{2,6}$/.test(code));
  return {
    place: placeOf(notice, facts.country),
    deadline: facts.deadline,
    naics: [...new Set(codes)].slice(0, FACET_LIMITS.list),
    document: facetText(facts.type),
    set_aside: facetText(setAsideOf(notice)),
    ...facts.stage === "awarded" && {
      amount: sum,
      counterpart: facetText(awardee),
    },
  };
}

function buyerOf(names: readonly string[]): string {
  // If no agency is named, the department is used instead.
  const [agency, office] = names.length > 1 ? names.slice(-2) : [names[0] ?? ""];
  const parts = [agency!, office ?? ""].map(maskedLine).filter((name) => name !== "");
  return [...new Set(parts)].join(" – ");
}

function factOf(notice: SamNotice, { title, buyer, type, country, closes }: NoticeFacts): string {
  const place = performanceOf(notice, country);
  const sentences = [
    `${buyer} published a notice (${type}): ${title}.`,
    awardOf(notice).sentence,
    place && `Place of performance: ${place}.`,
    ...detailsOf(notice).map((detail) => `${detail}.`),
    closes && `Responses until ${closes}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function setAsideOf(notice: SamNotice): string {
  const setAside = maskedLine(notice.set_aside);
  return /^(?:no set[ -]aside used|none)?$/i.test(setAside) ? "" : setAside;
}

function detailsOf(notice: SamNotice): string[] {
  const setAside = setAsideOf(notice);
  const [number, product] = [maskedLine(notice.number), maskedLine(notice.product)];
  const naics = [...new Set(notice.naics)].map(maskedLine).join(", ");
  return [
    setAside && `Set-aside: ${setAside}`,
    product && `Product or service code ${product}`,
    naics && `NAICS ${naics}`,
    number && `Solicitation ${number}`,
  ].filter((detail) => detail !== "");
}

/**
 * Returns the evidence and the text. They quote fields in addition to the description, because
 * answers of the API have no description.
 */
function quotedOf(notice: SamNotice, facts: NoticeFacts): Pick<SourceRecord, "evidence" | "text"> {
  const place = performanceOf(notice, facts.country);
  const lines = [
    maskedLine(notice.title),
    facts.type,
    awardOf(notice).sentence,
    place && `Place of performance: ${place}`,
    ...detailsOf(notice),
    maskedParagraphs(notice.description),
  ];
  const excerpt = lines.filter((line) => line !== "").join("\n");
  const id = notice.id.trim();
  return {
    evidence: [{
      source_uri: notice.page.trim() || `https://sam.gov/workspace/contract/opp/${id}/view`,
      excerpt,
    }],
    text: [excerpt, ...new Set(notice.names.map(maskedLine))].join("\n"),
  };
}

/** Returns the end of a notice. An archived notice has ended, even if its deadline is later. */
function expiryOf(notice: SamNotice, { posted, deadline }: NoticeFacts): string | null {
  const archived = instantOf(notice.archived, "23:59:59");
  if (notice.active.trim().toLowerCase() !== "no") return deadline ?? archived ?? null;
  const ended = archived ?? posted;
  return deadline !== undefined && deadline < ended ? deadline : ended;
}

/** Replaces the name of a field in a reason by its name in the form. */
function namedIn(names: SamNotice["fields"], reason: string): string {
  return reason.replace(/^\w+/, (name) => new Map(Object.entries(names)).get(name) ?? name);
}

const UEI = /^[A-Z0-9]{12}$/;
/**
 * Matches an address at the end of an awardee's name. Such an awardee gets no record, because name
 * and address cannot be told apart.
 */
const ADDRESS = /\b[A-Z]{2},? \d{5}(?:-?\d{4})?,?(?: [A-Z]{3})?$/;

/**
 * Returns the record of the company that won a contract. Its kind is partnership, with the buyer.
 * Its demand class is proxy, because the winner may need subcontractors and supplies. Returns
 * undefined if the notice is not an award or does not clearly name a company. Also returns
 * undefined if the notice names no place of performance and the company is outside Canada and the
 * United States.
 */
function awardeeRecord(
  notice: SamNotice,
  facts: NoticeFacts,
  buyer: SourceRecord,
): SourceRecord | undefined {
  const { sum, ...award } = awardOf(notice);
  // A placeholder in place of a name is rejected with its reason, like any other record.
  const awardee = award.awardee || maskedLine(notice.awardee);
  if (facts.stage !== "awarded" || awardee === "" || ADDRESS.test(awardee)) return undefined;
  const country = countryOfAward(notice, facts.country);
  if (country === undefined) return undefined;
  const { location } = notice;
  const uei = notice.uei.trim().toUpperCase();
  const place = performanceOf(notice, facts.country);
  const naics = buyer.facets?.naics ?? [];
  const sentences = [
    `${awardee} won ${award.contract.replace("Contract", "contract")} from ${facts.buyer}` +
    `${award.amount && ` for ${award.amount}`}${award.day && ` on ${award.day}`}: ${facts.title}.`,
    place && `Place of performance: ${place}.`,
    naics.length > 0 && `NAICS ${naics.join(", ")}.`,
  ];
  return {
    ...buyer,
    external_id: `${buyer.external_id}:awardee`,
    company: { name: awardee, identifiers: UEI.test(uei) ? { uei } : undefined },
    kind: "partnership",
    observed_fact: sentences.filter(Boolean).join(" "),
    why_it_may_matter: `A proxy: this company has won public work (${facts.type}) and may need ` +
      "subcontractors, staff and supplies for it; it asks for nothing itself.",
    country,
    // An award stays a fact after its notice is archived.
    expires_at: null,
    facets: {
      ...buyer.facets,
      place: place === "" && (location.city + location.state).trim() !== ""
        ? placeIn(country, location)
        : buyer.facets?.place,
      amount: sum,
      counterpart: facetText(facts.buyer),
    },
  };
}

/**
 * Returns the country of the work, or else of the awardee. Returns undefined if the awardee is
 * outside Canada and the United States. If the awardee's country is not known, returns the country
 * of the notice.
 */
function countryOfAward(notice: SamNotice, country: Country): Country | undefined {
  const { location } = notice;
  // Some answers contain the state in the field of the country.
  const isUnnamed = location.country.trim() === "" || location.country === location.state;
  if (performanceOf(notice, country) !== "" || isUnnamed) return country;
  return countryOf(location.country) ??
    (countryOfName(location.country) === "elsewhere" ? undefined : country);
}
