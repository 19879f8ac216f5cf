// Says which parts of a question a record meets, and which it leaves open. It compares the question
// with the record as it was delivered, and does not repeat the ranking of the service.
import { COUNTRIES, dateOf, kindLabel, sectorText } from "./words.js";

/**
 * A part of a question.
 * @typedef {object} Part
 * @property {string} text as it is written in the question
 * @property {number} at position of its first word
 * @property {boolean} isJoined true if only white space separates it from the word before
 * @property {"word" | "place" | "country" | "kind" | "year"} meaning
 * @property {string[]} [stems] beginnings of its words
 * @property {string} [wanted] country, kind or year that a record needs to have
 * @property {"=" | ">=" | "<"} [order] relation of a record's year to that of the question
 */

/** Words that say nothing about a record. */
const SMALL_WORDS = new Set(
  ("after and any are before been but can company companies business businesses firm firms find for from have " +
    "has into its looking need needs new now one our over show since some than that the their them they " +
    "this those until want wants was were what when where which who whose will with year years your " +
    "avant avec aux cherche cherchent dans depuis des entreprise entreprises est les leur leurs ont par pour " +
    "qui sont sur une").split(" "),
);

/** Words after which a question names what it does not want. Nothing is said about that. */
const NEGATIONS = new Set("no not without except excluding sans sauf pas".split(" "));

/** Words after which a name with a capital letter is a place. */
const BEFORE_PLACES = new Set("in near around at within à au aux en dans".split(" "));

const REGIONS =
  ("alberta|british columbia|manitoba|new brunswick|newfoundland|nova scotia|ontario|" +
    "prince edward island|quebec|saskatchewan|yukon|nunavut|alabama|alaska|arizona|arkansas|" +
    "california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|" +
    "kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|" +
    "missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|" +
    "north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|" +
    "south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|" +
    "wyoming").split("|");

const COUNTRY_NAMES = {
  CA: ["canada", "canadian", "canadien", "canadienne"],
  US: ["usa", "us", "america", "american", "united states", "etats unis"],
};

/** Beginnings of words that name a kind of record. */
const KIND_STEMS = {
  procurement_request: ["tender", "procurement", "rfp", "solicitation", "bid", "appel"],
  facility_expansion: ["expansion", "expand", "agrandi"],
  funding_round: ["funding", "raised", "financing", "financement", "investor"],
  leadership_change: ["appoint", "leadership", "nomination"],
  product_launch: ["launch", "lancement"],
  partnership: ["partner", "partenari"],
  technology_use: ["technolog"],
  job_posting: ["hiring", "hires", "recruit", "vacanc", "job", "embauch", "recrut"],
};

/**
 * Number of letters by which words count as inflections of one word. The number is chosen, not
 * measured.
 */
const STEM_LETTERS = 6;

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Splits a text at its words, which have odd positions in the result. */
export const splitWords = (text) => text.split(/([\p{L}\p{M}\p{N}]+)/u);

/** Returns whether a word begins with one of the stems, in any inflection. */
export const hasStem = (word, stems) => stems.some((stem) => fold(word).startsWith(stem));

/** Returns the stems of the words of a question that a record can contain. */
export const stemsOf = (query) => partsOf(query).flatMap(({ stems = [] }) => stems);

/** Reads a question. @returns {Part[]} */
export function partsOf(query = "") {
  const words = splitWords(query);
  const parts = [];
  for (let at = 1; at < words.length; at += 2) {
    if (NEGATIONS.has(fold(words[at]))) {
      at = endOfClause(words, at);
      continue;
    }
    const length = lengthOfName(words, at);
    const text = words.slice(at, at + 2 * length - 1).join("");
    const part = partOf(text, { before: words[at - 2], isPlace: isPlaceName(words, at) });
    const isJoined = words[at - 1].trim() === "";
    if (part) parts.push({ text, ...part, at: (at - 1) / 2, isJoined });
    at += 2 * (length - 1);
  }
  return parts;
}

/** Returns the position of the last word before the next punctuation mark. */
function endOfClause(words, start) {
  let at = start;
  while (at + 2 < words.length && !/[,;.]/.test(words[at + 1])) at += 2;
  return at;
}

/**
 * Returns the number of words of the region, country or place that begins here; 1 if there is none.
 */
