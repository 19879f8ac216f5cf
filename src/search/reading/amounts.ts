/** Amounts of money: "$10 million", "10 M$", "at least 20M", "entre 5 et 10 millions de dollars". */
import { type Passage, type Reading } from "./passages.ts";
import type { AskedAmount } from "./question.ts";

const MAGNITUDES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  mille: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mio: 1e6,
  mil: 1e6,
  million: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  billions: 1e9,
  md: 1e9,
  milliard: 1e9,
  milliards: 1e9,
};
const MAGNITUDE = Object.keys(MAGNITUDES).sort((a, b) => b.length - a.length).join("|");
const CURRENCY = "(?:us|ca|c)?\\$|€|£|usd|cad|eur|gbp|dollars?|euros?|pounds?|bucks";
/** Numbers in words that people write before a magnitude. */
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  "a quarter of a": 0.25,
  "quarter of a": 0.25,
  "half an?": 0.5,
  "an?": 1,
  one: 1,
  "une?": 1,
  "un demi": 0.5,
  two: 2,
  deux: 2,
  three: 3,
  trois: 3,
  four: 4,
  quatre: 4,
  five: 5,
  cinq: 5,
  six: 6,
  seven: 7,
  sept: 7,
  eight: 8,
  huit: 8,
  nine: 9,
  neuf: 9,
  ten: 10,
  dix: 10,
  twelve: 12,
  douze: 12,
  fifteen: 15,
  quinze: 15,
  twenty: 20,
  vingt: 20,
  thirty: 30,
  trente: 30,
  forty: 40,
  quarante: 40,
  fifty: 50,
  cinquante: 50,
  "(?:an? |one )?hundred": 100,
  cent: 100,
};
const IN_WORDS = Object.entries(NUMBER_WORDS)
  .map(([pattern, value]) => ({ pattern: new RegExp(`^(?:${pattern})$`), value }));
const NUMBER = "\\d{1,3}(?:[ ,]\\d{3})+|\\d{1,12}(?:[.,]\\d{1,2})?|" +
  `(?:${Object.keys(NUMBER_WORDS).sort((a, b) => b.length - a.length).join("|")})` +
  // Words are numbers before a magnitude only, and before the second part of a range.
  "(?=[ -](?:[a-z]+ )?(?:(?:and|to|or|et|a|ou) [a-z]+ )?" +
  "(?:thousand|mille|millions?|billions?|milliards?)(?![a-z]))";
/** Groups: currency before, number, magnitude, currency behind. */
const MONEY =
  `(${CURRENCY})? ?(?<![\\p{L}\\p{N}.,])(${NUMBER})[ -]?(?:(${MAGNITUDE})(?![\\p{L}\\p{N}]))?` +
  `(?: ?(?:de |of |d')?(${CURRENCY}))?(?![\\p{L}\\p{N}])`;

const AT_LEAST = "at least|minimum(?: of)?|min|no(?:t)? less than|upwards? of|from|starting at|" +
  "au moins|au minimum|minimum de|a partir de|des|pas moins de";
const AT_MOST = "at most|maximum(?: of)?|max|up to|no(?:t)? more than|within|" +
  "au plus|au maximum|maximum de|jusqu'a|pas plus de?";
const MORE =
  "more than|greater than|larger than|bigger than|higher than|exceed(?:s|ed|ing)?|over|" +
  "above|north of|beyond|in excess of|plus de?|superieur(?:e|es|s)? a|depass(?:e|ent|ant)|excedant";
const LESS = "less than|fewer than|smaller than|lower than|under|below|south of|moins de?|" +
  "inferieur(?:e|es|s)? a|sous|en dessous de";
const EXACT = "exactly|precisely|exactement|precisement";
const ABOUT = "about|around|approximately|roughly|circa|environ|autour de|pres de|nearly|almost";
const EDGE = "(?<![\\p{L}\\p{N}])";

