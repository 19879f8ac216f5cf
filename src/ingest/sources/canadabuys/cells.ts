/** Reads the cells of CanadaBuys tender notices. Contact columns are not recorded. */
import type { Place } from "../../../contract/facets.ts";
import { maskedLine, maskedParagraphs } from "../../masking/mask_text.ts";
import { regionName, regionOf } from "../../classify/gazetteer.ts";
import { readPlaces } from "../../classify/places.ts";
import { RECORD_LIMITS, type SourceRecord } from "../../../contract/record.ts";
import type { Sector } from "../../../contract/vocabulary.ts";
import { EASTERN_TIME } from "../../formats/local_time.ts";
import { dateReader } from "../../mapping/values.ts";
import { passageOf } from "../../record/excerpts.ts";
import { sectorOfGsin, sectorOfUnspsc } from "../../classify/sectors.ts";

/** Columns of texts in English. */
const ENGLISH = {
  title: "title-titre-eng",
  type: "noticeType-avisType-eng",
  method: "procurementMethod-methodeApprovisionnement-eng",
  criteria: "selectionCriteria-criteresSelection-eng",
  limited: "limitedTenderingReason-raisonAppelOffresLimite-eng",
  agreements: "tradeAgreements-accordsCommerciaux-eng",
  gsin: "gsinDescription-nibsDescription-eng",
  unspsc: "unspscDescription-eng",
  delivery: "regionsOfDelivery-regionsLivraison-eng",
  opportunity: "regionsOfOpportunity-regionAppelOffres-eng",
  buyer: "contractingEntityName-nomEntitContractante-eng",
  user: "endUserEntitiesName-nomEntitesUtilisateurFinal-eng",
  url: "noticeURL-URLavis-eng",
  description: "tenderDescription-descriptionAppelOffres-eng",
} as const;

/** Columns of the same texts in French. Names of their cells end in "_fra". */
const FRENCH = Object.fromEntries(
  Object.entries(ENGLISH).map(([key, column]) => [`${key}_fra`, column.replace(/eng$/, "fra")]),
) as Record<`${keyof typeof ENGLISH}_fra`, string>;

/** All columns that are read. Older files lack some of them. */
export const COLUMNS = {
  ...ENGLISH,
  ...FRENCH,
  reference: "referenceNumber-numeroReference",
  solicitation: "solicitationNumber-numeroSollicitation",
  published: "publicationDate-datePublication",
  closing: "tenderClosingDate-appelOffresDateCloture",
  amended: "amendmentDate-dateModification",
  status: "tenderStatus-appelOffresStatut-eng",
  category: "procurementCategory-categorieApprovisionnement",
  gsin_codes: "gsin-nibs",
  unspsc_codes: "unspsc",
  city: "contractingEntityAddressCity-entiteContractanteAdresseVille-eng",
  province: "contractingEntityAddressProvince-entiteContractanteAdresseProvince-eng",
};

/** Columns without which a notice would be missing, misdated or taken for another kind. */
export const NEEDED_COLUMNS = [
  "title",
  "reference",
  "published",
  "closing",
  "amended",
  "status",
  "type",
  "buyer",
  "description",
] as const satisfies (keyof typeof COLUMNS)[];

/** The cells of one row, in which only the names of contact persons are masked. */
export type CanadaBuysNotice = Record<keyof typeof COLUMNS, string>;

/**
 * Columns that are read only to find contact persons, whose names are masked in the rest of the
 * row.
 */
export const CONTACT_COLUMNS = [
  "contactInfoName-informationsContactNom",
  "contactInfoEmail-informationsContactCourriel",
] as const;

/** Values of a region cell that name no place. */
const NO_PLACE = /^(?:unspecified|not specified|none|n\/a)$/i;
const ABROAD = /^(?:world|foreign)$/i;
const CANADA = /^canada$/i;

/** Returns the values of a cell with one value per line, each after an asterisk. */
export function listOf(cell: string): string[] {
  return cell.split(/[\r\n]+/).map((value) => maskedLine(value.replace(/^\s*\*/, "")))
    .filter((value) => value !== "");
}

/**
 * Returns the places of delivery to show. Canada is omitted if the cell also names a part of
 * Canada.
 */
export function deliveryOf(cell: string): string[] {
  const values = [...new Set(listOf(cell))].filter((value) => !NO_PLACE.test(value));
  const parts = values.filter((value) => !CANADA.test(value));
  return parts.length > 0 ? parts : values;
}

/** Pattern of sentences that name places where no work is done, or all of Canada. */
const ELSEWHERE =
  /\b(?:bids?|offers?|proposals?|submi\w+|receiv\w+|laws?|across|throughout|soumissions?|offres?|lois)\b/i;

/**
 * Returns the places of delivery of a notice. If it states none, returns the only region that its text
 * or the buyer's name contains, or else the country. The buyer's office is not used: a department in
 * Gatineau buys for all of Canada.
 */
