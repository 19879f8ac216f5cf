/** Queries that the service does not answer. */
import type { SearchFilters } from "../contract/filters.ts";
import { Failure } from "../failures.ts";
import { memoized } from "./engine/memoized.ts";
import type { QueryReading } from "./reading/read_query.ts";
import { refusalOf } from "./unsupported.ts";

/**
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset, and where
 * only what is not wanted is told and no filter tells what is
 */
export function refuseUnsupported(reading: QueryReading, filters: SearchFilters): void {
  refuse(unsupported(reading.query) ?? undefined);
  refuseNegationAlone(reading, filters);
}

/**
 * Refuses a query that tells only what is not wanted, where no filter tells what is: it would deliver
 * any record of the dataset.
 *
 * @throws Failure unsupported_request
 */
export function refuseNegationAlone(
  { only_excludes }: QueryReading,
  filters: SearchFilters,
): void {
  if (!only_excludes) return;
  if (admitsFew(filters)) return;
  refuse(
    "This search tells only what it does not want. Say what companies are to do or need as well, " +
      'such as "tenders, not construction", or filter by kind, country, time, company or domain. ' +
      "A name goes between quotation marks.",
  );
}

/** Returns why a query is refused, or null. */
const unsupported = memoized((query) => refusalOf(query) ?? null);

function refuse(message: string | undefined): void {
  if (message !== undefined) throw new Failure("unsupported_request", { message });
}

/** Returns whether filters tell what is wanted, and not only what is not. */
function admitsFew(filters: SearchFilters): boolean {
  const { exclude_company_ids: _, exclude_domains: __, ...admitted } = filters;
  return Object.values(admitted).some((values) => values !== null && values.length > 0);
}