const BETWEEN = new RegExp(
  `${EDGE}(?:(?:between|from|entre|de) )?${MONEY} ?(?:and|to|et|a|-|–) ?${MONEY}`,
  "gu",
);
const BOUNDED = new RegExp(
  `${EDGE}(?:(${AT_LEAST})|(${AT_MOST})|(${MORE})|(${LESS})|(${EXACT})|(?:${ABOUT}))[ ']${MONEY}`,
  "gu",
);
const OPEN = new RegExp(
  `${MONEY}(?:( ?\\+| (?:or|and) (?:more|above|over|up)| (?:ou|et) plus)|( (?:or|and) (?:less|under|below)| (?:ou|et) moins))`,
  "gu",
);
const ALONE = new RegExp(MONEY, "gu");

type Groups = Passage["groups"];

/** Characters that each pattern needs: most queries have none. */
const MAY_BE_AMOUNT = /\d|thousand|mille|million|billion|milliard/;

/** Share by which a record's amount may differ from an amount that is named without a bound. */
const TOLERANCE = 0.1;
/** Bounds include their amount: what is more than an amount begins a cent above it. */
const CENT = 0.01;

/**
 * Reads the amount that a query asks for and drops its words. A number counts only with a currency
 * or a magnitude. "M" alone is no amount behind a number that a word follows without one: "3 m".
 */
export function readAmount(reading: Reading): AskedAmount | null {
  if (!MAY_BE_AMOUNT.test(reading.rest)) return null;
  const amounts: AskedAmount[] = [];
  const add = (pattern: RegExp, read: (groups: Groups) => AskedAmount | null) => {
    for (const passage of reading.find(pattern)) {
      const amount = read(passage.groups);
      if (amount === null) continue;
      reading.drop(passage);
      amounts.push(amount);
    }
  };
  add(BETWEEN, betweenOf);
  add(BOUNDED, boundedOf);
  add(OPEN, (groups) => {
    const value = valueOf(groups);
    if (value === null) return null;
    return groups[4] !== undefined ? { min: value, max: null } : { min: null, max: value };
  });
  add(ALONE, (groups) => {
    const value = valueOf(groups);
    return value === null ? null : aroundOf(value);
  });
  return amounts.length === 0 ? null : {
    min: amounts.find(({ min }) => min !== null)?.min ?? null,
    max: amounts.find(({ max }) => max !== null)?.max ?? null,
  };
}

function boundedOf([atLeast, atMost, more, less, exact, ...money]: Groups): AskedAmount | null {
  const value = valueOf(money);
  if (value === null) return null;
  if (atLeast !== undefined) return { min: value, max: null };
  if (atMost !== undefined) return { min: null, max: value };
  if (more !== undefined) return { min: value + CENT, max: null };
  if (less !== undefined) return { min: null, max: value - CENT };
  return exact !== undefined ? { min: value, max: value } : aroundOf(value);
}

function betweenOf(groups: Groups): AskedAmount | null {
  const [first, second] = [groups.slice(0, 4), groups.slice(4, 8)];
  // "Between 5 and 10 million": the magnitude and the currency of the second hold for both.
  if (second[2] !== undefined) first[2] ??= second[2];
  const isMoney = [...first.slice(2), ...second.slice(2), first[0], second[0]]
    .some((part) => part !== undefined);
  if (!isMoney) return null;
  const [one, two] = [plainValueOf(first), plainValueOf(second)];
  return { min: Math.min(one, two), max: Math.max(one, two) };
}

function aroundOf(value: number): AskedAmount {
  return { min: value * (1 - TOLERANCE), max: value * (1 + TOLERANCE) };
}

/** Returns nothing for a number that is no money: without a currency and a magnitude. */
function valueOf(groups: Groups): number | null {
  const [before, , magnitude, behind] = groups;
  return before === undefined && magnitude === undefined && behind === undefined
    ? null
    : plainValueOf(groups);
}

function plainValueOf([, digits, magnitude]: Groups): number {
  const isGrouped = /^\d{1,3}(?:[ ,]\d{3})+$/.test(digits!);
  const value = IN_WORDS.find(({ pattern }) => pattern.test(digits!))?.value ??
    Number(isGrouped ? digits!.replace(/[ ,]/g, "") : digits!.replace(",", "."));
  return value * (magnitude === undefined ? 1 : MAGNITUDES[magnitude]!);
}
