/**
 * Persons whose names stand in the contact columns of a row. Wherever one of them occurs in the
 * texts of that row it is masked, although nothing around it says that it is a person's name.
 */
import { accented, namesOfAddress, patternOfPerson } from "./contact_names.ts";
import { emailsOf, MASK } from "./contacts.ts";
import { textOfMarkup } from "./markup.ts";
import { nameAt } from "./person_name.ts";
import { cleanParagraphs } from "./text.ts";

/** Maximum number of contact persons of a row. */
const PERSONS_MAX = 20;
/** Maximum length of a name with what stands beside it, such as a role. */
const PART_CHARACTERS = 200;

/** Compiles the persons of contact cells, which hold names, addresses, both, or those of offices. */
export function personsOf(cells: readonly string[]): RegExp[] {
  return cells.filter((cell) => cell !== "").flatMap((cell) => {
    const text = cleanParagraphs(textOfMarkup(cell));
    const parts = text.split(/[;\n|/]| and | et | & /u, PERSONS_MAX);
    return [
      ...parts.flatMap((part) => personOf(part.trim().slice(0, PART_CHARACTERS))),
      ...[...emailsOf(text).take(PERSONS_MAX)]
        .flatMap(({ start, end }) => namesOfAddress(text.slice(start, end), { isPerson: true })),
    ];
  }).slice(0, PERSONS_MAX);
}

/** Returns a text, or all texts within a value, with the names of the persons masked. */
export function withoutPersons<Value>(value: Value, persons: readonly RegExp[]): Value {
  if (persons.length === 0) return value;
  if (typeof value === "string") {
    return persons.reduce<string>((text, person) => text.replace(person, MASK), value) as Value;
  }
  if (Array.isArray(value)) return value.map((one) => withoutPersons(one, persons)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, one]) => [key, withoutPersons(one, persons)]);
  return Object.fromEntries(members);
}

function personOf(part: string): RegExp[] {
  const name = nameAt(part, 0, { isPerson: true });
  if (name === undefined) return [];
  const written = part.slice(name.start, name.end);
  const [before, behind] = written.split(/,\s*/);
  const words = (behind === undefined ? written : `${behind} ${before}`).split(/\s+/)
    .filter((word) => !/^(?:\p{Lu}\.?)+$/u.test(word) || /\p{Lu}{2}/u.test(word));
  const [given, ...family] = words;
  if (given === undefined) return [];
  if (family.length === 0) return [patternOfTitled(given)];
  const full = family.filter((word) => /^\p{Lu}.{2}/u.test(word));
  const families = [family.join(" "), ...(family.length > 1 ? full : [])];
  return families.flatMap((one) => [patternOfPerson(given, one), patternOfTitled(one)]);
}

const TITLES = "Mrs?|MRS?|M[Ss]|Mme|MME|Mlle|MLLE|DR|Dre?|Prof|PROF|Monsieur|Madame|M|Capt|CAPT|" +
  "Sgt|SGT|Lt|LT|Maj|MAJ";

/** Returns a pattern for "Ms. Doe" and "J. Doe", the title or initial included. */
function patternOfTitled(family: string): RegExp {
  return new RegExp(
    `(?<!\\p{L})(?:(?:${TITLES})\\.?\\s|\\p{Lu}\\.\\s?)` +
      `(?=[\\p{Lu}dv])(?i:${accented(family)})(?!\\p{Ll})`,
    "gu",
  );
}
