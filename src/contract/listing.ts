/** Schemas of the observation listing (specification 4, GET /api/observations). */
import { z } from "zod";
import {
  cursor,
  CURSOR_DESCRIPTION,
  hostname,
  inputObject,
  instant,
  oneOf,
  setOf,
} from "./fields.ts";
import { Observation } from "./observation.ts";
import { delivered, nextCursor } from "./result.ts";
import { KINDS } from "./vocabulary.ts";

/** Max number of hostnames, and of kinds, per listing. It is the limit of specification 8. */
const LISTING_DOMAINS_MAX = 100;
/** Max number of observations per page. It is the limit of specification 8. */
const LISTING_LIMIT_MAX = 100;
/** Number of observations per page by default. It is the default of specification 8. */
const LISTING_LIMIT_DEFAULT = 25;

const HOSTNAMES = `a list of 1 to ${LISTING_DOMAINS_MAX} hostnames`;
const LIMIT = { error: `an integer of 1 to ${LISTING_LIMIT_MAX}` };

/** The parameters of `GET /api/observations`. */
export const ObservationListRequest = inputObject({
  domains: setOf(hostname, LISTING_DOMAINS_MAX, HOSTNAMES).min(1, { error: HOSTNAMES })
    .describe("Hostnames of the companies whose observations are listed."),
  since: instant.describe(
    "Only observations that were recorded after this instant with an offset. To continue, pass " +
      "the as_of of the previous page with all its digits; after paging by cursors, that of the " +
      "last page.",
  ),
  kinds: setOf(oneOf(KINDS), LISTING_DOMAINS_MAX).optional()
    .transform((list) => list ?? [])
    .describe("Only these kinds of observation."),
  limit: z.int(LIMIT).min(1, LIMIT).max(LISTING_LIMIT_MAX, LIMIT).default(LISTING_LIMIT_DEFAULT)
    .describe("Observations per page."),
  cursor: cursor.optional().describe(CURSOR_DESCRIPTION),
}).describe("An observation listing.");

/** The status of one hostname of a listing. */
export const DomainStatus = z.strictObject({
  hostname: z.string().describe("The normalized hostname."),
  status: z.enum(["found", "not_found"]).describe("not_found: no coverage yet."),
}).describe("The status of a hostname; not_found says nothing about the company.");
export type DomainStatus = z.infer<typeof DomainStatus>;

/** One page of a listing. */
export const ObservationListResult = z.strictObject({
  ...delivered,
  next_cursor: nextCursor,
  delivery_unit: z.literal("company"),
  observations: z.array(Observation).max(LISTING_LIMIT_MAX).describe(
    "In the order in which the hostnames gained them.",
  ),
  domains: z.array(DomainStatus).min(1).max(LISTING_DOMAINS_MAX)
    .describe("One status for each distinct requested hostname."),
}).describe(
  "Observations that were recorded after since. Pass as_of unchanged as the next since, and " +
    "nothing is missed. as_of moves forward with every page, so cursors may be ignored.",
);
export type ObservationListResult = z.infer<typeof ObservationListResult>;