function lengthOfName(words, at) {
  for (const length of [3, 2]) {
    const folded = [];
    for (let n = 0; n < length; n++) folded.push(fold(words[at + 2 * n] ?? ""));
    const name = folded.join(" ");
    if (REGIONS.includes(name) || countryOf(name)) return length;
  }
  let length = 1;
  while (isPlaceName(words, at) && isCapital(words[at + 2 * length] ?? "")) {
    if (words[at + 2 * length - 1].trim() !== "") break;
    length++;
  }
  return length;
}

const isCapital = (word) => /^\p{Lu}/u.test(word);

/** Returns whether a word with a capital letter follows a word such as "in". */
const isPlaceName = (words, at) =>
  isCapital(words[at]) && BEFORE_PLACES.has((words[at - 2] ?? "").toLowerCase()) &&
  words[at - 1].trim() === "";

const countryOf = (name) =>
  Object.keys(COUNTRY_NAMES).find((code) => COUNTRY_NAMES[code].includes(name));

function partOf(text, { before = "", isPlace }) {
  const folded = fold(text);
  const wanted = text !== "us" && countryOf(folded.replaceAll("-", " "));
  if (wanted) return { meaning: "country", wanted };
  if (/^(19|20)\d\d$/.test(text)) {
    const order = orderOf(fold(before));
    return {
      meaning: "year",
      order,
      wanted: text,
      text: order === "=" ? text : `${before} ${text}`,
    };
  }
  const stems = splitWords(folded).filter((_, at) => at % 2 === 1)
    .map((word) => word.slice(0, STEM_LETTERS));
  if (REGIONS.includes(folded) || isPlace) return { meaning: "place", stems };
  if (folded.length < 3 || SMALL_WORDS.has(folded)) return;
  const kind = Object.keys(KIND_STEMS)
    .find((one) => KIND_STEMS[one].some((stem) => folded.startsWith(stem)));
  return kind ? { meaning: "kind", wanted: kind, stems } : { meaning: "word", stems };
}

function orderOf(before) {
  if (["since", "after", "from", "depuis"].includes(before)) return ">=";
  return ["before", "until", "avant"].includes(before) ? "<" : "=";
}

/**
 * Compares a record with a question. Neighbouring words of one verdict are one phrase.
 * @returns {{meets: string[], open: string[], differs: string[]}} what the record meets, what it
 * does not state, and what it states otherwise
 */
export function compare(query, observation, company) {
  const words = splitWords(textOf(observation, company)).filter((_, at) => at % 2 === 1);
  const judged = partsOf(query).map((part) => ({ ...part, ...judge(part, observation, words) }));
  const joined = [];
  for (const part of judged) {
    const last = joined.at(-1);
    const isNext = last?.verdict === part.verdict && last.meaning === "word" &&
      part.meaning === "word" && last.end + 1 === part.at && part.isJoined;
    if (isNext) Object.assign(last, { text: `${last.text} ${part.text}`, end: part.at });
    else joined.push({ ...part, end: part.at });
  }
  const phrases = (verdict) =>
    joined.filter((one) => one.verdict === verdict).map(({ text, note }) =>
      note ? `“${text}” (${note})` : `“${text}”`
    );
  return { meets: phrases("meets"), open: phrases("open"), differs: phrases("differs") };
}

function textOf({ observed_fact, why_it_may_matter, evidence, categories = [] }, company) {
  const excerpts = evidence.map(({ excerpt }) => excerpt);
  return [company, observed_fact, why_it_may_matter, ...excerpts, ...categories.map(sectorText)]
    .join("\n");
}

function judge({ meaning, stems, wanted, order }, observation, words) {
  const isStated = stems?.every((stem) => words.some((word) => hasStem(word, [stem])));
  switch (meaning) {
    case "country":
      return observation.country === wanted
        ? { verdict: "meets", note: "country" }
        : { verdict: "differs", note: COUNTRIES[observation.country] };
    case "year":
      return judgeYear(Number(wanted), order, observation);
    case "kind":
      if (observation.kind === wanted) return { verdict: "meets", note: kindLabel(wanted) };
      return isStated ? { verdict: "meets" } : { verdict: "open", note: "another kind of record" };
    case "place":
      return isStated ? { verdict: "meets" } : { verdict: "open", note: "place not stated" };
    default:
      return isStated ? { verdict: "meets" } : { verdict: "open" };
  }
}

function judgeYear(wanted, order, observation) {
  if (observation.occurred_at === null) return { verdict: "open", note: "date not stated" };
  const year = new Date(dateOf(observation)).getUTCFullYear();
  const meets = { "=": year === wanted, ">=": year >= wanted, "<": year < wanted }[order];
  return meets ? { verdict: "meets" } : { verdict: "differs", note: String(year) };
}
