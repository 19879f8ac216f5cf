/** Queries as they are accepted: normalized, or refused. */
import { QUERY_LENGTH_MAX } from "../contract/search.ts";
import { Failure } from "../failures.ts";
import { words } from "./engine/tokens.ts";
import type { SearchFilters } from "./filters.ts";
import { isFiller } from "./reading/filler.ts";
import { readHostnames, readNegations, readQuotes } from "./reading/mentions.ts";
import { Reading } from "./reading/passages.ts";
import { refusalOf } from "./unsupported.ts";

/**
 * A query trimmed and in Unicode NFC.
 *
 * @throws Failure invalid_search, naming the field, where it is no text of 1 to 500 characters
 */
export function normalizeQuery(raw: unknown): string {
  const refuse = (expected: string) =>
    new Failure("invalid_search", { message: `query: ${expected}.` });
  if (raw === undefined) throw refuse("required");
  if (typeof raw !== "string") throw refuse("a text");
  if (!raw.isWellFormed() || raw.includes("\0")) throw refuse("valid Unicode text");
  const query = raw.trim().normalize("NFC");
  const length = [...query].length;
  if (length < 1 || length > QUERY_LENGTH_MAX) throw refuse(`1 to ${QUERY_LENGTH_MAX} characters`);
  return query;
}

/**
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset, and where
 * only what is not wanted is told and no filter tells what is
 */
export function refuseUnsupported(query: string, filters: SearchFilters): void {
  refuse(refusalOf(query));
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
