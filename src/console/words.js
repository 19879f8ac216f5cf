// Words for users: kinds, demand classes, limitations, sectors and dates.

/** Label and short label of each kind of observation. */
export const KINDS = {
  procurement_request: ["Procurement request", "Tender"],
  facility_expansion: ["Facility expansion", "Expansion"],
  funding_round: ["Funding round", "Funding"],
  leadership_change: ["Leadership change", "Leadership"],
  product_launch: ["Product launch", "Launch"],
  partnership: ["Partnership", "Partner"],
  technology_use: ["Technology use", "Technology"],
  job_posting: ["Job posting", "Hiring"],
  company_profile: ["Company profile", "Profile"],
};

/** Label and explanation of each demand class. */
export const DEMAND_CLASSES = {
  explicit_request: ["Explicit request", "The company itself asks for something."],
  proxy: ["Indirect sign", "Something happened that often leads to demand."],
  structural: ["Structural", "Describes the company, and tells nothing about current demand."],
};

export const COUNTRIES = { CA: "Canada", US: "United States" };

const LIMITATIONS = {
  limited_source_coverage: "Coverage is partial: a company that is missing here may well exist.",
  dataset_read_only: "Only what is in the dataset was searched; no source was asked.",
  spelling_changed:
    "A word was unknown and was read as the nearest known one. Quote it to keep it.",
  hybrid_unavailable: "Ranked by words alone: the model for meaning did not answer in time.",
  acquisition_incomplete: "A source was late or failed. A new search later may find more.",
  condition_not_stated: "No record states the place, time or other condition of the question.",
  single_source: "One source of the dataset only: confirm elsewhere.",
  structural_only: "No sign of current demand.",
  stale_evidence: "Nothing new was seen for 180 days.",
};

const STOP_REASONS = {
  limit_reached: "The page is full.",
  shortlist_exhausted: "Nothing else answers the question.",
  no_match: "Nothing answers the question.",
};

const SECTORS = {
  "11": "Agriculture, forestry, fishing",
  "21": "Mining, oil and gas",
  "22": "Utilities",
  "23": "Construction",
  "31-33": "Manufacturing",
  "42": "Wholesale",
  "44-45": "Retail",
  "48-49": "Transport and warehousing",
  "51": "Information",
  "52": "Finance and insurance",
  "53": "Real estate and leasing",
  "54": "Professional and technical services",
  "55": "Management of companies",
  "56": "Support and waste services",
  "61": "Education",
  "62": "Health and social care",
  "71": "Arts and recreation",
  "72": "Accommodation and food",
  "81": "Other services",
  "92": "Public administration",
};

export const kindLabel = (kind) => KINDS[kind]?.[0] ?? kind;
export const shortKind = (kind) => KINDS[kind]?.[1] ?? kind;
export const demandLabel = (name) => DEMAND_CLASSES[name]?.[0] ?? name;
export const limitationText = (name) => LIMITATIONS[name] ?? name;
export const stopText = (name) => STOP_REASONS[name] ?? name;
export const sectorText = (code) => SECTORS[code] ?? code;

const PARTS = { day: "numeric", month: "short", year: "numeric" };
// The reader's own language forms dates and numbers.
const DAY = new Intl.DateTimeFormat(undefined, { ...PARTS, timeZone: "UTC" });
const DAY_HERE = new Intl.DateTimeFormat(undefined, PARTS);
const MONTH = new Intl.DateTimeFormat(undefined, {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const NUMBER = new Intl.NumberFormat();

/** Formats a day in UTC. Most dates have no time, so the reader's time zone would shift them. */
export const day = (instant) => DAY.format(new Date(instant));
/** Formats a moment in the reader's time zone. */
export const moment = (instant) => `${DAY_HERE.format(new Date(instant))}, ${clock(instant)}`;
export const month = (instant) => MONTH.format(new Date(instant));
export const clock = (instant) => CLOCK.format(new Date(instant));

export const numeral = (number) => NUMBER.format(number);

/** Formats a number with its noun: "1 company", "3 companies". */
export function count(number, one, many = `${one}s`) {
  return `${numeral(number)} ${number === 1 ? one : many}`;
}

/** Formats the time until a moment: "in 5 min", "in 3 days". */
export function until(instant) {
  const minutes = Math.max(0, Math.ceil((new Date(instant) - Date.now()) / 60_000));
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `in ${count(hours, "hour")}` : `in ${count(Math.round(hours / 24), "day")}`;
}

/** Returns the instant at which an observation occurred, or else was observed. */
export const dateOf = ({ occurred_at, observed_at }) => occurred_at ?? observed_at;
