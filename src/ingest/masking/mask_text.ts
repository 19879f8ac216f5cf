/**
 * Masks the names, e-mail addresses, telephone numbers and LinkedIn pages of persons in texts of
 * sources, so that the texts may be stored. The names in contact columns of a row are masked
 * everywhere in that row, even if the words around a name do not show that it belongs to a person.
 * A new rule reaches a stored record when its source is read again: by `admin source run`, or by
 * `ingest` for files.
 */
import { maskContactNames, personsIn } from "./contact_names.ts";
import { emailsOf, MASK, maskContacts, maskSpans, type Span } from "./contacts.ts";
import { cleanLine, cleanParagraphs, cutAtWord, textOfMarkup } from "../text/clean_text.ts";
import { patternsOf, type Person, personOfName, personsOfAddress } from "./contact_patterns.ts";
import { isGivenName, isListed, meaningOf } from "./name_words.ts";
import { nameAt, personInSlot } from "./person_name.ts";

/**
 * Max UTF-16 units of a masked text. The rest is cut off. Each text of a record has at most 40,000.
 */
export const MASKED_CHARACTERS = 65_536;

/** Cleans, cuts and masks a text, with or without markup. Returns it on one line. */
export function maskedLine(markup: string): string {
  return maskPersons(cleanLine(textOfMarkup(markup, maskLinkedName)));
}

/** Cleans, cuts and masks a text as maskedLine() does, but keeps line breaks. */
export function maskedParagraphs(markup: string): string {
  return maskPersons(cleanParagraphs(textOfMarkup(markup, maskLinkedName)));
}

/** Masks the name at the start of the text of a link to an e-mail address. */
function maskLinkedName(markup: string): string {
  const text = textOfMarkup(markup);
  const name = nameAt(text, 0);
  const person = name?.isSure ? name : personInSlot(text, 0);
  return person === undefined ? markup : escaped(maskSpans(text, [person]));
}

/**
 * Masks names, LinkedIn pages, e-mail addresses and telephone numbers in a clean text. Names are
 * masked first, because some are recognized by an address or number after them. The text is cut
 * first. This bounds the time, because each of many patterns reads the whole text.
 */
export function maskPersons(text: string): string {
  return maskContacts(maskContactNames(cutAtWord(text, MASKED_CHARACTERS)));
}

/** Max UTF-16 units of a text of a rejected record that are masked. */
const MASKED_BEFORE_SHOWING = 2_000;
/** Max UTF-16 units of a masked text of a rejected record that are shown. */
const SHOWN_CHARACTERS = 500;
/** Max number of elements of a list of a rejected record that are shown. */
const SHOWN_ELEMENTS = 20;

/**
 * Returns the form in which a rejected value is shown: texts are masked and cut, lists are cut. The
 * value must not be unparsed JSON, in which an escaped line break would hide a name.
 */
export function shownValue<Value>(value: Value): Value {
  if (typeof value === "string") {
    const start = cutAtWord(value, MASKED_BEFORE_SHOWING);
    return cutAtWord(maskedLine(start), SHOWN_CHARACTERS) as Value;
  }
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(shownValue) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shownValue(member)]);
  return Object.fromEntries(members) as Value;
}

/**
 * Max number of contact persons of a row. The number is chosen: each pattern costs a pass over the
 * row.
 */
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
  return masked === text ? markup : escaped(masked);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Returns all texts within a value. */
export function textsWithin(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsWithin)
    : [];
}

/** Returns the persons of a contact cell. */
function personsOfCell(cell: string): Person[] {
  if (cell === "") return [];
  const text = cleanParagraphs(textOfMarkup(cell));
  const parts = text.split(/[;\n|/]| and | et | & /u, PERSONS_MAX);
  return [
    ...parts.flatMap((part) => personsOfPart(part.slice(0, PART_CHARACTERS))),
    ...[...emailsOf(text).take(PERSONS_MAX)]
      .flatMap(({ start, end }) => personsOfAddress(text.slice(start, end), { isPerson: true })),
  ];
}

/**
 * Returns the persons of a part of a cell. A role or number may precede a name, as in "Buyer: Jane
 * Doe". The rules for running text then keep the words of an office.
 */
function personsOfPart(part: string): Person[] {
  const text = part.replace(/["“”„«»_*\s]+/g, " ").trim();
  const name = nameAt(text, 0, { isPerson: true });
  const first = personsNamed(text, name);
  if (first.some(({ families }) => families.length > 0)) {
    return [...first, ...personsAfter(text, name!)];
  }
  return [...first, ...text.split(/ [-–—] |[:()[\]]/).flatMap(personsOfPiece)];
}

/**
 * Returns the persons after the first one. Only a given name shows another person there. Other
 * words are an office, a firm or a place.
 */
function personsAfter(text: string, { start, end }: Span): Person[] {
  const persons: Person[] = [];
  // "Acme, Victoria" is a firm and its place, unless the cell writes surnames first.
  const isSurnameFirst = text.slice(start, end).includes(",");
  let after = end;
  for (const { 0: separator, index } of text.matchAll(/, ?| [-–—] |[:()[\]] ?/g)) {
    if (index < after) continue;
    const name = nameAt(text, index + separator.length, { isPerson: true });
    const found = personsNamed(text, name).filter(({ given }) => isGivenName(given));
    if (found.length === 0) continue;
    const isComma = text.slice(name!.start, name!.end).includes(",");
    if (isComma && !isSurnameFirst) continue;
    persons.push(...found);
    after = name!.end;
  }
  return persons;
}

/** Matches a capitalized word, which may begin a name. */
const WORD = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}'’-]*/gu;
/** Matches the start of a street address: "30 V", "Suite 5, 180A K". */
const STREET_NUMBER = /(?:^|,) ?\d{1,5}\p{L}?,? \p{L}/u;

/** Returns the person at the first word that can begin a name. An article such as "La" cannot. */
function personsOfPiece(piece: string): Person[] {
  const written = piece.trim();
  const isLower = !/\p{L}\P{L}+\p{Lu}/u.test(written);
  const text = isLower
    ? written.replace(/(?<![\p{L}\p{M}\p{N}'’])\p{Ll}/gu, (letter) => letter.toUpperCase())
    : written;
  const at = text.matchAll(WORD).find(({ 0: word }) => {
    const meaning = meaningOf(word);
    return meaning === "open" || (meaning === "surname" && word.length > 3);
  })?.index ?? text.length;
  if (STREET_NUMBER.test(text.slice(0, at + 1))) return [];
  const name = nameAt(text, at);
  const slot = personInSlot(text, at);
  const span = name?.isSure ? name : slot ?? name;
  if (span === undefined) return [];
  const persons = personsNamed(text, span);
  // Unlisted words in lower case, or among other words, are rather those of an office or a place.
  const isPerson = name?.isSure || (slot !== undefined && !isLower);
  return [...isPerson ? persons : persons.filter(hasListedName), ...personsAfter(text, span)];
}

function hasListedName({ given, families }: Person): boolean {
  return isGivenName(given) || families.some((family) => isListed("common_surname", family));
}

function personsNamed(text: string, name: Span | undefined): Person[] {
  const person = name === undefined ? undefined : personOfName(text.slice(name.start, name.end));
  return person === undefined ? [] : [{ ...person, isOfCell: true }];
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
