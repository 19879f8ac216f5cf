/**
 * Defines the plugin by which Orama indexes observations. Its `where` is converted to the filters
 * of a company search.
 */
import type { OramaPluginSync } from "@orama/orama";
import type { SearchFilters } from "../../contract/filters.ts";
import { segmentsPlugin } from "../engine/plugin.ts";
import type { IndexOptions } from "../engine/segmented_index.ts";
import type { ObservationDocument } from "./document.ts";
import { instantAt } from "./instants.ts";
import {
  conditionsOf,
  factsOfObservation,
  knownObservation,
  OBSERVATION_FIELDS,
} from "./mapping.ts";

/** Schema of the documents that observationRow returns. */
export const OBSERVATION_SCHEMA = {
  company: "string",
  observed_fact: "string",
  why_it_may_matter: "string",
  texts: "string[]",
  company_id: "number",
  kind: "enum",
  demand_class: "enum",
  country: "enum",
  hostnames: "enum[]",
  facets: "enum[]",
  sectors: "number",
} as const;

/** Converts a document to OBSERVATION_SCHEMA. */
export function observationRow({ text, ...document }: ObservationDocument) {
  return { ...document, ...text, id: String(document.observation_id) };
}

/**
 * Returns a plugin for `create({ schema: OBSERVATION_SCHEMA, plugins: [observationPlugin()] })`.
 * `where` supports these operators of Orama: `eq` and `in` for country, kind, demand_class and
 * company_id; `nin` for company_id; `containsAny` for hostnames; `gt` for occurred_at, observed_at
 * and expires_at, with an instant (contract/instant.ts). `containsAny` admits all observations of a
 * company that has one of the hostnames.
 */
export function observationPlugin(options: IndexOptions = {}): OramaPluginSync {
  return segmentsPlugin({
    ...options,
    fields: OBSERVATION_FIELDS,
    integer_ids: true,
    company_property: "company_id",
    factsOf: (row) => factsOfObservation(row as unknown as ObservationDocument),
    documentOf(facts) {
      const { occurred, observed, expires, amount, closes, ...known } = knownObservation(facts);
      return {
        ...known,
        occurred_at: instantAt(occurred),
        observed_at: instantAt(observed),
        expires_at: instantAt(expires),
        amount: Number.isNaN(amount) ? null : amount,
        closes_at: instantAt(closes),
      };
    },
    conditionsOf: (index, where) => conditionsOf(index, filtersOf(where)),
  });
}

/** Search filters by property and operator. */
const FILTERS: Readonly<Record<string, keyof SearchFilters | "now" | undefined>> = {
  "country in": "countries",
  "kind in": "kinds",
  "demand_class in": "demand_classes",
  "company_id in": "company_ids",
  "company_id nin": "exclude_company_ids",
  "hostnames containsAny": "domains",
  "occurred_at gt": "occurred_after",
  "observed_at gt": "observed_after",
  "expires_at gt": "now",
};

function filtersOf(where: Record<string, unknown>): { filters: SearchFilters; now?: string } {
  const values: Partial<Record<keyof SearchFilters | "now", unknown>> = {};
  for (const [property, condition] of Object.entries(where)) {
    for (const [operator, value] of Object.entries(condition as Record<string, unknown>)) {
      const isEqual = operator === "eq";
      const filter = FILTERS[`${property} ${isEqual ? "in" : operator}`];
      if (filter === undefined) {
        throw new Error(`observations have no filter ${property} ${operator}`);
      }
      // An empty list restricts nothing in SearchFilters, but Orama's `in` admits nothing with it.
      if (Array.isArray(value) && value.length === 0 && operator !== "nin") {
        throw new Error(`the filter ${property} ${operator} is empty`);
      }
      values[filter] = isEqual ? [value] : value;
    }
  }
  const { now, ...filters } = values;
  return {
    filters: { ...NO_FILTERS, ...filters } as SearchFilters,
    now: now as string | undefined,
  };
}

const NO_FILTERS: SearchFilters = {
  countries: [],
  kinds: [],
  demand_classes: [],
  occurred_after: null,
  observed_after: null,
  company_ids: [],
  exclude_company_ids: [],
  domains: [],
  exclude_domains: [],
};
