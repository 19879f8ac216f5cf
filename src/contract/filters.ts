/** The filters of a company search as callers write them (specification 4, Filters). */
import { z } from "zod";
import { hostname, id, inputObject, instant, NO_SUCH_FIELD, oneOf, setOf } from "./fields.ts";
import {
  COUNTRIES,
  type Country,
  DEMAND_CLASSES,
  type DemandClass,
  type Kind,
} from "./vocabulary.ts";

/** Max number of values in a list, including repetitions. It is the limit of specification 8. */
const FILTER_VALUES_MAX = 100;

/** Kinds to which a caller can narrow a company search. */
const FILTER_KINDS = ["procurement_request", "facility_expansion"] as const;

/** Returns the schema of a list that may be absent. An absent or empty list does not restrict. */
function list<Value extends z.ZodType<string | number>>(value: Value) {
  return setOf(value, FILTER_VALUES_MAX).optional();
}

const HOW_FILTERS_COMBINE =
  "Values within a field are alternatives, fields must all agree, empty lists do not restrict.";

const observationFilters = {
  countries: list(oneOf(COUNTRIES)).describe("Where an observation is located; any of them."),
  kinds: list(oneOf(FILTER_KINDS)).describe("Kinds of observations; any of them."),
  demand_classes: list(oneOf(DEMAND_CLASSES))
    .describe("Classes of demand, by how directly an observation shows it; any of them."),
  occurred_after: instant.optional()
    .describe("The event is later than this ISO 8601 instant with an offset."),
  observed_after: instant.optional()
    .describe("It was observed later than this ISO 8601 instant with an offset."),
};

/** Filters that an observation search does not accept (specification 4, MCP interface). */
const companyFilters = {
  company_ids: list(id).describe("Only these companies."),
  exclude_company_ids: list(id).describe("None of these companies; exclusions win."),
  domains: list(hostname)
    .describe("Only companies with one of these hostnames, compared without case and final dot."),
  exclude_domains: list(hostname)
    .describe("No company with one of these hostnames; exclusions win."),
};

/** Filters of a company search. */
export const SearchFiltersInput = inputObject({ ...observationFilters, ...companyFilters })
  .transform(allFilters)
  .meta({
    description: `${HOW_FILTERS_COMBINE} Unknown ids and hostnames match nothing.`,
    examples: [
      { countries: ["CA"], kinds: ["procurement_request"], domains: ["northwind.example"] },
    ],
  });

/** Filters of an observation search. */
export const ObservationFiltersInput = inputObject(
  observationFilters,
  (names) =>
    names.every((name) => Object.hasOwn(companyFilters, name))
      ? "an observation search takes no filters of companies"
      : NO_SUCH_FIELD,
).transform(allFilters).describe(HOW_FILTERS_COMBINE);

/**
 * Normalized filters, so that equal filters are equal values. Lists are sorted without repetitions.
 * An empty list or null does not restrict. Instants are exclusive, in UTC with microseconds.
 */
export interface SearchFilters {
  countries: Country[];
  /** A caller can name only FILTER_KINDS, but the words of a query may mean any kind. */
  kinds: Kind[];
  demand_classes: DemandClass[];
  occurred_after: string | null;
  observed_after: string | null;
  company_ids: number[];
  exclude_company_ids: number[];
  domains: string[];
  exclude_domains: string[];
}

/** Adds absent fields. A default per field would cost more than all checks together. */
function allFilters(filters: Partial<SearchFilters>): SearchFilters {
  return {
    countries: filters.countries ?? [],
    kinds: filters.kinds ?? [],
    demand_classes: filters.demand_classes ?? [],
    occurred_after: filters.occurred_after ?? null,
    observed_after: filters.observed_after ?? null,
    company_ids: filters.company_ids ?? [],
    exclude_company_ids: filters.exclude_company_ids ?? [],
    domains: filters.domains ?? [],
    exclude_domains: filters.exclude_domains ?? [],
  };
}

/** Restricts nothing. */
export const NO_FILTERS: SearchFilters = allFilters({});
