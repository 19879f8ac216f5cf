/** Collects what readers find in a query. Readers add ways, conditions and exclusions. */
import { fold, type Language, stem } from "../words/stems.ts";
import { phrasesAt } from "../words/similar.ts";
import { keyOf, keysOf } from "../words/terms.ts";
import { isContent, isStopWord, languageOf, wordsOf, writtenForm } from "../words/tokens.ts";
import type { Condition, Exclusion, IndexedWords, Question, Unit, Way } from "./question.ts";
import { UNITS_MAX, WAYS_MAX } from "./question.ts";
import { overlaps, plainQuery, QueryText, type Span } from "./query_text.ts";

/** A unit with the span of its word in the query. */
export interface DraftUnit extends Unit, Span {
  /** The word without accents. */
  folded: string;
  /** Position of the word among all words of the query, which tells neighbours. */
  position: number;
  /** True if the word means only itself, because it is quoted or a part of a hostname. */
  is_literal: boolean;
}

/** Max number of exclusions, and of quoted phrases. */
export const PARTS_MAX = 8;

/** Share that a word is worth without what belongs to it: of a hostname, a name or a compound. */
const PART_OF_NAME = 0.3;

/** Max number of code units of a query that are read. The contract admits 500 characters. */
const QUERY_LENGTH = 1000;

export class Draft {
  readonly query: string;
  readonly text: QueryText;
  /** Language of the query; undefined if none of its words tells it. */
  readonly language: Language | undefined;
  units: DraftUnit[];
  readonly conditions: Condition[] = [];
  readonly excluded: Exclusion[] = [];
  readonly phrases: number[][][] = [];
  corrected = false;

  constructor(query: string, readonly now: Date, readonly index: IndexedWords) {
    this.query = plainQuery(query).slice(0, QUERY_LENGTH);
    this.text = new QueryText(this.query);
    const words = wordsOf(this.query);
    const isEnglish = words.some(({ folded }) =>
      isStopWord(folded, "en") && !isStopWord(folded, "fr")
    );
    const language = languageOf(words);
    this.language = language === "fr" || isEnglish ? language : undefined;
    this.units = unitsOf(this, words);
  }

  /** Returns the units that overlap one of the spans. */
  unitsIn(...spans: readonly Span[]): DraftUnit[] {
    return this.units.filter((unit) => spans.some((span) => overlaps(unit, span)));
  }

  /** Returns the number of records that contain a term. */
  frequency(term: string): number {
    return this.index.frequency(keyOf(term));
  }

  /** Returns the number of records that contain a word in a text of the language with more of them. */
  wordFrequency(word: string): number {
    return Math.max(...keysOf([word]).map((key) => this.index.frequency(key)));
  }

  addWay(way: Way, ...spans: readonly Span[]): void {
    for (const unit of this.unitsIn(...spans)) unit.ways.push(way);
  }

  /** Adds a condition. The units of its spans belong to it, unless another condition has them. */
  addCondition(condition: Condition, ...spans: readonly Span[]): void {
    const place = this.conditions.push(condition) - 1;
    for (const unit of this.unitsIn(...spans)) unit.condition ??= place;
  }

  /** Lowers the value of the words of a span. Whoever names a company asks for no other one. */
  weaken(span: Span): void {
    for (const { ways } of this.unitsIn(span)) {
      for (const [at, one] of ways.entries()) ways[at] = { ...one, similarity: PART_OF_NAME };
    }
  }

  /** Marks the units of spans as filler or literal. */
  mark(as: "is_filler" | "is_literal", ...spans: readonly Span[]): void {
    for (const unit of this.unitsIn(...spans)) unit[as] = true;
  }

  /** Adds an exclusion. The units of its span stand only in the exclusion. */
  exclude(exclusion: Exclusion, span: Span): void {
    if (this.excluded.length < PARTS_MAX) this.excluded.push(exclusion);
    this.text.take(span);
    this.units = this.units.filter((unit) => !overlaps(unit, span));
  }

  finish(): Question {
    const { query, conditions, excluded, phrases, corrected } = this;
    const units = this.units.slice(0, UNITS_MAX)
      .map(({ text, is_filler, ways, condition }) => ({
        text,
        is_filler,
        ways: bestWays(ways),
        ...condition === undefined ? {} : { condition },
      }));
    return { query, units, conditions, excluded, phrases, corrected };
  }
}

/**
 * Pattern of a prefix that may be a part of the next word: a letter, as in "e commerce", but not the
 * "E" of "series E", or a short word with a hyphen, as in "on-line".
 */
const PREFIX =
  /(?<![\p{L}\p{N}&.'’-]|(?:series?|vitamine?|hepatit(?:is|e)|building|class|type|grade|group|level) )(?:([b-df-hj-np-xz]) |(e) |(\p{L}{2,3})-)$/iu;

function unitsOf(
  { query, language = "en", index }: Draft,
  words: ReturnType<typeof wordsOf>,
): DraftUnit[] {
  return words.flatMap((word, position, all) => {
    const next = all[position + 1];
    // "It support" is a phrase of the tables, and "it is" is none.
    const isPhrase = word.folded === "it" && next !== undefined && language === "en" &&
      phrasesAt([word.text, next.text], 0).length > 0;
    if (!isContent(word, language) && !isPhrase) return [];
    const { folded, start, end } = word;
    const text = writtenForm(word);
    const ways = [wordWay("words", [text])];
    // "E commerce" is "ecommerce" and not "commerce". Other compounds have to be in a record.
    const [, letter, e, short] = PREFIX.exec(query.slice(0, start)) ?? [];
    const closed = wordWay("compound", [fold(letter ?? e ?? short ?? "") + text]);
    if (e || (letter ?? short) && closed.keys.some((key) => index.frequency(key) > 0)) {
      ways[0] = { ...ways[0]!, similarity: PART_OF_NAME };
      ways.push(closed);
    }
    // So does a short word before a hyphen: "co-working" is no "co".
    if (text.length <= 3 && /^-\p{L}/u.test(query.slice(end))) {
      ways[0] = { ...ways[0]!, similarity: PART_OF_NAME };
    }
    return [{ text, folded, position, start, end, is_filler: false, is_literal: false, ways }];
  });
}

/** Returns the way of neighbouring words that may stand in a text of either language. */
export function wordWay(origin: Way["origin"], words: readonly string[], similarity = 1): Way {
  return { origin, text: words.join(" "), keys: keysOf(words), similarity };
}

/** Returns the way of an index term of a fact, such as "region:US-TX". */
export function factWay(origin: Way["origin"], terms: readonly string[], similarity = 1): Way {
  return { origin, text: terms.join(" "), keys: terms.map(keyOf), similarity };
}

/**
 * Returns at most WAYS_MAX ways: those that readers have found in the query, then similar words with
 * the highest similarity. Of ways with the same keys, the one with the highest similarity stays.
 */
function bestWays(ways: readonly Way[]): Way[] {
  const distinct = new Map<string, Way>();
  for (const way of ways) {
    const name = way.keys.join(" ");
    const known = distinct.get(name);
    if (known === undefined || known.similarity < way.similarity) distinct.set(name, way);
  }
  const isTable = ({ origin }: Way) => origin === "written" || origin === "learned";
  return [...distinct.values()].sort((a, b) =>
    Number(isTable(a)) - Number(isTable(b)) || (isTable(a) ? b.similarity - a.similarity : 0)
  ).slice(0, WAYS_MAX);
}

/** Tells whether two words have the same stem in a language. */
export function isSameWord(one: string, next: string): boolean {
  return stem(one, "en") === stem(next, "en") || stem(one, "fr") === stem(next, "fr");
}
