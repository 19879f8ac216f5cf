/**
 * Persons whose names stand in the contact columns of a row. Wherever one of them occurs in the
 * texts of that row it is masked, although nothing around it says that it is a person's name.
 */
import { personsIn, personsOfAddress } from "./contact_names.ts";
import { patternsOf, type Person, personOfName } from "./contact_patterns.ts";
import { emailsOf, MASK } from "./contacts.ts";
import { textOfMarkup } from "../text/markup.ts";
import { MASKED_CHARACTERS } from "./mask_text.ts";
import { nameAt } from "./person_name.ts";
import { cleanParagraphs, cutAtWord } from "../text/clean_text.ts";

/** Maximum number of contact persons of a row. */
const PERSONS_MAX = 20;
/** Minimum length of a text that names a person as a contact: "CO: Jo Doe". */
const NAMING_CHARACTERS = 10;
/** Maximum length of a name with what stands beside it, such as a role. */
const PART_CHARACTERS = 200;

/**
 * Compiles the persons of a row: those of its contact cells, which hold names, addresses, both, or
 * those of offices, and those whom one of its texts names as a contact.
 */
export function personsOf(contacts: readonly string[], texts: readonly string[] = []): RegExp[] {
  const cleaned = [...new Set(texts)].filter((text) => text !== "")
    .map((text) => cleanParagraphs(textOfMarkup(text)));
  const long = cleaned.filter((text) => text.length >= NAMING_CHARACTERS);
  const named = long.flatMap((text) => personsIn(cutAtWord(text, MASKED_CHARACTERS)));
  return patternsOf([...contacts.flatMap(personsOfCell), ...named].slice(0, PERSONS_MAX), cleaned);
}

/**
 * Masks persons in a text as it reads without its markup: "Andr&eacute;&nbsp;Doe". A text that names
 * none of them stays as it is.
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
