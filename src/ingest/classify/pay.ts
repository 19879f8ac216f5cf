/** Reads the pay in a job posting. */
import type { Facets } from "../../contract/facets.ts";
import type { Country } from "../../contract/vocabulary.ts";

/** Pay per period, in the form of the facet. */
export type Pay = NonNullable<NonNullable<Facets["employment"]>["pay"]>;
type PayPeriod = Pay["period"];

/** Currency that employers of a country mean by "$". */
const CURRENCY_OF: Readonly<Record<Country, string>> = { CA: "CAD", US: "USD" };

/** Bounds of pay per period. An amount beyond them is a bonus, a typing error or a sum of sales. */
const BOUNDS: Readonly<Record<PayPeriod, readonly [min: number, max: number]>> = {
  hour: [7, 1_000],
  day: [50, 10_000],
  week: [200, 50_000],
  month: [1_000, 200_000],
  year: [10_000, 5_000_000],
};

const PERIODS: readonly [PayPeriod, RegExp][] = [
  ["hour", /\b(?:hour|hourly|hr|hrs|heure|horaire)\b/i],
  [
    "year",
    /\b(?:year|yearly|yr|annum|annual|annually|annualized|annuel|annuelle|par an|salary)\b/i,
  ],
  ["month", /\b(?:month|monthly|mensuel)\b/i],
  ["week", /\b(?:week|weekly|hebdomadaire)\b/i],
  ["day", /\b(?:day|daily|per diem)\b/i],
];

/**
 * Returns the period that is named by words such as "per-year-salary", "1 HOUR" or "Annual Salary".
 */
export function periodOfWords(words: string): PayPeriod | undefined {
  // "Biweekly" and "semi-monthly" are not among the periods.
  if (/\b(?:bi|semi|[2-9])[- ]?(?:week|month)|\b[2-9] \w/i.test(words)) return undefined;
  return PERIODS.find(([, pattern]) => pattern.test(words))?.[0];
}

/**
 * Checks pay. Returns undefined if a figure is missing, contradictory, or beyond the bounds of its
 * period.
 */
export function validPay(pay: {
  min?: number | null;
  max?: number | null;
  currency: string;
  period: PayPeriod | undefined;
}): Pay | undefined {
  const low = pay.min ?? pay.max;
  const high = pay.max ?? pay.min;
  if (low == null || high == null || low > high || !/^[A-Z]{3}$/.test(pay.currency)) {
    return undefined;
  }
  const period = pay.period ?? periodOfAmount(low);
  if (period === undefined) return undefined;
  const [lowest, highest] = BOUNDS[period];
  if (low < lowest || high > highest) return undefined;
  return {
    ...pay.min == null ? {} : { min: pay.min },
    ...pay.max == null ? {} : { max: pay.max },
    currency: pay.currency,
    period,
  };
}

/** Returns the only period for which an amount is plausible, or undefined if there are several. */
function periodOfAmount(amount: number): PayPeriod | undefined {
  return amount >= 25_000 ? "year" : amount < 150 ? "hour" : undefined;
}

/**
 * Returns the pay of an opening in a country, from the lowest to the highest figure in the
 * country's currency. The pay of a posting for only one country may be in another currency, if it
 * is the only currency. Figures count only if they have the period of the first one.
 */
export function payIn(
  country: Country,
  pays: readonly Pay[],
  { isOnlyCountry }: { isOnlyCountry: boolean },
): Pay | undefined {
  const currencies = new Set(pays.map(({ currency }) => currency));
  const currency = currencies.has(CURRENCY_OF[country])
    ? CURRENCY_OF[country]
    : isOnlyCountry && currencies.size === 1
    ? [...currencies][0]!
    : undefined;
  const [first, ...more] = pays.filter((pay) => pay.currency === currency);
  const alike = more.filter(({ period }) => period === first?.period);
  const range = first && alike.reduce(spanOf, first);
  return range?.min == null && range?.max == null ? undefined : range;
}

/** Returns the range that covers two ranges. A side that is open in one of them stays open. */
function spanOf(first: Pay, second: Pay): Pay {
  const { currency, period } = first;
  const isOpenBelow = first.min == null || second.min == null;
  const isOpenAbove = first.max == null || second.max == null;
  return {
    ...isOpenBelow ? {} : { min: Math.min(first.min!, second.min!) },
    ...isOpenAbove ? {} : { max: Math.max(first.max!, second.max!) },
    currency,
    period,
  };
}

const NUMBER = String
  .raw`(\d{1,3}(?:[, \u00a0\u202f]\d{3}){1,3}(?:\.\d{1,2})?|\d{1,7}(?:\.\d{1,2})?)\s?([kK](?![\p{L}]))?`;
const SIGN = String.raw`(CA\$|C\$|CAD ?\$?|US\$|USD ?\$?|\$)`;
const UNIT = String.raw`(?:\s?(?:\/|per |an? )\s?(?:hour|hr|year|yr|month|week|day))?`;
/**
 * Matches "$60,000 - $97,000/year", "CA$120K to CA$150K", "$168,000—$240,000 USD" and
 * "120 000 $ à 150 000 $".
 */
