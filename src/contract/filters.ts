/** The filters of a company search as callers write them (specification 4, Filters). */
import { z } from "zod";
import { COUNTRIES, DEMAND_CLASSES } from "./vocabulary.ts";

/** A list holds at most so many values, repetitions included. */
export const FILTER_VALUES_MAX = 100;

/** The kinds that a company search can be narrowed to. */
export const FILTER_KINDS = ["procurement_request", "facility_expansion"] as const;

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `one of ${values.join(", ")}` });

const list = <Value extends z.ZodType>(value: Value) =>
  z.array(value, { error: "a list" })
    .max(FILTER_VALUES_MAX, { error: `at most ${FILTER_VALUES_MAX} values` })
    .optional();

const id = z.int({ error: "a positive integer" }).min(1, { error: "a positive integer" });

const hostname = z.string({ error: "a hostname" });

const timestamp = z.string({ error: "a timestamp such as 2026-03-01T00:00:00Z" })
  .optional()
  .meta({ format: "date-time" });

const HOW_FILTERS_COMBINE =
  "Values within a field are alternatives, fields must all agree, empty lists do not restrict.";

/** Hostnames and timestamps are checked further when they are normalized. */
export const SearchFiltersInput = z.strictObject({
  countries: list(oneOf(COUNTRIES)).describe("Where an observation is located; any of them."),
  kinds: list(oneOf(FILTER_KINDS)).describe("What was observed; any of them."),
  demand_classes: list(oneOf(DEMAND_CLASSES))
    .describe("How directly an observation shows demand; any of them."),
  occurred_after: timestamp
    .describe("The event is later than this ISO 8601 instant, which names its offset."),
  observed_after: timestamp
    .describe("It was observed later than this ISO 8601 instant, which names its offset."),
  company_ids: list(id).describe("Only these companies."),
  exclude_company_ids: list(id).describe("None of these companies; exclusions win."),
  domains: list(hostname)
    .describe("Only companies with one of these hostnames, compared without case and final dot."),
  exclude_domains: list(hostname)
    .describe("No company with one of these hostnames; exclusions win."),
}, { error: "an object" }).meta({
  description: `${HOW_FILTERS_COMBINE} Unknown ids and hostnames match nothing.`,
  examples: [{ countries: ["CA"], kinds: ["procurement_request"], domains: ["northwind.example"] }],
});
export type SearchFiltersInput = z.infer<typeof SearchFiltersInput>;

/** Those that an observation search does not take (specification 4, MCP interface). */
export const COMPANY_FILTERS = {
  company_ids: true,
  exclude_company_ids: true,
  domains: true,
  exclude_domains: true,
} as const;

export const ObservationFiltersInput = SearchFiltersInput.omit(COMPANY_FILTERS)
  .describe(HOW_FILTERS_COMBINE);
