/** Reads the forms of LEI records. */
import { FIELD_CHARACTERS, LIST_ELEMENTS } from "../../record/field_bounds.ts";
import { cleanLine } from "../../text/clean_text.ts";
import { textOf, valueIn } from "../../mapping/template.ts";

const OTHER_NAMES = "Entity.OtherEntityNames.OtherEntityName";

/**
 * Paths in the JSON form of GLEIF's Golden Copy (LEI Common Data File 3.1). A member "$" is the
 * text of an XML element.
 */
export const GOLDEN_COPY = {
  lei: "LEI.$",
  name: "Entity.LegalName.$",
  category: "Entity.EntityCategory.$",
  entity_status: "Entity.EntityStatus.$",
  created: "Entity.EntityCreationDate.$",
  jurisdiction: "Entity.LegalJurisdiction.$",
  register: "Entity.RegistrationAuthority.RegistrationAuthorityID.$",
  register_number: "Entity.RegistrationAuthority.RegistrationAuthorityEntityID.$",
  legal_city: "Entity.LegalAddress.City.$",
  legal_region: "Entity.LegalAddress.Region.$",
  legal_country: "Entity.LegalAddress.Country.$",
  legal_postcode: "Entity.LegalAddress.PostalCode.$",
  office_city: "Entity.HeadquartersAddress.City.$",
  office_region: "Entity.HeadquartersAddress.Region.$",
  office_country: "Entity.HeadquartersAddress.Country.$",
  office_postcode: "Entity.HeadquartersAddress.PostalCode.$",
  registration_status: "Registration.RegistrationStatus.$",
  corroboration: "Registration.ValidationSources.$",
  updated: "Registration.LastUpdateDate.$",
  renewal: "Registration.NextRenewalDate.$",
  /** ELF code of the legal form. The next member is the form in words, if it has no code. */
  legal_form: "Entity.LegalForm.EntityLegalFormCode.$",
  other_legal_form: "Entity.LegalForm.OtherLegalForm.$",
  /** Array of names. The next two members are paths within an element of the array. */
  other_names: OTHER_NAMES,
  other_name: "$",
  other_name_type: "@type",
};

/** The paths of the members that are read in one form of LEI record. */
export type LeiForm = Readonly<Record<keyof typeof GOLDEN_COPY, string>>;

/** The texts of one record. Missing texts are empty. */
export type LeiTexts = Record<Exclude<keyof LeiForm, `other_name${string}`>, string>;

/** Columns of the other names in the CSV form of the golden copy, which can hold five. */
const NAME_COLUMNS = [1, 2, 3, 4, 5].map((number) => `${OTHER_NAMES}.${number}`);

/** Columns of the CSV form that are read. Those of texts have the names of the same members. */
export const LEI_COLUMNS: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(GOLDEN_COPY).filter(([key]) => !key.startsWith("other_name"))
      .map(([key, path]) => [key, path.replace(/\.\$$/, "")]),
  ),
  ...Object.fromEntries(
    NAME_COLUMNS.flatMap((name) => [name, `${name}.type`]).map((name) => [name, name]),
  ),
};

/**
 * Columns without which a file cannot be read. The categories and states are among them, because
 * they say which entities are persons, and which identifiers have ended.
 */
export const NEEDED_LEI_COLUMNS: readonly string[] = [
  "lei",
  "name",
  "category",
  "entity_status",
  "legal_country",
  "registration_status",
  "updated",
] satisfies (keyof LeiTexts)[];

/** Paths in an element of `data` in an answer of https://api.gleif.org/api/v1/lei-records. */
export const API_ANSWER: LeiForm = {
  lei: "attributes.lei",
  name: "attributes.entity.legalName.name",
  category: "attributes.entity.category",
  entity_status: "attributes.entity.status",
  created: "attributes.entity.creationDate",
  jurisdiction: "attributes.entity.jurisdiction",
  register: "attributes.entity.registeredAt.id",
  register_number: "attributes.entity.registeredAs",
  legal_city: "attributes.entity.legalAddress.city",
  legal_region: "attributes.entity.legalAddress.region",
  legal_country: "attributes.entity.legalAddress.country",
  legal_postcode: "attributes.entity.legalAddress.postalCode",
  office_city: "attributes.entity.headquartersAddress.city",
  office_region: "attributes.entity.headquartersAddress.region",
  office_country: "attributes.entity.headquartersAddress.country",
  office_postcode: "attributes.entity.headquartersAddress.postalCode",
  registration_status: "attributes.registration.status",
  corroboration: "attributes.registration.corroborationLevel",
  updated: "attributes.registration.lastUpdateDate",
  renewal: "attributes.registration.nextRenewalDate",
  legal_form: "attributes.entity.legalForm.id",
  other_legal_form: "attributes.entity.legalForm.other",
  other_names: "attributes.entity.otherNames",
  other_name: "name",
  other_name_type: "type",
};

/** The names of an entity other than its legal name. */
export interface LeiNames {
  /** Former legal names. */
  former: string[];
  /** Names under which the entity trades or operates, and names of unknown type. */
  alternate: string[];
}

/** One record, with its form, which names the members in messages. */
export interface LeiEntity {
  form: LeiForm;
  texts: LeiTexts;
  names: LeiNames;
}

/** Returns the entity of a record. */
export function entityOf(value: unknown, form: LeiForm): LeiEntity {
  const texts = textsOf(value, form);
  return { form, texts, names: namesOf(valueIn(value, form.other_names), texts.name, form) };
}

/** Returns the entity of a row of the golden copy's CSV form. */
export function entityOfRow(row: Record<string, string>): LeiEntity {
  const texts = Object.fromEntries(
    Object.keys(row).map((key) => [key, cleanLine(row[key]!)]),
  ) as LeiTexts;
  const names = NAME_COLUMNS.map((name) => ({ $: row[name], "@type": row[`${name}.type`] }));
  return { form: GOLDEN_COPY, texts, names: namesOf(names, texts.name, GOLDEN_COPY) };
}

/** Returns the texts of one record. */
export function textsOf(value: unknown, form: LeiForm): LeiTexts {
  const entries = Object.entries(form).filter(([key]) => !key.startsWith("other_name"))
    .map(([key, path]) => [key, textAt(value, path)]);
  return Object.fromEntries(entries);
}

const OTHER_NAMES_MAX = 10;

/** Returns up to ten distinct names other than the legal name. */
function namesOf(elements: unknown, legalName: string, form: LeiForm): LeiNames {
  const names: LeiNames = { former: [], alternate: [] };
  const seen = new Set(["", legalName]);
  for (const element of [elements ?? []].flat().slice(0, LIST_ELEMENTS)) {
    if (seen.size >= OTHER_NAMES_MAX + 2) break;
    const name = textAt(element, form.other_name);
    if (seen.has(name) || name.length > FIELD_CHARACTERS) continue;
    seen.add(name);
    const isFormer = textAt(element, form.other_name_type) === "PREVIOUS_LEGAL_NAME";
    names[isFormer ? "former" : "alternate"].push(name);
  }
  return names;
}

function textAt(value: unknown, path: string): string {
  return cleanLine(textOf(valueIn(value, path)));
}
