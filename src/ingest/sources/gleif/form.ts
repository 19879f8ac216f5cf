/** Reads the forms of LEI records. */
import { FIELD_CHARACTERS, LIST_ELEMENTS } from "../../record/field_bounds.ts";
import { cleanLine } from "../../text/clean_text.ts";
import forms from "./forms.json" with { type: "json" };
import { textOf, valueIn } from "../../mapping/template.ts";

/**
 * The paths of the members that are read in one form of LEI record. `legal_form` is the ELF code,
 * and `other_legal_form` the form in words, if it has no code. `other_names` is an array of names.
 * The next two members are paths within an element of the array.
 */
export type LeiForm = Readonly<Record<keyof typeof forms.golden_copy, string>>;

/**
 * Paths in the JSON form of GLEIF's Golden Copy (LEI Common Data File 3.1). A member "$" is the
 * text of an XML element.
 */
export const GOLDEN_COPY: LeiForm = forms.golden_copy;

/** Paths in an element of `data` in an answer of https://api.gleif.org/api/v1/lei-records. */
export const API_ANSWER: LeiForm = forms.api_answer;

/** The texts of one record. Missing texts are empty. */
export type LeiTexts = Record<Exclude<keyof LeiForm, `other_name${string}`>, string>;

/** Columns of the other names in the CSV form of the golden copy, which can hold five. */
const NAME_COLUMNS = [1, 2, 3, 4, 5].map((number) => `${GOLDEN_COPY.other_names}.${number}`);

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
