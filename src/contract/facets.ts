/** Facets of a record: facts that its source gives in columns or codes, in a searchable form. */
import { z } from "zod";
import { normalizeInstant } from "./instant.ts";

/** Upper bounds of facets. */
export const FACET_LIMITS = {
  text_characters: 200,
  /** Max number of values per list: technologies, places, codes, names. */
  list: 50,
} as const;

/** An instant in the forms that searches accept (normalizeInstant()). */
export const instantText = z.string().refine((text) => normalizeInstant(text) !== undefined, {
  error: "must be an ISO 8601 date and time up to 23:59:59, with an offset or Z",
});
const text = z.string().min(1).max(FACET_LIMITS.text_characters);
const texts = z.array(text).max(FACET_LIMITS.list);
const currency = z.string().regex(/^[A-Z]{3}$/, "must be an ISO 4217 code such as CAD");
const amount = z.number().min(0).max(1e15);

/**
 * A place as precisely as the source knows it. `country` is an ISO 3166-1 code. `region` is the
 * part of an ISO 3166-2 code after the country ("QC", "NY"). `metro` is the metropolitan area
 * around the city in the source's words ("SF Bay").
 */
const Place = z.strictObject({
  country: z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 code such as CA").nullish(),
  region: z.string().regex(/^[A-Z0-9]{1,3}$/, "must be an ISO 3166-2 part such as QC").nullish(),
  city: text.nullish(),
  metro: text.nullish(),
});

/** Pay of a position per period. A single figure is both `min` and `max`. */
const Pay = z.strictObject({
  min: amount.nullish(),
  max: amount.nullish(),
  currency,
  period: z.enum(["hour", "day", "week", "month", "year"]),
});

const Employment = z.strictObject({
  kind: z.enum(["full_time", "part_time", "contract", "temporary", "internship", "other"])
    .nullish(),
  workplace: z.enum(["on_site", "hybrid", "remote"]).nullish(),
  pay: Pay.nullish(),
});

/**
 * The facets of a record. Every member may be absent or null. Facets are searched. They are shown
 * only as part of sentences that the mapping of a source writes.
 */
export const Facets = z.strictObject({
  /** The place, or all places for which the fact holds. */
  place: z.union([Place, z.array(Place).max(FACET_LIMITS.list)]).nullish(),
  /** Amount that was raised, awarded, invested or paid. */
  amount: z.strictObject({ value: amount, currency }).nullish(),
  /** The kind of a funding round, in lower case: "series_a", "seed", "debt". */
  round: text.nullish(),
  /** The position that a person takes or leaves, or that is advertised. */
  role: text.nullish(),
  technologies: texts.nullish(),
  /** Instant until which responses to a request or posting are accepted. */
  deadline: instantText.nullish(),
  /** Codes of NAICS 2022, two to six digits. */
  naics: z.array(z.string().regex(/^[0-9]{2,6}$/, "must be two to six digits"))
    .max(FACET_LIMITS.list).nullish(),
  /** Codes of UNSPSC, eight digits. */
  unspsc: z.array(z.string().regex(/^[0-9]{8}$/, "must be eight digits"))
    .max(FACET_LIMITS.list).nullish(),
  /** The industry in the source's own words. */
  industry: text.nullish(),
  /** The kind of document, in the source's own words: "Request for Proposal". */
  document: text.nullish(),
  /** The group of suppliers that a request is reserved for. */
  set_aside: text.nullish(),
  employment: Employment.nullish(),
  product: text.nullish(),
  /** The other party of an agreement, a sale or an award. */
  counterpart: text.nullish(),
  legal_form: text.nullish(),
  /** Names that the company had before. */
  former_names: texts.nullish(),
  /** Symbols under which the company's shares are traded. */
  tickers: texts.nullish(),
});

export type Facets = z.infer<typeof Facets>;
export type Place = z.infer<typeof Place>;
