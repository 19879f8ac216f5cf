/**
 * Near forms of words and names: what the index holds that a misspelled word may mean. Fewer errors
 * come first, then the more frequent, then the longer, then the order of the texts, so that replicas
 * that hold the same documents agree, however these lie in segments.
 */
import { FACET_SPACE, type Key, keyOf } from "./dictionary.ts";
import {
  beginAlike,
  countErrors,
  errorsMax,
  isNearBeginning,
  oneErrorAway,
} from "./spelling_errors.ts";
import { LANGUAGES, stem } from "./tokens.ts";

/** What near forms ask of an index. */
export interface Spelled {
  /** Counts the documents that hold a term. */
  frequency(key: Key): number;
  /** Tells whether documents may hold a term; quicker than its frequency. */
  mayHold(key: Key): boolean;
  /** Lists names that may be near a key, without their prefix: see spellings.ts. */
  namesNear(key: string, errors: number): Iterable<{ text: string }>;
  /** Lists stems that may be near a beginning of a word. */
  stemsNear(word: string, errors: number): Iterable<{ space: number; text: string }>;
}

interface Candidate {
  text: string;
  errors: number;
  frequency: number;
}

/**
 * Returns the nearest word of an index, or nothing: one error away, or two from 8 letters on where
 * both begin alike. Documents may hold it in any form. Another form of the word itself is not near.
 *
 * @param word folded
 */
export function nearestWord(index: Spelled, word: string): string | undefined {
  const errors = errorsMax(word);
  if (errors === 0) return undefined;
  const stems = LANGUAGES.map((language) => stem(word, language));
  const candidates: Candidate[] = [];
  for (const text of oneErrorAway(word)) {
    let frequency = 0;
    LANGUAGES.forEach((language, space) => {
      const own = stem(text, language);
      if (own === stems[space]) return;
      const key = keyOf(space, own);
      if (index.mayHold(key)) frequency += index.frequency(key);
    });
    if (frequency > 0) candidates.push({ text, errors: 1, frequency });
  }
  if (candidates.length === 0 && errors === 2) {
    candidates.push(...twoErrorsAway(index, word, stems));
  }
  return best(candidates)?.text;
}

/** Lists words of the index two errors away, by the stems that are near a beginning of the word. */
function twoErrorsAway(index: Spelled, word: string, stems: readonly string[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { space, text: own } of index.stemsNear(word, 2)) {
    if (own === stems[space] || !isNearBeginning(own, word, 2)) continue;
    const form = nearestForm(own, { language: LANGUAGES[space]!, word });
    if (form === undefined) continue;
    const frequency = index.frequency(keyOf(space, own));
    if (frequency > 0) candidates.push({ ...form, frequency });
  }
  return candidates;
}

/** Endings that words may have had, before rules took them off. */
const ENDINGS =
  ("|e|s|es|y|ies|ing|ings|ed|er|ers|ion|ions|ation|ations|ment|ments|al|ance|ity|ive|" +
    "t|ts|ting|ted|tion|tions|tor|tors|ate|ated|ates|ating|ator|ure|ique|iques|ement|ements|eur|eurs|euse|age|ages|able|ables")
    .split(
      "|",
    );

/** Letters of the written word's end that are tried as an ending. */
const WRITTEN_MAX = 6;

/** Returns the word of a stem that is nearest to what was written; nothing beyond two errors. */
function nearestForm(
  own: string,
  { language, word }: { language: (typeof LANGUAGES)[number]; word: string },
): Omit<Candidate, "frequency"> | undefined {
  const bases = own.endsWith("i") ? [own, own.slice(0, -1)] : [own];
  // What was written may well end as the word does.
  const written = Array.from({ length: WRITTEN_MAX }, (_, n) => word.slice(word.length - n - 1));
  const endings = new Set([...ENDINGS, ...written]);
  const forms = bases.flatMap((base) => Array.from(endings, (ending) => base + ending))
    .map((text) => ({ text, errors: countErrors(word, text, 2), frequency: -text.length }))
    // Endings are cut off last, since that takes longest.
    .filter(({ text, errors }) => errors !== Infinity && stem(text, language) === own);
  return best(forms);
}

/**
 * Returns the nearest name key of an index, or nothing: one error away, or two from 8 letters on where
 * both begin alike.
 *
 * @param key without its prefix `name:`
 */
export function nearestName(index: Spelled, key: string): string | undefined {
  const max = errorsMax(key);
  if (max === 0) return undefined;
  const first = key.charCodeAt(0);
  const candidates = [...index.namesNear(key, max)].flatMap(({ text }): Candidate[] => {
    const most = beginAlike(text.charCodeAt(0), first) ? max : 1;
    const errors = text === key ? Infinity : countErrors(key, text, most);
    if (errors === Infinity) return [];
    const frequency = index.frequency(keyOf(FACET_SPACE, NAME_PREFIX + text));
    return frequency === 0 ? [] : [{ text, errors, frequency }];
  });
  return best(candidates)?.text;
}

const NAME_PREFIX = "name:";

function best(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.toSorted((a, b) =>
    a.errors - b.errors || b.frequency - a.frequency || b.text.length - a.text.length ||
    (a.text < b.text ? -1 : 1)
  )[0];
}
