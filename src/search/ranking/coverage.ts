/**
 * Measures how much of a question's subject a record covers: its content words, weighted by rarity.
 */
import { LANGUAGES } from "../engine/words.ts";
import { sectorMask } from "../index/document.ts";
import { HeldWords, type Wording } from "../index/held_words.ts";
import type { ObservationIndex } from "../index/observation_index.ts";
import { isGeneric } from "../reading/filler.ts";
import type { Question } from "../reading/question.ts";

/** A content word with its weight. */
interface WeighedWord {
  text: string;
  weight: number;
  /** True if a planner added the word. */
  isAdded: boolean;
  wording: Wording;
}

/** A synonym or related term of some of the words. */
interface Form {
  /** Indexes of the words that the form replaces. `to` is exclusive. */
  from: number;
  to: number;
  weight: number;
  /** Words of the form. They count fully only if they are side by side in a record. */
  words: readonly string[];
  wording: Wording;
}

/** Indexes of words that together are a term of a trade. `to` is exclusive. */
interface Span {
  from: number;
  to: number;
}

/** Factor on the weight of a word that fits any trade. */
const GENERIC_PART = 0.4;

/** Factor on the weight of a word of a term if the record does not contain the whole term. */
const TERM_PART = 0.5;

/** Factor on the weight of a form of several words that are not side by side in the record. */
const SCATTERED_PART = 0.5;

/** Factor on the weight of a word that only states the purpose of the subject (see question.ts). */
const PURPOSE_PART = 0.4;

/** A facet that stands for some of the words. */
interface StandIn {
  facets: Wording;
  sectors: number;
  words: readonly number[];
}

/**
 * Measures the share of a question's weight that a record covers. The weight of a word is its
 * inverse document frequency, so a word that no record contains weighs most.
 */
export class Coverage {
  readonly #index: ObservationIndex;
  readonly #held = new HeldWords();
  readonly #words: WeighedWord[];
  readonly #forms: Form[];
  readonly #standIns: StandIn[];
  readonly #terms: readonly Span[];
  readonly #choices: Question["choices"];
  readonly #sum: number;
  /** Share of each word that the current observation meets. */
  readonly #met: Float64Array;

