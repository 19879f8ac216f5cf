/** Reads the forms of LEI records. */
import { FIELD_CHARACTERS, LIST_ELEMENTS } from "../../record/field_bounds.ts";
import { cleanLine } from "../../text/clean_text.ts";
import { valueAt } from "../kit/field.ts";

const OTHER_NAME_COLUMN = "Entity.OtherEntityNames.OtherEntityName";

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
  other_names: "Entity.OtherEntityNames.OtherEntityName",
  other_name: "$",
  other_name_type: "@type",
};

/** The members of GOLDEN_COPY that the columns of its CSV form hold one by one. */
type LeiColumn = Exclude<keyof typeof GOLDEN_COPY, `other_name${string}`>;

/** Columns of the CSV form of the golden copy, by the names of the same members. */
const MEMBER_COLUMNS = Object.fromEntries(
  Object.entries(GOLDEN_COPY).filter(([key]) => !key.startsWith("other_name"))
    .map(([key, path]) => [key, path.replace(/\.\$$/, "")]),
) as Record<LeiColumn, string>;

/** Number of other names that the CSV form can hold. */
const NAME_COLUMNS = 5;

/** Columns of the CSV form that are read. */
export const LEI_COLUMNS: Record<string, string> = {
  ...MEMBER_COLUMNS,
  ...Object.fromEntries(
    Array.from({ length: NAME_COLUMNS }, (_, at) => `${OTHER_NAME_COLUMN}.${at + 1}`)
      .flatMap((name) => [[name, name], [`${name}.type`, `${name}.type`]]),
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
] satisfies LeiColumn[];

/** Returns the record of the golden copy that a row of its CSV form holds. */
export function entityOfRow(row: Record<string, string>): unknown {
  const root: Tree = {};
  for (const [key, path] of Object.entries(GOLDEN_COPY)) {
    if (key in MEMBER_COLUMNS) set(root, path, row[key]);
  }
  const names = Array.from({ length: NAME_COLUMNS }, (_, at) => {
    const name = `${OTHER_NAME_COLUMN}.${at + 1}`;
    return { $: row[name], "@type": row[`${name}.type`] };
  });
  set(root, GOLDEN_COPY.other_names, names.filter(({ $ }) => $ !== ""));
  return root;
}

interface Tree {
  [member: string]: Tree | unknown;
}

function set(root: Tree, path: string, value: unknown): void {
  const members = path.split(".");
  const last = members.pop()!;
  let tree = root;
  for (const member of members) tree = (tree[member] ??= {}) as Tree;
  tree[last] = value;
}

/** The paths of the members that are read in one form of LEI record. */
export type LeiForm = Readonly<Record<keyof typeof GOLDEN_COPY, string>>;

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

/** The texts of one record. Missing texts are empty. */
export type LeiTexts = Record<Exclude<keyof LeiForm, `other_name${string}`>, string>;

/** The names of an entity other than its legal name. */
export interface LeiNames {
  /** Former legal names. */
  former: string[];
  /** Names under which the entity trades or operates, and names of unknown type. */
  alternate: string[];
}

const OTHER_NAMES_MAX = 10;

/** Returns up to ten names of a record other than its legal name. */
export function otherNamesOf(value: unknown, form: LeiForm): LeiNames {
  const names: LeiNames = { former: [], alternate: [] };
  const seen = new Set(["", textAt(value, form.name)]);
  for (const element of [valueAt(value, form.other_names) ?? []].flat().slice(0, LIST_ELEMENTS)) {
    if (seen.size >= OTHER_NAMES_MAX + 2) break;
    const name = textAt(element, form.other_name);
    if (seen.has(name) || name.length > FIELD_CHARACTERS) continue;
    seen.add(name);
    const isFormer = textAt(element, form.other_name_type) === "PREVIOUS_LEGAL_NAME";
    names[isFormer ? "former" : "alternate"].push(name);
  }
  return names;
}

/** Returns the texts of one record. */
export function textsOf(value: unknown, form: LeiForm): LeiTexts {
  const entries = Object.entries(form).map(([key, path]) => [key, textAt(value, path)]);
  return Object.fromEntries(entries);
}

function textAt(value: unknown, path: string): string {
  const member = valueAt(value, path);
  return typeof member === "string" ? cleanLine(member) : "";
}
