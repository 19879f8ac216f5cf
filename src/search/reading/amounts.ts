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
const CURRENCY = "(?:us|ca|c)?\\$|usd|cad|dollars?|bucks";
const NUMBER = "\\d{1,3}(?:[ ,]\\d{3})+|\\d{1,12}(?:[.,]\\d{1,2})?";
/** Groups: currency before, number, magnitude, currency behind. */
const MONEY =
  `(${CURRENCY})? ?(?<![\\p{L}\\p{N}.,])(${NUMBER})[ -]?(?:(${MAGNITUDE})(?![\\p{L}\\p{N}]))?` +
  `(?: ?(?:de |of |d')?(${CURRENCY}))?(?![\\p{L}\\p{N}])`;

const AT_LEAST =
  "at least|minimum(?: of)?|min|no less than|more than|greater than|larger than|bigger than|" +
  "exceeding|over|above|upwards? of|north of|from|starting at|au moins|au minimum|minimum de|plus de|" +
  "superieur(?:e|es|s)? a|depassant|a partir de|des";
const AT_MOST =
  "at most|maximum(?: of)?|max|up to|no more than|not more than|less than|smaller than|" +
  "lower than|under|below|within|south of|au plus|au maximum|maximum de|moins de|inferieur(?:e|es|s)? a|" +
  "jusqu'a|sous";
const ABOUT = "about|around|approximately|roughly|circa|environ|autour de|pres de|nearly|almost";
const EDGE = "(?<![\\p{L}\\p{N}])";

const BETWEEN = new RegExp(
  `${EDGE}(?:(?:between|from|entre|de) )?${MONEY} ?(?:and|to|et|a|-|–) ?${MONEY}`,
  "gu",
);
const BOUNDED = new RegExp(
  `${EDGE}(?:(${AT_LEAST})|(${AT_MOST})|(${ABOUT})) (?:a |une? )?${MONEY}`,
  "gu",
);
const OPEN = new RegExp(
  `${MONEY}(?:( ?\\+| (?:or|and) (?:more|above|over|up)| (?:ou|et) plus)|( (?:or|and) (?:less|under|below)| (?:ou|et) moins))`,
  "gu",
);
const ALONE = new RegExp(MONEY, "gu");

type Groups = Passage["groups"];

/** Share by which a record's amount may differ from an amount that is named without a bound. */
const TOLERANCE = 0.1;

/**
 * Reads the amount that a query asks for and drops its words. A number counts only with a currency
 * or a magnitude. "M" alone is no amount behind a number that a word follows without one: "3 m".
 */
export function readAmount(reading: Reading): AskedAmount | null {
  if (!/\d/.test(reading.rest)) return null;
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
  add(BOUNDED, (groups) => {
    const value = valueOf(groups.slice(3));
    if (value === null) return null;
    if (groups[0] !== undefined) return { min: value, max: null };
    return groups[1] !== undefined ? { min: null, max: value } : aroundOf(value);
  });
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
  const value = Number(isGrouped ? digits!.replace(/[ ,]/g, "") : digits!.replace(",", "."));
  return value * (magnitude === undefined ? 1 : MAGNITUDES[magnitude]!);
}