  constructor(index: ObservationIndex, question: Question) {
    this.#index = index;
    this.#words = question.words.map(({ text, added = false, is_purpose = false }, place) => ({
      text,
      weight: (isGeneric(text) ? GENERIC_PART : 1) * (is_purpose ? PURPOSE_PART : 1) * Math.min(
        rarity(index, frequencyOf(index, question, place)),
        ceilingOf(index, question, place),
      ),
      isAdded: added,
      wording: this.#held.add([text], LANGUAGES),
    }));
    this.#met = new Float64Array(this.#words.length);
    const written = this.#words.filter(({ isAdded }) => !isAdded);
    this.#sum = sumOf(written, ({ weight }) => weight);
    // The weight of a planner's word is at most the mean, because a rare word could outweigh the
    // whole query.
    const mean = this.#sum / written.length;
    for (const word of this.#words) if (word.isAdded) word.weight = Math.min(word.weight, mean);
    this.#forms = question.alternatives.flatMap(({ from, to, forms }) =>
      forms.map(({ words, weight, languages }) => ({
        from,
        to,
        weight,
        words,
        wording: this.#held.add(words, languages),
      }))
    );
    this.#terms = question.alternatives.filter(({ from, to }) => to - from > 1);
    this.#choices = question.choices;
    this.#standIns = question.facets.filter(({ words }) => words.length > 0)
      .map(({ any, sectors, words }) => ({
        facets: this.#held.addFacets(any),
        sectors: sectorMask(sectors),
        words,
      }));
  }

  /**
   * Number of content words that a record should cover, without those that a planner added. A term
   * of several words counts once, and so does a choice.
   */
  get size(): number {
    const words = this.#words.filter(({ isAdded }) => !isAdded).length;
    const inTerms = sumOf(this.#terms, ({ from, to }) => to - from - 1);
    const inChoices = sumOf(this.#choices, ({ operands }) => operands.length - 1);
    return Math.max(1, words - inTerms - inChoices);
  }

  /** Share of the question's weight for which facets or sectors stand. */
  get standInShare(): number {
    const words = new Set(this.#standIns.flatMap(({ words }) => words));
    if (this.#sum === 0) return 0;
    return Math.min(1, sumOf([...words], (word) => this.#words[word]!.weight) / this.#sum);
  }

  /**
   * Returns words of which a record must contain at least one to reach a share; null if a record
   * can reach it without any word. All other words together are below the share, even with their
   * facets and sectors.
   */
  wordsNeeded(share: number): string[] | null {
    if (this.#sum === 0) return null;
    const replaced = new Set(this.#standIns.flatMap(({ words }) => words));
    const chosen = this.#choices.map(({ operands }) => operands.flat());
    const alone = this.#words.keys().filter((word) => !chosen.some((all) => all.includes(word)));
    // One word of a choice can make up for all words of the choice. So can a facet or sector that
    // stands for one of them.
    const units = [...chosen, ...alone.map((word) => [word])];
    const weightOf = (words: number[]) => sumOf(words, (word) => this.#words[word]!.weight);
    const isReplaced = (words: number[]) => words.some((word) => replaced.has(word));
    const minWeight = share * this.#sum * (1 - 1e-9);
    let without = sumOf(units.filter(isReplaced), weightOf);
    if (without >= minWeight) return null;
    const needed = units.filter((words) => !isReplaced(words))
      .sort((a, b) => weightOf(a) - weightOf(b))
      .filter((words) => (without += weightOf(words)) >= minWeight);
    return [...new Set(needed.flat().flatMap((word) => this.#expressionsOf(word)))];
  }

  /** Returns a word, and the rarest word of each form that may replace it. */
  #expressionsOf(word: number): string[] {
    const forms = this.#forms.filter(({ from, to }) => from <= word && word < to);
    return [this.#words[word]!.text, ...forms.map(({ words }) => this.#rarestOf(words))];
  }

  #rarestOf(words: readonly string[]): string {
    return words.reduce((rarest, word) =>
      this.#index.wordFrequency(word) < this.#index.wordFrequency(rarest) ? word : rarest
    );
  }

  /** Returns shares from 0 to 1: by words alone, and by words, facets and sectors together. */
  of(observationId: number): { words: number; all: number } {
    if (this.#sum === 0) return { words: 1, all: 1 };
    this.#held.read(this.#index, observationId);
    const met = this.#met;
    for (let word = 0; word < met.length; word++) {
      met[word] = this.#held.has(this.#words[word]!.wording) ? 1 : 0;
    }
    const scattered = this.#forms.filter((form) => this.#meetForm(observationId, form));
    for (const term of this.#terms) this.#meetTerm(term);
    for (const form of scattered) this.#meetScattered(form);
    this.#meetChoices();
    const words = this.#share();
    if (this.#standIns.length === 0) return { words, all: words };
    this.#meetStandIns(observationId);
    this.#meetChoices();
    return { words, all: this.#share() };
  }

  /**
   * Marks the words that a form replaces as met.
   *
   * @returns whether the record contains the words of the form, but not side by side
   */
  #meetForm(observationId: number, { from, to, weight, words, wording }: Form): boolean {
    const met = this.#met;
    let isMet = true;
    for (let word = from; word < to; word++) isMet &&= met[word]! >= weight;
    if (isMet || !this.#held.has(wording)) return false;
    const isTogether = words.length === 1 || this.#index.phraseHeld(observationId, words);
    if (!isTogether) return true;
    for (let word = from; word < to; word++) met[word] = Math.max(met[word]!, weight);
    return false;
  }

  /**
   * Marks the words of a span as met by a scattered form, if the form counts more than the words of
   * the span in the record. The two do not add up: a text with "security" and "services" need not
   * be about security guards.
   */
  #meetScattered({ from, to, weight }: Form): void {
    const met = this.#met;
    const part = SCATTERED_PART * weight;
    let held = 0;
    let whole = 0;
    for (let word = from; word < to; word++) {
      held += met[word]! * this.#words[word]!.weight;
      whole += this.#words[word]!.weight;
    }
    if (held < part * whole) met.fill(part, from, to);
  }

  /**
   * Lowers the shares of a term's words if the record lacks one of them: a security deposit is no
   * security camera.
   */
  #meetTerm({ from, to }: Span): void {
    const met = this.#met;
    let held = 0;
    for (let word = from; word < to; word++) if (met[word]! > 0) held++;
    if (held === to - from) return;
    for (let word = from; word < to; word++) met[word]! *= TERM_PART;
  }

  /** Raises all words of a choice to the share of its best operand. */
  #meetChoices(): void {
    const met = this.#met;
    for (const { operands } of this.#choices) {
      const best = operands.reduce((best, words) => {
        const sum = sumOf(words, (word) => this.#words[word]!.weight);
        const part = sumOf(words, (word) => met[word]! * this.#words[word]!.weight);
        return sum === 0 ? best : Math.max(best, part / sum);
      }, 0);
      for (const word of operands.flat()) met[word] = Math.max(met[word]!, best);
    }
  }

  #share(): number {
    let sum = 0;
    for (let word = 0; word < this.#met.length; word++) {
      sum += this.#met[word]! * this.#words[word]!.weight;
    }
    return Math.min(1, sum / this.#sum);
  }

  #meetStandIns(observationId: number): void {
    for (const { facets, sectors, words } of this.#standIns) {
      const isMet = this.#held.has(facets) ||
        (sectors !== 0 && (this.#index.sectorsOf(observationId) & sectors) !== 0);
      if (!isMet) continue;
      for (const word of words) this.#met[word] = 1;
    }
  }
}

/** Returns the inverse document frequency of a term that `frequency` records contain. */
function rarity(index: ObservationIndex, frequency: number): number {
  return Math.log(1 + (index.size - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Returns the number of records that contain a word, or one of its single-word alternatives if that
 * number is higher.
 */
function frequencyOf(
  index: ObservationIndex,
  { words, alternatives }: Question,
  word: number,
): number {
  const forms = alternatives.filter(({ from, to }) => from <= word && word < to)
    .flatMap(({ forms }) => forms.filter(({ words }) => words.length === 1));
  const texts = [words[word]!.text, ...forms.map(({ words }) => words[0]!)];
  // A word may count twice for a record, once for each language.
  return Math.min(index.size, Math.max(...texts.map((text) => index.wordFrequency(text))));
}

/** Weight of a word for which a sector stands. A sector contains about a tenth of all companies. */
const SECTOR_WEIGHT = 2;

/**
 * Returns the max weight of a word: the weight of a facet or sector that stands for the word, or
 * else infinity.
 */
function ceilingOf(index: ObservationIndex, { facets }: Question, word: number): number {
  const standIns = facets.filter(({ words }) => words.includes(word));
  return Math.min(
    ...standIns.map(({ any, sectors }) =>
      sectors.length > 0
        ? SECTOR_WEIGHT
        : rarity(index, Math.min(index.size, sumOf(any, (term) => index.facetFrequency(term))))
    ),
  );
}

function sumOf<Value>(values: readonly Value[], numberOf: (value: Value) => number): number {
  return values.reduce((sum, value) => sum + numberOf(value), 0);
}
