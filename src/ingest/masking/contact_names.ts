/**
 * Finds the names of contact persons in running text. A name counts if it follows a label
 * ("Contracting Authority: …"), a title ("Ms. …") or a request ("Please contact …"). It also counts
 * before an e-mail address, a telephone number or a buyer's role. A name that is also in an e-mail
 * address (jane.doe@…) counts anywhere. Other names stay, because they may be those of places or
 * products.
 */
import {
  CODE_LABEL,
  DIRECT_CODE_LABEL,
  DIRECT_LABEL,
  LABEL,
  LISTED_LABEL,
  REQUEST,
  ROLE_LABEL,
  surnameFirstNames,
  TITLED,
  WEAK_LABEL,
} from "./contact_labels.ts";
import { patternsOf, type Person, personOfName, personsOfAddresses } from "./contact_patterns.ts";
import { EMAIL, foldWide, MASK, maskSpans, type Span } from "./contacts.ts";
import { isGivenName, isListed, isPlaceWord, meaningOf } from "./name_words.ts";
import { nameAt, personInSlot, type PersonName, wordsAt } from "./person_name.ts";
import { memoized } from "../../memoized.ts";

/**
 * Masks the names of contact persons. It must be called before maskContacts(), which masks the
 * addresses by which names are recognized.
 */
export function maskContactNames(text: string): string {
  const { spans, persons } = namesOf(text);
  const masked = maskSpans(text, spans);
  return patternsOf(persons, [masked]).reduce((rest, name) => rest.replace(name, MASK), masked);
}

/** Returns the persons whom a text names in full as contacts or in an e-mail address. */
export function personsIn(text: string): readonly Person[] {
  return namesOf(text).persons;
}

/** Max number of texts whose names are kept. A text has at most MASKED_CHARACTERS. */
const TEXTS_MAX = 100;

/**
 * Returns the names in a text. They are kept for a while, because a row is searched for persons
 * before its texts are masked, and rows often have texts in common.
 */
const namesOf = memoized((text) => {
  const spans = spansOf(foldWide(text));
  return { spans, persons: personsNamed(text, spans) };
}, TEXTS_MAX);

/** Max number of persons of a text whose names are masked in the whole text (chosen). */
const NAMED_MAX = 50;

function personsNamed(text: string, spans: readonly Span[]): Person[] {
  const named = spans.flatMap(({ start, end }) => personOfName(text.slice(start, end)) ?? [])
    .filter(({ families }) => families.length > 0);
  const persons = [...named, ...personsOfAddresses(text)]
    .map((person) => [JSON.stringify(person).toLowerCase(), person] as const);
  return [...new Map(persons).values()].slice(0, NAMED_MAX);
}

function spansOf(text: string): Span[] {
  // Every name has a capital letter.
  if (!/\p{Lu}/u.test(text)) return [];
  return [
    ...namesAfterLabels(text),
    ...titledNames(text),
    ...namesAfterRequests(text),
    ...namesBeforeContacts(text),
    ...surnameFirstNames(text),
  ].sort((one, another) => one.start - another.start);
}

/**
 * Patterns of labels, each with the kind of name that it needs. `name` is any name, `slot` a name
 * that fills the slot (personInSlot()), and `sure name` a name with PersonName.isSure. Every match
 * of a label contains its `sign`. Most texts have none, so they skip the slow patterns.
 */
const RULES = [
  { label: LABEL, needs: "name" },
  { label: CODE_LABEL, needs: "slot" },
  { label: DIRECT_LABEL, needs: "slot" },
  { label: DIRECT_CODE_LABEL, needs: "sure name" },
  { label: ROLE_LABEL, needs: "slot" },
  { label: WEAK_LABEL, needs: "sure name" },
] as const;

function* namesAfterLabels(text: string): Generator<Span> {
  for (const { label: pattern, needs } of RULES) {
    for (const { 0: label, groups, index } of text.matchAll(pattern)) {
      const at = index + label.length;
      const name = nameAt(text, at);
      const isEnough = needs === "name" || name?.isSure || groups?.letter !== undefined;
      const isSlot = needs !== "sure name" || groups?.asked !== undefined;
      const slot = isSlot ? personInSlot(text, at) : undefined;
      const person = isEnough ? longer(name, slot) : slot;
      if (person === undefined) continue;
      if (groups?.firm !== undefined && !isShownAsPerson(text, person)) continue;
      yield* withOthers(text, person);
    }
  }
  for (const { 0: label, index } of text.matchAll(LISTED_LABEL)) {
    const name = nameAt(text, index + label.length);
    const isAll = name !== undefined && /^ ?(?:\n|$)/.test(text.slice(name.end, name.end + 2));
    if (name !== undefined && (isAll || name.isSure)) yield name;
  }
}

