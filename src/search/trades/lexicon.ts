/**
 * Indexes the phrases of the dictionary by their words, with the forms that may replace each
 * phrase.
 */
import type { Sector } from "../../contract/vocabulary.ts";
import { type Language, LANGUAGES } from "../engine/words.ts";
import { type Phrase, readGroups, type TradeGroup } from "./groups.ts";
import { baseOf } from "./inflection.ts";

/** Weight of a phrase with the same meaning, such as a translation. */
export const SAME_WEIGHT = 1;
/** Weight of a phrase that is only related, or whose stems other words share. */
const NEAR_WEIGHT = 0.5;

/** A phrase that may replace words of a query. */
export interface Form {
  /** Content words, folded and not stemmed. */
  words: readonly string[];
  /** SAME_WEIGHT or NEAR_WEIGHT. */
  weight: number;
  /** The languages in which the phrase has this meaning. */
  languages: readonly Language[];
}

/** Words without number and gender, in the order of LANGUAGES. */
export type Bases = readonly (readonly string[])[];

/** A form with the words by which it is compared. */
interface KnownForm {
  form: Form;
  bases: Bases;
}

/** Meaning of a phrase in one group of the dictionary that contains the phrase. */
export interface Meaning {
  forms: readonly KnownForm[];
  /** Sectors of the group. Empty if the phrase is only related to the group. */
  sectors: readonly Sector[];
}

/** Phrases of one language. */
export interface Lexicon {
  /** Meanings by the words of a phrase without number and gender, joined by spaces. */
  meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** Max number of words of the phrases that begin with a word. */
  longest: ReadonlyMap<string, number>;
}

let lexicons: readonly Lexicon[] | undefined;

/** Returns the lexicons in the order of LANGUAGES. The first call builds them. */
export function readLexicons(): readonly Lexicon[] {
  return lexicons ??= lexiconsOf(readGroups());
}

let dictionaryWords: ReadonlySet<string> | undefined;

/** Returns whether a phrase of the dictionary contains a folded word, in any number and gender. */
export function isDictionaryWord(word: string): boolean {
  dictionaryWords ??= new Set(
    readLexicons().flatMap(({ meanings }) =>
      [...meanings.keys()].flatMap((phrase) => phrase.split(" "))
    ),
  );
  return LANGUAGES.some((language) => dictionaryWords!.has(baseOf(word, language)));
}

/** Returns words without number and gender, in the order of LANGUAGES. */
export function basesOf(words: readonly string[]): Bases {
  return LANGUAGES.map((language) => words.map((word) => baseOf(word, language)));
}

/**
 * Returns whether a phrase contains all required words in one language, in any number and gender.
 */
export function includes(phrase: Bases, required: Bases): boolean {
  return phrase.some((bases, language) =>
    required[language]!.every((base) => bases.includes(base))
  );
}

/** Drops a form if it contains all words of a shorter form with at least the same weight. */
export function withoutReplaced(forms: readonly KnownForm[]): KnownForm[] {
  return forms.filter((form) =>
    form.form.words.length === 1 || !forms.some((shorter) => replaces(shorter, form))
  );
}

/** Returns forms without duplicates. The greater of two weights counts. */
export function merged(all: readonly KnownForm[]): KnownForm[] {
  const forms = new Map<string, KnownForm>();
  for (const { form, bases } of all) {
    const key = form.words.join(" ");
    const known = forms.get(key)?.form;
    if (known === undefined || known.weight < form.weight) {
      forms.set(key, { form, bases });
    } else if (known.weight === form.weight) {
      const languages = [...new Set([...known.languages, ...form.languages])];
      forms.set(key, { form: { ...known, languages }, bases });
    }
  }
  return [...forms.values()];
}

function replaces({ form: shorter, bases }: KnownForm, longer: KnownForm): boolean {
  return shorter.words.length < longer.form.words.length &&
    shorter.weight >= longer.form.weight && includes(longer.bases, bases);
}

interface WritableLexicon {
  meanings: Map<string, Meaning[]>;
  longest: Map<string, number>;
}

/** Returns the bases of words. It caches them, because many phrases share their words. */
type Normalizer = (words: readonly string[]) => Bases;

function normalizer(): Normalizer {
  const known = LANGUAGES.map(() => new Map<string, string>());
  return (words) =>
    LANGUAGES.map((language, at) =>
      words.map((word) => {
        const base = known[at]!.get(word) ?? baseOf(word, language);
        known[at]!.set(word, base);
        return base;
      })
    );
}

function lexiconsOf(groups: readonly TradeGroup[]): Lexicon[] {
  const writable = LANGUAGES.map(() => ({ meanings: new Map(), longest: new Map() }));
  const normalize = normalizer();
  for (const group of groups) addGroup(writable, group, normalize);
  return writable;
}

function addGroup(
  writable: readonly WritableLexicon[],
  { same, asked, near, sectors }: TradeGroup,
  normalize: Normalizer,
): void {
  const formsOf = (phrases: readonly Phrase[], weight: number) =>
    phrases.map(({ words, language }) => ({
      form: { words, weight, languages: [language] },
      bases: normalize(words),
    }));
  const meaning = {
    forms: withoutReplaced(
      merged([...formsOf(same, SAME_WEIGHT), ...formsOf([...asked, ...near], NEAR_WEIGHT)]),
    ),
    sectors,
  };
  const related = near.length === 0
    ? { forms: [], sectors: [] }
    : { forms: withoutReplaced(merged(formsOf(same, NEAR_WEIGHT))), sectors: [] };
  const added = new Set<string>();
  const add = (phrase: Phrase, meaningInGroup: Meaning) => {
    const at = LANGUAGES.indexOf(phrase.language);
    const bases = normalize(phrase.words)[at]!;
    const id = `${at} ${bases.join(" ")}`;
    if (added.size < added.add(id).size) addPhrase(writable[at]!, bases, meaningInGroup);
  };
  for (const phrase of [...same, ...asked]) add(phrase, meaning);
  for (const phrase of near) add(phrase, related);
}

function addPhrase(
  { meanings, longest }: WritableLexicon,
  bases: readonly string[],
  meaning: Meaning,
): void {
  const key = bases.join(" ");
  const known = meanings.get(key);
  if (known === undefined) meanings.set(key, [meaning]);
  else known.push(meaning);
  longest.set(bases[0]!, Math.max(bases.length, longest.get(bases[0]!) ?? 0));
}
