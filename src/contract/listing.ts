/** The observation listing (specification 4, GET /api/observations). */
import { z } from "zod";
import { Observation } from "./observation.ts";
import { delivered, nextCursor } from "./result.ts";

export const LISTING_DOMAINS_MAX = 100;
export const LISTING_LIMIT_MAX = 100;
export const LISTING_LIMIT_DEFAULT = 25;

export const DomainStatus = z.strictObject({
  hostname: z.string().describe("As normalized."),
  status: z.enum(["found", "not_found"]).describe("not_found: no coverage yet."),
}).describe("Whether anything is recorded for a hostname; not_found says nothing of the company.");
export type DomainStatus = z.infer<typeof DomainStatus>;

export const ObservationListResult = z.strictObject({
  ...delivered,
  next_cursor: nextCursor,
  delivery_unit: z.literal("company"),
  observations: z.array(Observation).max(LISTING_LIMIT_MAX).describe(
    "In the order in which the hostnames gained them.",
  ),
  domains: z.array(DomainStatus).min(1).max(LISTING_DOMAINS_MAX)
    .describe("One for each distinct hostname that was asked for."),
}).describe(
  "What was recorded after since. Pass its as_of, unchanged, as the next since: nothing is missed. " +
    "as_of moves forward with every page, so cursors may be ignored.",
);
export type ObservationListResult = z.infer<typeof ObservationListResult>;