/**
 * Matches a name with an initial or a short first word. Names of firms that consist of two surnames
 * have neither.
 */
const NOT_A_FIRM = /^(?:\p{Lu}\p{L}{0,2}[. ]|.* \p{Lu}\.? )/u;

/** Returns whether the name or the words after it show that a person is meant, not a firm. */
function isShownAsPerson(text: string, { start, end, isSure }: PersonName): boolean {
  const written = text.slice(start, end);
  const words = written.split(/[ \u00a0]/);
  const [first] = words;
  return isSure || isGivenName(first!) || isListed("noun_given_name", first!) ||
    written.includes(",") ||
    isListed("common_surname", words.at(-1)!) || NOT_A_FIRM.test(written) || isFollowed(text, end);
}

/** Returns that of two names that ends later. */
function longer(
  one: PersonName | undefined,
  another: PersonName | undefined,
): PersonName | undefined {
  return one === undefined || (another !== undefined && another.end > one.end) ? another : one;
}

/** Max number of persons after one label. Further names of a longer list are not read. */
const PERSONS_MAX = 10;
const NEXT_PERSON =
  /(?: ?\([^()\n]{1,40}\))?(?:[ \u00a0]?([,;/|&\n])[ \u00a0]?|[ \u00a0](?=(?:and|or|et|ou)[ \u00a0]))(?:(and|or|et|ou)[ \u00a0])?/uy;

/** Yields a name and the names that are listed after it. */
function* withOthers(text: string, first: PersonName, { plural = false } = {}): Generator<Span> {
  let name: PersonName | undefined = first;
  for (let count = 0; name !== undefined && count < PERSONS_MAX; count++) {
    yield name;
    NEXT_PERSON.lastIndex = name.end;
    const parted = NEXT_PERSON.exec(text);
    if (parted === null) return;
    const at = NEXT_PERSON.lastIndex;
    const next = nameAt(text, at) ?? personInSlot(text, at) ??
      (plural ? surnameOfTitle(text, at) : undefined);
    const isListed = parted[2] !== undefined || (parted[1] !== "," && parted[1] !== "\n");
    name = next !== undefined && (isListed || next.isSure) ? next : undefined;
    // "Mmes Doe et Roe, Ottawa": the conjunction ends the list.
    if (isListed && parted[1] !== ";") plural = false;
  }
}

const NOT_A_SURNAME = /^(?:Associ(?:ates|és|ées)|Sons|Fils|Brothers|Frères|Partners|Co)$/iu;
/** Matches the separator before the next person of a list. */
const LIST_CONTINUES = /^(?:,[ \u00a0]?|[ \u00a0](?:et|and|&)[ \u00a0])(?=\p{Lu}|et |and )/u;

/** Finds a further surname after a plural title: Roe in "Mmes Doe et Roe". */
function surnameOfTitle(text: string, at: number): PersonName | undefined {
  const [word, second] = wordsAt(text, at);
  if (word === undefined || second !== undefined || word.isInitial) return undefined;
  const isSurname = word.meaning === "open" || word.meaning === "surname";
  if (!isSurname || NOT_A_SURNAME.test(word.text) || isPlaceWord(word.text)) return undefined;
  const isSure = LIST_CONTINUES.test(text.slice(word.end, word.end + 8));
  return { start: at, end: word.end, isSure };
}

/** Matches words that follow "M. Doe" in a sentence, but not a quantity: "500 M. Pipe". */
const AFTER_MONSIEUR =
  /^(?:$|[,;)\n]|\.(?:\s|$)| (?:est|sera|répond|peut|doit|va|au|à|et|ou|qui|vous)(?!\p{Ll}{3}))/u;

function* titledNames(text: string): Generator<Span> {
  for (const { 0: title, groups, index } of text.matchAll(TITLED)) {
    const name = nameAt(text, index);
    if (name === undefined) continue;
    const written = text.slice(name.start, name.end);
    // A rank and one word may be an abbreviation: "SFC de St. John’s".
    const plural = groups?.plural !== undefined;
    const isMarked = plural || groups?.civil !== undefined || (groups?.monsieur !== undefined &&
      AFTER_MONSIEUR.test(text.slice(name.end, name.end + 12)));
    if (!isMarked && !/^\p{Lu}.*[\s.]/u.test(written)) continue;
    if (groups?.maitre !== undefined && !isGivenName(written.split(/\s/)[0]!)) continue;
    if (name.start >= index + title.length) yield* withOthers(text, name, { plural });
  }
}

