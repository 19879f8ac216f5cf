/** Which observations a search's filters admit (specification 4, Filter semantics). */
import { hasExpired, type ObservationDocument } from "./document.ts";
import type { SearchFilters } from "./filters.ts";

/** What the filters ask of the index beside the document itself. */
export interface Hostnames {
  companiesWithHostname(hostname: string, now: string): number[];
}

/**
 * A test of documents, with all of a filter looked up once. Values of one field are alternatives,
 * fields must all agree, exclusions win, and empty lists do not restrict.
 *
 * @param now an instant in the form of instant.ts; what has expired by then is never admitted
 */
export function createAdmission(
  filters: SearchFilters,
  { hostnames, now }: { hostnames: Hostnames; now: string },
): (document: ObservationDocument) => boolean {
  const holders = (names: string[]) =>
    names.flatMap((hostname) => hostnames.companiesWithHostname(hostname, now));
  const countries = restriction(filters.countries);
  const kinds = restriction(filters.kinds);
  const demandClasses = restriction(filters.demand_classes);
  const companies = restriction(filters.company_ids);
  // Not through restriction(): hostnames that nobody holds match nothing, not everything.
  const domainHolders = filters.domains.length > 0 ? new Set(holders(filters.domains)) : null;
  const excluded = new Set([...filters.exclude_company_ids, ...holders(filters.exclude_domains)]);
  const { occurred_after, observed_after } = filters;
  return (document) =>
    !hasExpired(document, now) &&
    !excluded.has(document.company_id) &&
    (companies?.has(document.company_id) ?? true) &&
    (domainHolders?.has(document.company_id) ?? true) &&
    (countries?.has(document.country) ?? true) &&
    (kinds?.has(document.kind) ?? true) &&
    (demandClasses?.has(document.demand_class) ?? true) &&
    (occurred_after === null ||
      (document.occurred_at !== null && document.occurred_at > occurred_after)) &&
    (observed_after === null || document.observed_at > observed_after);
}

function restriction<Value>(values: readonly Value[]): ReadonlySet<Value> | null {
  return values.length > 0 ? new Set(values) : null;
}