const RANGE = new RegExp(
  String
    .raw`(?<![\p{L}\p{N}$€£.,])${SIGN}?\s?${NUMBER}\s?(?:\$|CAD|USD)?${UNIT}\s*(?:-|–|—|to|à|and)\s*` +
    String.raw`${SIGN}?\s?${NUMBER}(?![\p{L}\p{N}%]|\s?(?:[MB]\b|million|billion|M\$))` +
    String.raw`(?:\s?(\$(?: ?(?:CAD|USD|CA|US)\b)?|CAD\b|USD\b))?`,
  "gu",
);
/** Matches words for pay before a range. */
const PAY_WORDS =
  /\b(?:salary|salaries|pay|paid|compensation|base|wages?|hourly|rate|remuneration|salaire|remuneration|rémunération)\b/i;
/** Matches words for other amounts of money. A range after them in their sentence is not pay. */
const OTHER_MONEY =
  /\b(?:OTE|on[- ]target|bonus(?:es)? of|stipend|equity of|revenue|funding|raised|budget|quota|commission(?:s)? of|valuation|savings|insurance)\b/i;
/**
 * Number of characters before an amount in which a word for pay is looked for: about a sentence. It
 * is chosen, not measured.
 */
const CONTEXT_CHARACTERS = 160;

/**
 * Returns the pay that a text clearly states: one range per currency, after a word for pay. A bare
 * "$" means the currency of the country, if the country is known. A currency with several ranges
 * gives no pay.
 */
export function payOfText(text: string, country: Country | undefined): Pay[] {
  const byCurrency = new Map<string, Map<string, Pay>>();
  for (const match of text.matchAll(RANGE)) {
    const pay = payOfRange(match, { text, country });
    if (pay === undefined) continue;
    const pays = byCurrency.get(pay.currency) ?? new Map();
    byCurrency.set(pay.currency, pays.set(JSON.stringify(pay), pay));
  }
  return [...byCurrency.values()].flatMap((pays) => pays.size === 1 ? [...pays.values()] : []);
}

function payOfRange(
  match: RegExpExecArray,
  { text, country }: { text: string; country: Country | undefined },
): Pay | undefined {
  const [matched, sign = "", low, lowK, secondSign = "", high, highK, lastSign = ""] = match;
  const before = contextBefore(text, match.index);
  const after = text.slice(match.index + matched.length).split("\n", 1)[0]!.slice(0, 60);
  const sentence = before.split(/(?<=[.!?])\s|\n/).at(-1)!;
  if (!PAY_WORDS.test(before) || OTHER_MONEY.test(sentence)) return undefined;
  const currency = currencyOf([
    sign,
    secondSign,
    lastSign,
    matched,
    after.slice(0, 20).split(/[.;,]/)[0]!,
  ], country);
  if (currency === undefined) return undefined;
  const max = numberOf(high!, highK);
  const min = numberOf(
    low!,
    lowK ?? (highK !== undefined && Number(low) < 1_000 ? "k" : undefined),
  );
  const stated = periodOfWords(`${matched} ${after.slice(0, 25)}`);
  const period = stated ?? periodOfWords(before.slice(-80).replace(/\b(?:20\d\d|days?)\b/gi, ""));
  return validPay({ min, max, currency, period });
}

/** Returns the text before the range on its line, and the line above, which can be its heading. */
function contextBefore(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - CONTEXT_CHARACTERS), index);
  return before.split(/\n+/).slice(-2).join("\n");
}

function currencyOf(signs: readonly string[], country: Country | undefined): string | undefined {
  const all = signs.join(" ");
  const isCanadian = /CA\$|C\$|CAD|\$ ?CA\b/.test(all);
  const isAmerican = /US\$|USD|\$ ?US\b/.test(all);
  if (isCanadian !== isAmerican) return isCanadian ? "CAD" : "USD";
  if (isCanadian || !all.includes("$")) return undefined;
  return country === undefined ? undefined : CURRENCY_OF[country];
}

function numberOf(digits: string, thousands: string | undefined): number {
  return Number(digits.replace(/[, \u00a0\u202f]/g, "")) * (thousands === undefined ? 1 : 1_000);
}

/** Returns pay in words: "60,000 to 97,000 USD a year". */
export function payInWords({ min, max, currency, period }: Pay): string {
  const [low, high] = [min, max].map((value) => value == null ? "" : amountInWords(value));
  const range = low === ""
    ? `up to ${high}`
    : high === ""
    ? `from ${low}`
    : low === high
    ? low
    : `${low} to ${high}`;
  return `${range} ${currency} ${period === "hour" ? "an" : "a"} ${period}`;
}

function amountInWords(value: number): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : 2;
  return value.toLocaleString("en-CA", { minimumFractionDigits, maximumFractionDigits: 2 });
}