/**
 * Matches the text that can follow the name in a request: the end of the request, or how, why and
 * when to write.
 */
const AFTER_REQUESTED =
  /^(?:[ \u00a0]?(?:[,;:(\n]|$)|\.(?:\s|$)|[ \u00a0](?:at|by|via|on|for|with|if|to|and|or|et|ou|au|à|par|pour|avec|ext)\b)/u;
/**
 * Matches a way to reach the person ("at 613…"). Only the name of a person precedes it, not that of
 * a thing.
 */
const WAY_TO_REACH =
  /^[ \u00a0]?(?:[,(]?[ \u00a0]?(?:at|by|via|au|par|ext|poste|tel|tél|phone)\b)/u;

function* namesAfterRequests(text: string): Generator<Span> {
  for (const { 0: request, groups, index } of text.matchAll(REQUEST)) {
    const at = index + request.length;
    const name = nameAt(text, at);
    const person = name?.isSure ? name : longer(name, personInSlot(text, at));
    if (person === undefined) continue;
    const after = text.slice(person.end, person.end + 12);
    ROLE_AFTER.lastIndex = person.end;
    const isName = person.isSure || WAY_TO_REACH.test(after) || ROLE_AFTER.test(text) ||
      (groups?.asked !== undefined && AFTER_REQUESTED.test(after));
    if (isName) yield* withOthers(text, person);
  }
}

/** Matches two to six adjacent capitalized words. */
const CAPITALIZED_WORDS =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}'’.-]{0,40}(?:[ \u00a0](?:(?:de|du|des|van|von|der|la|le)[ \u00a0]){0,2}\p{Lu}[\p{L}\p{M}'’.-]{0,40}){1,5}/gu;
const PHONE = "\\+?(?:1[-. ]?)?\\(?[2-9]\\d\\d\\)?[-. ]{0,2}\\d{3}[-. ]?\\d{4}";
const REACH =
  "(?:at|by|via|à|au|par|mailto|e-?mail|courriel|tel|tél|phone|telephone|téléphone|cell|ext|poste)";
const ADDRESS_AFTER = new RegExp(
  `[\\s,;:(<\\]–—|-]{1,4}(?:${REACH}\\.?[\\s:,#]{1,3}){0,2}(?:${EMAIL}|${PHONE}|(?:ext|poste)\\.? ?\\d{3,6})`,
  "uiy",
);
const ROLE_AFTER = new RegExp(
  "(?:,[ \\u00a0]?|\\n|[ \\u00a0][-–—(][ \\u00a0]?)(?:the |our |l['’]|votre |your )?" +
    "(?:senior |acting |lead |chief |principal |assistant )?" +
    "(?:contract(?:s|ing)?|procurement|purchasing|acquisitions?|sourcing) " +
    "(?:specialist|officer|agent|advis[oe]r|manager|analyst|buyer|authority|lead|coordinator|administrator)\\b|" +
    "(?:,[ \\u00a0]?|\\n)(?:senior )?(?:buyer|acheteu(?:r|se)|agente? d['’]approvisionnement|" +
    "spécialiste (?:de|en) (?:l['’])?(?:approvisionnement|contrats)|agente? de(?:s)? contrats)(?!\\p{L})",
  "uiy",
);

/**
 * Yields the names before an e-mail address, a telephone number or a role. Such a name is the end
 * of a run of capitalized words.
 */
function* namesBeforeContacts(text: string): Generator<Span> {
  for (const { 0: run, index } of text.matchAll(CAPITALIZED_WORDS)) {
    const end = index + run.length - (run.endsWith(".") ? 1 : 0);
    if (!isFollowed(text, end)) continue;
    const name = lastNameOf(text, index, run);
    if (name !== undefined) yield name;
  }
}

function isFollowed(text: string, end: number): boolean {
  return [ADDRESS_AFTER, ROLE_AFTER].some((pattern) => {
    pattern.lastIndex = end;
    return pattern.test(text);
  });
}

/**
 * Returns the name at the end of a run of capitalized words. It starts at a given name if possible,
 * otherwise at the first word that may begin a name.
 */
function lastNameOf(text: string, at: number, run: string): Span | undefined {
  const starts = [...run.matchAll(/(?<![^ \u00a0])\p{Lu}[^ \u00a0]*/gu)];
  const inOrder = [
    ...starts.filter(({ 0: word }) => isGivenName(word)),
    ...starts.filter(({ 0: word }) => meaningOf(word) === "open"),
  ];
  for (const { index } of inOrder) {
    const name = nameAt(text, at + index);
    if (name !== undefined && Math.abs(name.end - (at + run.length)) <= 1) return name;
  }
  return undefined;
}
