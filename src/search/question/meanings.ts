/** Adds similar words, compounds and corrections to units, and reads choices. */
import { isAsFrequent, phrasesAt, similarTo } from "../words/similar.ts";
import { type Draft, type DraftUnit, wordWay } from "./draft.ts";
import { isFiller } from "./filler.ts";
import { isCued } from "./place_codes.ts";
import { isCertainKind, type Way } from "./question.ts";

/**
 * Max number of words of a query whose similar words, parts and corrections are sought, which bounds
 * the time that a query takes. No question of the sets in bench/relevance has more.
 */
const MEANT_MAX = 16;

/**
 * Adds words and phrases that mean something similar. What means the same as a known phrase is a
 * way of each of its words: "lampadaires" of "street" and of "lights".
 */
export function readMeanings({ units, language }: Draft): void {
  const meant = meantUnits(units);
  const words = meant.map(({ text }) => text);
  for (const [at, unit] of meant.entries()) {
    unit.ways.push(...waysOf([unit.text], language));
    for (const length of phrasesAt(words, at)) {
      const phrase = meant.slice(at, at + length);
      const isSplit = phrase.some((unit, n) =>
        n > 0 && unit.position - phrase[n - 1]!.position > GAP_MAX + 1
      );
      if (isSplit) continue;
      const ways = waysOf(phrase.map(({ text }) => text), language);
      for (const part of phrase) part.ways.push(...ways);
    }
  }
}

/** Returns the units that are no filler, and belong to no quotation, place or time. */
function meantUnits(units: readonly DraftUnit[]): DraftUnit[] {
  return units.filter(({ is_filler, is_literal, condition }) =>
    !is_filler && !is_literal && condition === undefined
  ).slice(0, MEANT_MAX);
}

/** Max number of stop words between the words of a phrase: "chambre de commerce". */
const GAP_MAX = 2;

/** Returns similar ways in the query's language, or in either if that one does not know the words. */
function waysOf(words: readonly string[], language: Draft["language"]): readonly Way[] {
  const similar = similarTo(words, language);
  return similar.length > 0 || language === undefined ? similar : similarTo(words);
}

/** Min number of letters in each part of a word that is split: "firealarm". */
const PART_LETTERS_MIN = 4;

/** Max number of letters of a word that is split: two words of 12 letters. */
const SPLIT_LETTERS_MAX = 24;

/** Adds the closed form of neighbouring words ("co working", "coworking"), if a record contains it. */
export function readCompounds(draft: Draft): void {
  const { units } = draft;
  for (let at = 1; at < units.length; at++) {
    const [left, right] = [units[at - 1]!, units[at]!];
    const closed = left.text + right.text;
    // "7 8" is not 78, but "100 000" is 100,000.
    if (/\d$/.test(left.text) && /^\d/.test(right.text) && !/^\d{3}$/.test(right.text)) continue;
    if (right.position !== left.position + 1 || draft.wordFrequency(closed) === 0) continue;
    for (const unit of [left, right]) unit.ways.push(wordWay("compound", [closed]));
  }
}

/** Returns the split of a word into indexed words whose rarer part is the most frequent. */
function partsOf(draft: Draft, word: string): [string, string] | undefined {
  let best: [string, string] | undefined;
  let bestFrequency = 0;
  for (let at = PART_LETTERS_MIN; at <= word.length - PART_LETTERS_MIN; at++) {
    const parts: [string, string] = [word.slice(0, at), word.slice(at)];
    const frequency = Math.min(...parts.map((part) => draft.wordFrequency(part)));
    if (frequency > bestFrequency) [best, bestFrequency] = [parts, frequency];
  }
  return best;
}

/**
 * Similarity of the best correction of a word, and that of each further one. No data has calibrated
 * them yet.
 */
const CORRECTED = 0.9;
const FURTHER = 0.8;

/**
 * Adds corrections to words that no record contains in any way, with the words that are similar to
 * the first correction. A word without corrections becomes one unit for each of two words of the
 * index: "firealarm".
 */
