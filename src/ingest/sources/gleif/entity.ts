import { normalizeInstant } from "../../../contract/instant.ts";
import { FACET_LIMITS, type Facets, type Place } from "../../../contract/facets.ts";
import type { SourceRecord } from "../../../contract/record.ts";
import { COUNTRIES, type Country } from "../../../contract/vocabulary.ts";
import type { LeftOut } from "../../record/entry.ts";
import { FIELD_CHARACTERS } from "../../record/field_bounds.ts";
import { territoryOf } from "../../classify/gazetteer.ts";
import { cutAtWord } from "../../text/clean_text.ts";
import { facetText } from "../../record/facets.ts";
import { cityWithoutRegion, fieldFault } from "../kit/field.ts";
import type { LeiEntity, LeiNames, LeiTexts } from "./form.ts";
import legalForms from "./legal_forms.json" with { type: "json" };

/**
 * Confidence in hundredths, by the extent to which the issuer of the identifier could check the
 * entity against a register.
 */
const CONFIDENCE: Readonly<Record<string, number>> = {
  FULLY_CORROBORATED: 95,
  PARTIALLY_CORROBORATED: 85,
  ENTITY_SUPPLIED_ONLY: 70,
};
/** Confidence in hundredths for any other value. */
const UNKNOWN_CORROBORATION = 70;
/** Reduction for a lapsed identifier, because it is no longer checked. */
const LESS_WHEN_LAPSED = 15;

/** Categories that are left out: a fund buys nothing, and a sole proprietor is a person. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  FUND: "a fund",
  SOLE_PROPRIETOR: "a sole proprietor, who is a person",
};
/** States of a valid identifier. */
const VALID = ["ISSUED", "LAPSED", "PENDING_TRANSFER", "PENDING_ARCHIVAL"];

/**
 * Maps an entity to a record that is not normalized yet. The country is that of the legal address,
 * because the register is there. Otherwise returns the reason why there is no record, with the name
 * of the member, or why the entity is left out.
 */
export function recordOfEntity(
  { texts, names, form }: LeiEntity,
): SourceRecord | { reason: string } | LeftOut {
  const { lei, name, category, legal_country, updated } = texts;
  const long = (Object.keys(texts) as (keyof LeiTexts)[])
    .find((key) => texts[key].length > FIELD_CHARACTERS);
  if (long !== undefined) {
    return { reason: `${form[long]}: has more than ${FIELD_CHARACTERS} characters` };
  }
  if (!/^[A-Z0-9]{18}\d\d$/.test(lei)) return fieldFault(form.lei, lei, "an LEI");
  if (name === "") return fieldFault(form.name, "", "a name");
  if (legal_country === "") return fieldFault(form.legal_country, "", "a country");
  const country = territoryOf(legal_country) === undefined
    ? COUNTRIES.find((code) => code === legal_country)
    : "US";
  const left_out = LEFT_OUT[category];
  if (left_out !== undefined) return { left_out };
  if (country === undefined) {
    return { left_out: "an entity with its legal address outside Canada and the United States" };
  }
  if (normalizeInstant(updated) === undefined) {
    return fieldFault(form.updated, updated, "a date and time");
  }
  return recordOf(texts, country, names);
}

function recordOf(texts: LeiTexts, country: Country, names: LeiNames): SourceRecord {
  const { lei, name, updated } = texts;
  const ended = !isActive(texts) || !isValid(texts);
  return {
    source: "gleif",
    external_id: lei,
    company: { name, external_id: lei, identifiers: { lei } },
    kind: "company_profile",
    observed_fact: factOf(texts, names),
    why_it_may_matter: whyOf(texts),
    demand_class: "structural",
    country,
    confidence: confidenceOf(texts),
    occurred_at: null,
    observed_at: updated,
    expires_at: ended ? updated : null,
    categories: FINANCIAL_FORMS.includes(formOf(texts)) ? ["52"] : [],
    facets: facetsOf(texts, names),
    evidence: [{
      source_uri: `https://search.gleif.org/#/record/${lei}`,
      excerpt: excerptOf(texts, names),
    }],
  };
}

function facetsOf(texts: LeiTexts, { former }: LeiNames): Facets {
  const [legal, office] = [addressOf(texts, "legal"), addressOf(texts, "office")];
  const isOnePlace = isSameText(office.words, legal.words) || texts.office_country === "";
  return {
    place: [legal.place, ...isOnePlace ? [] : [office.place]],
    legal_form: formOf(texts) || undefined,
    former_names: former.map((name) => cutAtWord(name, FACET_LIMITS.text_characters)),
  };
}

/**
 * Returns an address as a facet, and in words: "Lynchburg, VA, US". Region codes of ISO 3166-2
 * begin with their country: "US-VA".
 */
function addressOf(texts: LeiTexts, which: "legal" | "office"): { place: Place; words: string } {
  const country = texts[`${which}_country`];
  const region = texts[`${which}_region`].replace(/^[A-Z]{2}-/, "");
  const known = COUNTRIES.find((code) => code === country);
  const city = cityWithoutRegion(texts[`${which}_city`], known, region);
  return {
    place: {
      country: /^[A-Z]{2}$/.test(country) ? country : undefined,
      region: /^[A-Z0-9]{1,3}$/.test(region) ? region : undefined,
      city: facetText(city),
    },
    words: [city, region, country].filter((part) => part !== "").join(", "),
  };
}