export function placesOf(notice: CanadaBuysNotice): Place[] {
  const delivery = deliveryOf(notice.delivery);
  if (delivery.length > 0) return delivery.flatMap(placeOf);
  const text = `${notice.buyer}\n${notice.title}\n${notice.description || notice.description_fra}`;
  const sentences = text.split(/\.\s|\n/).filter((sentence) => !ELSEWHERE.test(sentence));
  const regions = readPlaces(sentences.join("\n")).places
    .flatMap(({ country, region }) => country === "CA" ? region ?? [] : []);
  const [region, ...further] = new Set(regions);
  return [{ country: "CA", ...further.length === 0 && { region } }];
}

/** Returns the place of the buyer's office, as it is shown: "Bedford, Nova Scotia". */
export function officeOf(notice: CanadaBuysNotice): string | undefined {
  const city = maskedLine(notice.city);
  const region = regionOf("CA", maskedLine(notice.province));
  return city === "" || region === undefined ? undefined : `${city}, ${regionName("CA", region)}`;
}

function placeOf(value: string): Place[] {
  if (ABROAD.test(value)) return [];
  if (CANADA.test(value)) return [{ country: "CA" }];
  if (/^national capital region/i.test(value)) return [{ country: "CA", metro: "Ottawa" }];
  // The parentheses are dropped from "Ontario (except NCR)".
  const name = value.replace(/\([^()]*\)$/, "").trimEnd();
  const region = regionOf("CA", name);
  return [region === undefined ? { country: "CA", city: name } : { country: "CA", region }];
}

/**
 * Returns the instant of a cell. All times of the file are Eastern time, even if the buyer is in
 * another zone: 14:00 in Alberta is written as 16:00.
 */
export const readDate = dateReader([], EASTERN_TIME.CA);

/** Returns the distinct sectors of the wanted goods or services. */
export function sectorsOf(notice: CanadaBuysNotice): Sector[] {
  const sectors = [
    ...listOf(notice.unspsc_codes).map(sectorOfUnspsc),
    ...listOf(notice.gsin_codes).map(sectorOfGsin),
    listOf(notice.category).includes("CNST") ? "23" as const : undefined,
  ];
  return [...new Set(sectors.filter((sector) => sector !== undefined))];
}

/** Base address of the pages of notices. It is used for a notice that states no address. */
const NOTICE_PAGE = "https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/";

/**
 * Returns the evidence of a notice and its texts, one per language, unless both languages have the
 * same text. The language of the title in the fact comes first. It is English if there is an
 * English title.
 */
export function quotedOf(
  notice: CanadaBuysNotice,
  reference: string,
): Pick<SourceRecord, "evidence" | "text"> {
  const page = NOTICE_PAGE + reference.toLowerCase().replace(/[^a-z0-9-]/g, "");
  const url = notice.url.trim() || notice.url_fra.trim() || page;
  const english = {
    url,
    title: notice.title,
    mainText: mainTextOf(notice.title, notice.description),
    rest: otherLines(notice, ENGLISH_CELLS),
  };
  const french = {
    url: notice.url_fra.trim() || url,
    title: notice.title_fra,
    mainText: mainTextOf(notice.title_fra, notice.description_fra),
    rest: otherLines(notice, FRENCH_CELLS),
  };
  const versions = (maskedLine(notice.title) === "" ? [french, english] : [english, french])
    .filter(({ mainText }, at, all) =>
      mainText !== "" && (at === 0 || mainText !== all[0]!.mainText)
    );
  return {
    text: versions.map(({ mainText, rest }) => [mainText, ...rest].join("\n")),
    // The passage is chosen by the title, which is in the language of the excerpt. The fact may be
    // in another language.
    evidence: versions.map(({ url, title, mainText }) => ({
      source_uri: url,
      excerpt: passageOf(mainText, maskedLine(title), RECORD_LIMITS.excerpt_characters),
    })),
  };
}

/** Returns title and description. The title is not repeated if the description begins with it. */
function mainTextOf(title: string, description: string): string {
  const [heading, body] = [title, description].map(maskedParagraphs) as [string, string];
  const first = body.split("\n", 1)[0]!;
  const rest = first.trim() === heading ? body.slice(first.length).trimStart() : body;
  return [heading, rest].filter(Boolean).join("\n");
}

/** Names of the cells that follow title and description in the searched text. */
const ENGLISH_CELLS = (Object.keys(ENGLISH) as (keyof typeof ENGLISH)[])
  .filter((cell) => !["title", "url", "description"].includes(cell));
const FRENCH_CELLS = ENGLISH_CELLS.map((cell) => `${cell}_fra` as const);

function otherLines(notice: CanadaBuysNotice, keys: readonly (keyof CanadaBuysNotice)[]): string[] {
  return keys.map((key) => listOf(notice[key]).join("; ")).filter((line) => line !== "");
}
