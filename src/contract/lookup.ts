/** Company lookup by ids or domains (specification 4, GET /api/companies; 2, Lookup outcome). */
import { z } from "zod";
import { Company } from "./observation.ts";
import { delivered } from "./result.ts";

/** Ids or hostnames of one lookup. */
export const LOOKUP_TARGETS_MAX = 20;

const id = z.int().min(1);

export const LOOKUP_STATUSES = ["found", "not_found", "ambiguous", "unavailable"] as const;

const outcome = {
  status: z.enum(LOOKUP_STATUSES).describe(
    "found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; " +
      "unavailable: found when it was settled, withheld now",
  ),
  company_id: id.optional().describe("Present when found."),
};
export const IdOutcome = z.strictObject({ id, ...outcome });
export const DomainOutcome = z.strictObject({ hostname: z.string(), ...outcome });
export const LookupOutcome = z.union([IdOutcome, DomainOutcome])
  .describe("What became of one target, with the id or the hostname that was asked for.");
export type IdOutcome = z.infer<typeof IdOutcome>;
export type DomainOutcome = z.infer<typeof DomainOutcome>;

export const CompanyLookupResult = z.strictObject({
  ...delivered,
  delivery_unit: z.literal("company"),
  companies: z.array(Company).max(LOOKUP_TARGETS_MAX),
  lookups: z.array(LookupOutcome).min(1).max(LOOKUP_TARGETS_MAX)
    .describe("One outcome for each distinct target."),
}).describe("The companies that are known, and one outcome for each target.");
export type CompanyLookupResult = z.infer<typeof CompanyLookupResult>;