/**
 * English names of the legal forms of Canada and the United States by their ELF codes (ISO 20275).
 * Forms that the states name differently share one name. The codes are those of GLEIF's list of
 * September 2023 (version 1.5, CC0). Forms that fit no name are left out, and so is 380O (federal
 * savings association), because federal credit unions also have this code. British Columbia has one
 * code for all companies, including those of unlimited liability.
 */
const NAME_OF_CODE: ReadonlyMap<string, string> = new Map(
  Object.entries(legalForms).flatMap(([name, codes]) =>
    codes.split(" ").map((code): [string, string] => [code, name])
  ),
);

/** Forms whose entities are all in NAICS sector 52, Finance and Insurance. */
const FINANCIAL_FORMS: readonly string[] = [
  "bank",
  "credit union",
  "insurance company",
  "savings and loan association",
  "savings bank",
];

/** Matches texts of the legal form that state none, or only repeat the category. */
const NOT_A_FORM = /^(?:fund|government|government entity|other|n\/?a|none)$/;

/** Returns the name of the legal form by its code, or else in the issuer's words. */
function formOf({ legal_form, other_legal_form }: LeiTexts): string {
  const words = other_legal_form.toLowerCase();
  return NAME_OF_CODE.get(legal_form) ??
    (NOT_A_FORM.test(words) ? "" : cutAtWord(words, FACET_LIMITS.text_characters));
}

const KINDS_OF_ENTITY: Readonly<Record<string, string>> = {
  BRANCH: "branch of an entity",
  INTERNATIONAL_ORGANIZATION: "international organization",
  RESIDENT_GOVERNMENT_ENTITY: "government entity",
};

/** Codes for "no register". */
const NO_REGISTER = ["RA888888", "RA999999"];
/** Date that one issuer of identifiers writes for an unknown date, in a sixth of its entities. */
const NO_CREATION = "2016-12-31";

/**
 * Returns the observed fact. It does not contain the word "legal", by which a search would find all
 * entities.
 */
function factOf(texts: LeiTexts, { former, alternate }: LeiNames): string {
  const { lei, name, category, register, register_number } = texts;
  const created = texts.created.startsWith(NO_CREATION) ? "" : texts.created;
  const kind = KINDS_OF_ENTITY[category] ?? (formOf(texts) || "entity");
  const legal = addressOf(texts, "legal").words;
  const office = addressOf(texts, "office").words;
  const isRegistered = register_number !== "" && !NO_REGISTER.includes(register);
  const sentences = [
    `${name} is ${articleOf(kind)} ${kind} domiciled in ${legal}` +
    `${office === "" || isSameText(office, legal) ? "" : `, with its headquarters in ${office}`}.`,
    `LEI ${lei}${isRegistered ? `; number ${register_number} in register ${register}` : ""}` +
    `${created === "" ? "" : `; created on ${created.slice(0, 10)}`}.`,
    former.length === 0 ? "" : `Formerly ${listed(former)}.`,
    alternate.length === 0 ? "" : `Also known as ${listed(alternate)}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Compares texts without case, because registers write cities in capitals. */
function isSameText(one: string, two: string): boolean {
  return one.toLowerCase() === two.toLowerCase();
}

/** Returns "an" for "entity", but "a" for "unit" and "union". */
function articleOf(noun: string): string {
  return /^(?:[aeio]|un(?!i))/.test(noun) ? "an" : "a";
}

function listed(names: readonly string[]): string {
  return names.join("; ").replace(/\.$/, "");
}

function isActive({ entity_status }: LeiTexts): boolean {
  return entity_status === "ACTIVE" || entity_status === "";
}

function isValid({ registration_status }: LeiTexts): boolean {
  return VALID.includes(registration_status) || registration_status === "";
}

function whyOf(texts: LeiTexts): string {
  const known =
    "It says who the company is, and joins what other sources say of it; it is no sign of buying.";
  if (!isActive(texts)) return `${known} The entity is no longer active.`;
  if (!isValid(texts)) return `${known} The identifier is no longer valid.`;
  if (texts.registration_status !== "LAPSED") return known;
  const due = texts.renewal === "" ? "" : ` on ${texts.renewal.slice(0, 10)}`;
  return `${known} The identifier lapsed${due} as it was not renewed, so it may be out of date.`;
}

function confidenceOf({ corroboration, registration_status }: LeiTexts): number {
  const hundredths = CONFIDENCE[corroboration] ?? UNKNOWN_CORROBORATION;
  return (hundredths - (registration_status === "LAPSED" ? LESS_WHEN_LAPSED : 0)) / 100;
}

/** Returns the excerpt, with the member names of the Common Data File for both forms. */
function excerptOf(texts: LeiTexts, { former, alternate }: LeiNames): string {
  const rows = [
    ["LEI", texts.lei],
    ["LegalName", texts.name],
    ...[...former, ...alternate].map((name) => ["OtherEntityName", name]),
    ["EntityCategory", texts.category],
    ["LegalForm", [texts.legal_form, texts.other_legal_form].filter(Boolean).join(" ")],
    ["EntityStatus", texts.entity_status],
    ["LegalJurisdiction", texts.jurisdiction],
    ["LegalAddress", `${addressOf(texts, "legal").words} ${texts.legal_postcode}`.trim()],
    ["HeadquartersAddress", `${addressOf(texts, "office").words} ${texts.office_postcode}`.trim()],
    ["RegistrationStatus", texts.registration_status],
    ["ValidationSources", texts.corroboration],
  ] as const;
  return rows.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`)
    .join("\n");
}
