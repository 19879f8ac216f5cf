/** Finds the names of persons in e-mail addresses such as jane.doe@…. */
import type { Person } from "./contact_patterns.ts";
import { emailsOf } from "./contacts.ts";
import { isGivenName } from "./given_names.ts";
import { meaningOf } from "./name_words.ts";

/** Max number of addresses that are searched for names. Notices have fewer. */
const ADDRESSES = 50;

/** Returns the persons whose names are in addresses such as jane.doe@…. */
export function personsOfAddresses(text: string): Person[] {
  const addresses = emailsOf(text).take(ADDRESSES);
  return [...addresses].flatMap(({ start, end }) => personsOfAddress(text.slice(start, end)));
}

/**
 * Returns the person in an address such as jane.doe@…, or an empty list. `isPerson` is true if the
 * address is expected to be that of a person. Surnames that are also common words count then, and
 * after a given name.
 */
export function personsOfAddress(address: string, { isPerson = false } = {}): Person[] {
  const local = /^(\p{L}{2,})[._-](?:\p{L}[._-])?(\p{L}{2,})\d*[@＠]/u.exec(address);
  const words = local?.slice(1) ?? [];
  if (local === null || words.some((word) => !canBeOfPerson(word, words, isPerson))) return [];
  return [{ given: words[0]!, families: [words[1]!] }];
}

function canBeOfPerson(word: string, [first]: readonly string[], isPerson: boolean): boolean {
  const meaning = meaningOf(word);
  if (meaning === "open") return true;
  return (isPerson || isGivenName(first!)) && (meaning === "surname" || isGivenName(word));
}
