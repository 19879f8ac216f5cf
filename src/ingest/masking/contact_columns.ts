/**
 * Masks the persons in the contact columns of a row. Their names are masked everywhere in that row,
 * even if the words around a name do not show that it belongs to a person.
 */
import { personsIn } from "./contact_names.ts";
import { personsOfAddress } from "./persons_of_address.ts";
import { patternsOf, type Person, personOfName } from "./contact_patterns.ts";
import { emailsOf, MASK } from "./contacts.ts";
import { textOfMarkup } from "../text/markup.ts";
import { MASKED_CHARACTERS } from "./mask_text.ts";
import { nameAt } from "./person_name.ts";
import { cleanParagraphs, cutAtWord } from "../text/clean_text.ts";

/** Max number of contact persons of a row. */
const PERSONS_MAX = 20;
/** Min number of characters of a text that names a person as a contact: "CO: Jo Doe". */
const NAMING_CHARACTERS = 10;
/** Max number of characters of a name together with words such as a role. */
const PART_CHARACTERS = 200;

/**
 * Returns patterns for the persons of a row: the persons of its contact cells, and the persons whom
 * its texts name as contacts. A contact cell contains a name, an address, both, or an office.
 */
export function personsOf(contacts: readonly string[], texts: readonly string[] = []): RegExp[] {
  const cleaned = [...new Set(texts)].filter((text) => text !== "")
    .map((text) => cleanParagraphs(textOfMarkup(text)));
  const long = cleaned.filter((text) => text.length >= NAMING_CHARACTERS && /\p{L}/u.test(text));
  const named = long.flatMap((text) => personsIn(cutAtWord(text, MASKED_CHARACTERS)));
  return patternsOf([...contacts.flatMap(personsOfCell), ...named].slice(0, PERSONS_MAX), cleaned);
}

/**
 * Masks persons in a text, also if markup is between the letters: "Andr&eacute;&nbsp;Doe". A text
 * without their names is returned unchanged.
 */
function maskedText(markup: string, persons: readonly RegExp[]): string {
  const mask = (text: string) => persons.reduce((rest, person) => rest.replace(person, MASK), text);
  if (!/[&<]/.test(markup)) return mask(markup);
  const text = cleanParagraphs(textOfMarkup(markup));
  const masked = mask(text);
  return masked === text ? markup : masked.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Returns all texts within a value. */
export function textsWithin(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsWithin)
    : [];
}

function personsOfCell(cell: string): Person[] {
  if (cell === "") return [];
  const text = cleanParagraphs(textOfMarkup(cell));
  const parts = text.split(/[;\n|/]| and | et | & /u, PERSONS_MAX);
  return [
    ...parts.flatMap((part) => personOf(part.trim().slice(0, PART_CHARACTERS)) ?? []),
    ...[...emailsOf(text).take(PERSONS_MAX)]
      .flatMap(({ start, end }) => personsOfAddress(text.slice(start, end), { isPerson: true })),
  ];
}

function personOf(part: string): Person | undefined {
  const name = nameAt(part, 0, { isPerson: true });
  return name && personOfName(part.slice(name.start, name.end));
}

/** Returns a text, or all texts within a value, with the names of the persons masked. */
export function withoutPersons<Value>(value: Value, persons: readonly RegExp[]): Value {
  if (persons.length === 0) return value;
  if (typeof value === "string") return maskedText(value, persons) as Value;
  if (Array.isArray(value)) return value.map((one) => withoutPersons(one, persons)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, one]) => [key, withoutPersons(one, persons)]);
  return Object.fromEntries(members);
}