export function readSpelling(draft: Draft): void {
  const meant = new Set(meantUnits(draft.units));
  draft.units = draft.units.flatMap((unit) => {
    const isFound = unit.ways.some(({ keys }) =>
      keys.some((key) => draft.index.frequency(key) > 0)
    );
    // "Lille" after "à" is no misspelled "ville".
    const isPlace = /^\p{Lu}/u.test(draft.text.cased.slice(unit.start)) &&
      isCued(draft, unit.start);
    const isName = isPlace || isAcronym(draft, unit);
    if (!meant.has(unit) || isFound || isName) return [unit];
    // "Piano" is no misspelling of "Plano", which is rarer.
    const corrections = draft.index.corrections(unit.folded)
      .filter((word) => isAsFrequent(word, unit.text));
    if (corrections.length === 0) return split(draft, unit);
    draft.corrected = true;
    if (isFiller(corrections[0]!, unit.position)) unit.is_filler = true;
    corrections.forEach((word, place) => {
      unit.ways.push(wordWay("spelling", [word], place === 0 ? CORRECTED : FURTHER));
    });
    for (const way of waysOf([corrections[0]!], draft.language)) {
      unit.ways.push({ ...way, similarity: way.similarity * CORRECTED });
    }
    return [unit];
  });
}

/** Returns a unit for each part of a compound. A word with similar words is none. */
function split(draft: Draft, unit: DraftUnit): DraftUnit[] {
  const isWord = unit.text.length > SPLIT_LETTERS_MAX || similarTo([unit.text]).length > 0;
  const parts = isWord ? undefined : partsOf(draft, unit.text);
  if (parts === undefined) return [unit];
  return parts.map((part) => ({ ...unit, ways: [...unit.ways, wordWay("compound", [part])] }));
}

/** Returns whether a word is written in capitals, unlike the others. "SUPN" is no misspelled "sun". */
function isAcronym({ text, units }: Draft, { start, end }: DraftUnit): boolean {
  return /^\p{Lu}{2,5}$/u.test(text.cased.slice(start, end)) &&
    (units.length === 1 || /\p{Ll}/u.test(text.cased));
}

/** Pattern of the text between two operands: a comma or conjunction, and small words. */
const BETWEEN =
  /^\s*(?:,|[,/]?\s*(?:and|or|and\/or|et|ou|et\/ou)|\/)\s*(?:(?:of|for|the|an?|d[eu]s?|les?|la|l|un|une|pour|en|aux?)[\s']+){0,2}$/i;
const CONJUNCTION = /and|or|et|ou|\//i;
/** Pattern of the text between two words of an operand. */
const INSIDE = /^[\s'&-]*$/;

/**
 * Lets each word of an operand of "and" or "or" be met by its counterpart in the other operands as
 * well. Companies that do both are rare, and whoever asks for "museums and theatres" wants those that
 * are either. In "work boots and safety footwear", the heads are counterparts, and so are "work" and
 * "safety", which alone meet no head.
 *
 * Only neighbouring words belong to an operand: "design and construction of schools" is a choice of
 * design or construction.
 */
export function readChoices(draft: Draft): void {
  // The head of an English operand is its last word, and that of a French one its first.
  const isFrench = draft.language === "fr";
  for (const written of choicesOf(draft)) {
    const operands = isFrench ? written.toReversed() : written.map((one) => one.toReversed());
    const ways = operands.map((operand) => operand.map((unit) => unit.ways));
    operands.forEach((operand, at) =>
      operand.forEach((unit, place) => {
        // The first operand may share its words with the others: "SAP implementation or support".
        const counterparts = ways.toSpliced(at, 1)
          .flatMap((words) => words[place] ?? (at === 0 ? [] : words[0]!));
        unit.ways = [...unit.ways, ...counterparts];
      })
    );
  }
}

function choicesOf({ units, text }: Draft): DraftUnit[][][] {
  const chains: { operands: DraftUnit[][]; isCoordinated: boolean }[] = [];
  let last: DraftUnit | undefined;
  for (const unit of units) {
    // "clinics hiring nurses": what the clinics do is no operand.
    if (unit.is_filler || unit.condition !== undefined || unit.ways.some(isCertainKind)) {
      last = undefined;
      continue;
    }
    const between = last && text.cased.slice(last.end, unit.start);
    if (between !== undefined && INSIDE.test(between)) chains.at(-1)!.operands.at(-1)!.push(unit);
    else if (between !== undefined && BETWEEN.test(between)) {
      const chain = chains.at(-1)!;
      chain.operands.push([unit]);
      chain.isCoordinated ||= CONJUNCTION.test(between);
    } else chains.push({ operands: [[unit]], isCoordinated: false });
    last = unit;
  }
  return chains.filter(({ isCoordinated }) => isCoordinated).map(({ operands }) => operands);
}
