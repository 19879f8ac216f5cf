/** Queries that the service does not answer. */
import type { SearchFilters } from "../contract/filters.ts";
import { Failure } from "../failures.ts";
import { words } from "./engine/tokens.ts";
import { isFiller } from "./reading/filler.ts";
import { readHostnames, readNegations, readQuotes } from "./reading/mentions.ts";
import { Reading } from "./reading/passages.ts";
import { refusalOf } from "./unsupported.ts";

/**
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset, and where
 * only what is not wanted is told and no filter tells what is
 */
export function refuseUnsupported(query: string, filters: SearchFilters): void {
  refuse(refusalOf(query));
  refuseNegationAlone(query, filters);
}

/**
 * Refuses a query that tells only what is not wanted, where no filter tells what is: it would deliver
 * any record of the dataset.
 *
 * @throws Failure unsupported_request
 */
export function refuseNegationAlone(query: string, filters: SearchFilters): void {
  if (!isNegationAlone(query)) return;
  if (admitsFew(filters)) return;
  refuse(
    "This search tells only what it does not want. Say what companies are to do or need as well, " +
      'such as "tenders, not construction", or filter by kind, country, time, company or domain. ' +
      "A name goes between quotation marks.",
  );
}

/** Returns whether a query says only what it does not want, beyond doubt. */
function isNegationAlone(query: string): boolean {
  const reading = new Reading(query);
  readQuotes(reading);
  readHostnames(reading);
  const { certain } = readNegations(reading);
  if (!certain || reading.wanted === reading.query) return false;
  return words(reading.wanted).every((word, place) => isFiller(word, place));
}

function refuse(message: string | undefined): void {
  if (message !== undefined) throw new Failure("unsupported_request", { message });
}

/** Whether filters tell what is wanted, and not only what is not. */
function admitsFew(filters: SearchFilters): boolean {
  const { exclude_company_ids: _, exclude_domains: __, ...admitted } = filters;
  return Object.values(admitted).some((own) => own !== null && own.length > 0);
}
