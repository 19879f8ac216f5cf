/** Filters, checked and brought into one form: equal filters come out equal. */
import { z } from "zod";
import { SearchFiltersInput } from "../contract/filters.ts";
import { invalidField, noSuchField } from "../contract/invalid.ts";
import type { Country, DemandClass, Kind } from "../contract/vocabulary.ts";
import { normalizeHostname } from "../dataset/hostname.ts";
import { Failure } from "../failures.ts";
import { sortedSet } from "../operations/identity.ts";
import { normalizeInstant } from "../contract/instant.ts";

/** Lists are sorted and without repetitions; an empty list or null does not restrict. */
export interface SearchFilters {
  countries: Country[];
  kinds: Kind[];
  demand_classes: DemandClass[];
  /** Strictly after; ISO 8601 in UTC with microseconds. */
  occurred_after: string | null;
  observed_after: string | null;
  company_ids: number[];
  exclude_company_ids: number[];
  domains: string[];
  exclude_domains: string[];
}

/** Filters under their name, for messages that name the field. */
const Body = z.strictObject({ filters: SearchFiltersInput.default({}) });

/**
 * @param raw what the caller wrote under `filters`; undefined: no filters
 * @throws Failure invalid_search, naming the field: "filters.domains[1]: a hostname, not a URL."
 */
export function normalizeFilters(raw: unknown): SearchFilters {
  refuseHiddenField(raw);
  const checked = Body.safeParse({ filters: raw });
  if (!checked.success) throw invalidField("invalid_search", checked.error);
  const input = checked.data.filters;
  return {
    countries: sortedSet(input.countries),
    kinds: sortedSet(input.kinds),
    demand_classes: sortedSet(input.demand_classes),
    occurred_after: instant("occurred_after", input.occurred_after),
    observed_after: instant("observed_after", input.observed_after),
    company_ids: sortedSet(input.company_ids),
    exclude_company_ids: sortedSet(input.exclude_company_ids),
    domains: hostnames("domains", input.domains),
    exclude_domains: hostnames("exclude_domains", input.exclude_domains),
  };
}

/** JSON can carry a field named __proto__, which object schemas overlook. */
function refuseHiddenField(raw: unknown): void {
  if (typeof raw === "object" && raw !== null && Object.hasOwn(raw, "__proto__")) {
    throw noSuchField("invalid_search", ["filters", "__proto__"]);
  }
}

function invalid(field: string, expected: string): Failure {
  return new Failure("invalid_search", { message: `${field}: ${expected}.` });
}

function instant(field: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const normalized = normalizeInstant(text);
  if (normalized !== undefined) return normalized;
  throw invalid(
    `filters.${field}`,
    "a date and time of the calendar with its offset, such as 2026-03-01T00:00:00Z",
  );
}

function hostnames(field: string, texts: readonly string[] = []): string[] {
  return sortedSet(texts.map((text, place) => {
    const hostname = normalizeHostname(text);
    if (hostname !== undefined) return hostname;
    throw invalid(`filters.${field}[${place}]`, whyNoHostname(text));
  }));
}

function whyNoHostname(text: string): string {
  if (text.includes("@")) return "a hostname, not an e-mail address";
  if (/[/?#]/.test(text)) return "a hostname, not a URL";
  if (text.includes(":")) return "a hostname, without a port";
  return "a hostname such as northwind.example";
}
