import { normalizeInstant } from "../../contract/instant.ts";
import type { SourceRecord } from "../../contract/record.ts";
import { COUNTRIES, type Country } from "../../contract/vocabulary.ts";
import { cutAtWord } from "../text.ts";
import { type LeiForm, type LeiTexts, otherNamesOf, textsOf } from "./gleif_form.ts";

/**
 * In hundredths, by how far the issuer could check the entity against a register. An identifier
 * that was not renewed has not been checked since it lapsed.
 */
const CONFIDENCE: Readonly<Record<string, number>> = {
  FULLY_CORROBORATED: 95,
  PARTIALLY_CORROBORATED: 85,
  ENTITY_SUPPLIED_ONLY: 70,
};
const UNKNOWN_CORROBORATION = 70;
const LESS_WHEN_LAPSED = 15;

/** A fund is a pool of money, a sole proprietor a person. */
const LEFT_OUT = ["FUND", "SOLE_PROPRIETOR"];
/** The states of an identifier that still names its entity. */
const VALID = ["ISSUED", "LAPSED", "PENDING_TRANSFER", "PENDING_ARCHIVAL"];

/**
 * An entity as a record. Its country is that of its legal address, where its register has it.
 *
 * @returns the record, yet to be normalized; why there is none, naming the member; or nothing for
 * an entity that is not kept.
 */
export function recordOfEntity(
  value: unknown,
  form: LeiForm,
): SourceRecord | { reason: string } | undefined {
  const texts = textsOf(value, form);
  const { lei, name, category, legal_country, updated } = texts;
  if (lei === "") return { reason: `${form.lei}: is empty` };
  if (!/^[A-Z0-9]{18}\d\d$/.test(lei)) return { reason: `${form.lei}: is no LEI: ${shown(lei)}` };
  if (name === "") return { reason: `${form.name}: is empty` };
  if (legal_country === "") return { reason: `${form.legal_country}: is empty` };
  const country = COUNTRIES.find((code) => code === legal_country);
  if (country === undefined || LEFT_OUT.includes(category)) return undefined;
  if (normalizeInstant(updated) === undefined) {
    return { reason: `${form.updated}: is not a date and time: ${shown(updated) || "(empty)"}` };
  }
  const others = otherNamesOf(value, form).filter((other) => other !== name);
  return recordOf(texts, { country, others });
}

function recordOf(
  texts: LeiTexts,
  { country, others }: { country: Country; others: string[] },
): SourceRecord {
  const { lei, name, updated } = texts;
  const ended = !isActive(texts) || !isValid(texts);
  return {
    source: "gleif",
    external_id: lei,
    company: { name, external_id: lei, identifiers: { lei } },
    kind: "company_profile",
    observed_fact: factOf(texts, others),
    why_it_may_matter: whyOf(texts),
    demand_class: "structural",
    country,
    confidence: confidenceOf(texts),
    occurred_at: null,
    observed_at: updated,
    expires_at: ended ? updated : null,
    evidence: [{
      source_uri: `https://search.gleif.org/#/record/${lei}`,
      excerpt: excerptOf(texts, others),
    }],
  };
}

const KINDS_OF_ENTITY: Readonly<Record<string, string>> = {
  BRANCH: "branch of a legal entity",
  INTERNATIONAL_ORGANIZATION: "international organization",
  RESIDENT_GOVERNMENT_ENTITY: "government entity",
};

/** Not an identifier of a register, but words for having none. */
const NO_REGISTER = ["RA888888", "RA999999"];
/** What one issuer writes for lack of a date: a sixth of its entities, some a century old. */
const NO_CREATION = "2016-12-31";

function factOf(texts: LeiTexts, others: string[]): string {
  const { lei, name, category, register, register_number } = texts;
  const created = texts.created.startsWith(NO_CREATION) ? "" : texts.created;
  const kind = KINDS_OF_ENTITY[category] ?? "legal entity";
  const legal = placeOf(texts.legal_city, texts.legal_region, texts.legal_country);
  const office = placeOf(texts.office_city, texts.office_region, texts.office_country);
  const isRegistered = register_number !== "" && !NO_REGISTER.includes(register);
  const sentences = [
    `${name} is ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} with its legal address in ${legal}` +
    `${office === "" || office === legal ? "" : ` and its headquarters in ${office}`}.`,
    `Legal Entity Identifier ${lei}` +
    `${isRegistered ? `; number ${register_number} in register ${register}` : ""}` +
    `${created === "" ? "" : `; created on ${created.slice(0, 10)}`}.`,
    others.length === 0
      ? ""
      : `Also known, now or earlier, as ${others.join("; ").replace(/\.$/, "")}.`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function isActive({ entity_status }: LeiTexts): boolean {
  return entity_status === "ACTIVE" || entity_status === "";
}

function isValid({ registration_status }: LeiTexts): boolean {
  return VALID.includes(registration_status) || registration_status === "";
}

function whyOf(texts: LeiTexts): string {
  const known =
    "It says who the company is in law, and joins what other sources say of it; it is " +
    "no sign of buying.";
  if (!isActive(texts)) return `${known} The entity is no longer active.`;
  if (!isValid(texts)) return `${known} The identifier is no longer valid.`;
  if (texts.registration_status !== "LAPSED") return known;
  const since = texts.renewal === "" ? "" : ` since ${texts.renewal.slice(0, 10)}`;
  return `${known} The identifier has not been renewed${since}, so it may be out of date.`;
}

function confidenceOf({ corroboration, registration_status }: LeiTexts): number {
  const hundredths = CONFIDENCE[corroboration] ?? UNKNOWN_CORROBORATION;
  return (hundredths - (registration_status === "LAPSED" ? LESS_WHEN_LAPSED : 0)) / 100;
}

/** Under the names of the Common Data File, whichever form was read: the same fact, the same text. */
function excerptOf(texts: LeiTexts, others: string[]): string {
  const rows = [
    ["LEI", texts.lei],
    ["LegalName", texts.name],
    ...others.map((other) => ["OtherEntityName", other]),
    ["EntityCategory", texts.category],
    ["EntityStatus", texts.entity_status],
    ["LegalJurisdiction", texts.jurisdiction],
    ["LegalAddress", addressOf(texts.legal_postcode, texts, "legal")],
    ["HeadquartersAddress", addressOf(texts.office_postcode, texts, "office")],
    ["RegistrationStatus", texts.registration_status],
    ["ValidationSources", texts.corroboration],
  ] as const;
  return rows.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`)
    .join("\n");
}

function addressOf(postcode: string, texts: LeiTexts, which: "legal" | "office"): string {
  const place = placeOf(
    texts[`${which}_city`],
    texts[`${which}_region`],
    texts[`${which}_country`],
  );
  return [place, postcode].filter((part) => part !== "").join(" ");
}

/** "Lynchburg, VA, US": the region is an ISO 3166-2 code that begins with its country. */
function placeOf(city: string, region: string, country: string): string {
  const parts = [city, region.replace(/^[A-Z]{2}-/, ""), country];
  return parts.filter((part) => part !== "").join(", ");
}

function shown(text: string): string {
  return cutAtWord(text, 40);
}
