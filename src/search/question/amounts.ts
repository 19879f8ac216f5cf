/** Amounts of money: "$10 million", "at least 20M", "entre 5 et 10 millions de dollars". */
import { readPatterns } from "../facets/patterns.ts";
import table from "./amounts.tsv" with { type: "text" };
import { numberWords } from "./number_words.ts";
import type { Draft } from "./draft.ts";
import type { Passage, Span } from "./query_text.ts";

const MAGNITUDES = numberWords("magnitude");
const CURRENCY =
  "(?:us|ca|c)?\\$(?: (?:ca|can|us)(?![\\p{L}\\p{N}]))?|€|£|usd|cad|eur|gbp|(?:(?:us|u\\.s\\.|american|canadian) )?dollars?(?: (?:americains|canadiens|us)(?![\\p{L}\\p{N}]))?|euros?|pounds?|bucks";
const NUMBERS = numberWords("amount", "common");
const NUMBER = "\\d{1,3}(?:[ ,]\\d{3})+|\\d{1,12}(?:[.,]\\d{1,2})?|" + `(?:${NUMBERS.pattern})` +
  // Number words count only before a magnitude. Another word or a range may be in between.
  "(?=[ -](?:[a-z]+ )?(?:(?:and|to|or|et|a|ou) [a-z]+ )?" +
  "(?:thousand|mille|millions?|billions?|milliards?)(?![a-z]))";
/** Pattern of an amount. Groups: currency before, number, magnitude, currency after. */
const MONEY =
  `(?:(${CURRENCY}) ?|(?<![\\p{L}\\p{N}.,]))(${NUMBER})[ -]?(?:(${MAGNITUDES.pattern})(?![\\p{L}\\p{N}]))?` +
  `(?: ?(?:de |of |d')?(${CURRENCY}))?(?![\\p{L}\\p{N}])`;

const BOUNDS = readPatterns(table);
const boundOf = (name: string) => BOUNDS.get(name)!.join("|");
const EDGE = "(?<![\\p{L}\\p{N}])";

const BETWEEN = new RegExp(
  `${EDGE}(?:(?:between|from|entre|de) )?${MONEY} ?(?:and|to|et|a|-|–) ?${MONEY}`,
  "gu",
);
const BOUNDED = new RegExp(
  `${EDGE}(?:${
    ["at_least", "at_most", "more", "less", "exact"].map((name) => `(${boundOf(name)})`).join("|")
  }|(?:${boundOf("about")}))[ ']?${MONEY}`,
  "gu",
);
const OPEN_ENDED = new RegExp(
  `${MONEY}(?:( ?\\+| (?:or|and) (?:more|above|over|up)| (?:ou|et) plus)|( (?:or|and) (?:less|under|below)| (?:ou|et) moins))`,
  "gu",
);
const ALONE = new RegExp(MONEY, "gu");

/** Pattern of words with which "5M" is money. Without one, "4K video" and "3M" are none. */
const MONEY_WORDS =
  /(?<!\p{L})(?:rais|fund|financ|invest|round|lev[ea]|(?<!fort )worth|val(?:ue|eur)|budget|amount|montant)/u;

type Groups = Passage["groups"];

/** Pattern without which no amount matches. It spares most queries the long patterns. */
const MAY_BE_AMOUNT = /\d|thousand|mille|million|billion|milliard/;

/** Pattern of words for pay, which is no amount of a record. */
const PAY = /(?<!\p{L})(?:salar|paid|paying|wages?|hourly|remuner)/u;

/** Share by which the amount of a record may differ from a requested one that is not a bound. */
const TOLERANCE = 0.1;
/** Difference between "more than" and "at least", because bounds are inclusive. */
const CENT = 0.01;

/** Bounds of an amount, both inclusive. */
interface Bounds {
  min: number | null;
  max: number | null;
}

/** Reads the amount that a query asks for. A number counts only with a currency or a magnitude. */
export function readAmount(draft: Draft): void {
  const { text } = draft;
  const isPay = PAY.test(text.rest) && !MONEY_WORDS.test(text.rest);
  if (!MAY_BE_AMOUNT.test(text.rest) || isPay) return;
  const amounts: Bounds[] = [];
  const spans: Span[] = [];
  const add = (pattern: RegExp, read: (groups: Groups) => Bounds | null) => {
    for (const passage of text.find(pattern)) {
      const amount = read(passage.groups);
      if (amount === null) continue;
      text.take(passage);
      spans.push(passage);
      amounts.push(amount);
    }
  };
  add(BETWEEN, betweenOf);
  add(BOUNDED, boundedOf);
  add(OPEN_ENDED, (groups) => {
    const value = valueOf(groups);
    if (value === null) return null;
    return groups[4] !== undefined ? { min: value, max: null } : { min: null, max: value };
  });
  add(ALONE, (groups) => {
    const [before, , magnitude, after] = groups;
    const isLetter = (before ?? after) === undefined && magnitude !== undefined &&
      magnitude.length < 3;
    const value = isLetter && !MONEY_WORDS.test(text.rest) ? null : valueOf(groups);
    return value === null ? null : aroundOf(value);
  });
  if (amounts.length === 0) return;
  const min = amounts.find(({ min }) => min !== null)?.min ?? -Infinity;
  const max = amounts.find(({ max }) => max !== null)?.max ?? Infinity;
  draft.addCondition({ on: "amount", min, max }, ...spans);
}

function boundedOf([atLeast, atMost, more, less, exact, ...money]: Groups): Bounds | null {
  const value = valueOf(money);
  if (value === null) return null;
  if (atLeast !== undefined) return { min: value, max: null };
  if (atMost !== undefined) return { min: null, max: value };
  if (more !== undefined) return { min: value + CENT, max: null };
  if (less !== undefined) return { min: null, max: value - CENT };
  return exact !== undefined ? { min: value, max: value } : aroundOf(value);
}

function betweenOf(groups: Groups): Bounds | null {
  const [first, second] = [groups.slice(0, 4), groups.slice(4, 8)];
  // In "between 5 and 10 million", the magnitude of the second number applies to both.
  if (second[2] !== undefined && plainValueOf(first) < 1000) first[2] ??= second[2];
  const isMoney = [...first.slice(2), ...second.slice(2), first[0], second[0]]
    .some((part) => part !== undefined);
  if (!isMoney) return null;
  const [one, two] = [plainValueOf(first), plainValueOf(second)];
  return { min: Math.min(one, two), max: Math.max(one, two) };
}

function aroundOf(value: number): Bounds {
  return { min: value * (1 - TOLERANCE), max: value * (1 + TOLERANCE) };
}

/** Returns the value of an amount; null for a number with neither currency nor magnitude. */
function valueOf(groups: Groups): number | null {
  const [before, , magnitude, after] = groups;
  return before === undefined && magnitude === undefined && after === undefined
    ? null
    : plainValueOf(groups);
}

function plainValueOf([, digits, magnitude]: Groups): number {
  const isGrouped = /^\d{1,3}(?:[ ,]\d{3})+$/.test(digits!);
  const value = NUMBERS.valueOf(digits!) ??
    Number(isGrouped ? digits!.replace(/[ ,]/g, "") : digits!.replace(",", "."));
  return value * (magnitude === undefined ? 1 : MAGNITUDES.valueOf(magnitude)!);
}
