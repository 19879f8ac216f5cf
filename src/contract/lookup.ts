/** Schemas of company lookup (specification 4, GET /api/companies, and 2, Lookup outcome). */
import { z } from "zod";
import { customIssue, hostname, id, inputObject, setOf } from "./fields.ts";
import { Company } from "./observation.ts";
import { delivered } from "./result.ts";

/** Max number of ids or hostnames per lookup. It is the limit of specification 8. */
export const LOOKUP_TARGETS_MAX = 20;

/** Returns the schema of a list of targets. An absent list becomes an empty one. */
function targets<Target extends z.ZodType<string | number>>(target: Target) {
  return setOf(target, LOOKUP_TARGETS_MAX).optional().transform((list) => list ?? []);
}

/** The targets of a lookup. Exactly one of the two lists is not empty. */
export const CompanyLookupRequest = inputObject({
  ids: targets(id).describe(`Company ids, 1 to ${LOOKUP_TARGETS_MAX}. Either these or domains.`),
  domains: targets(hostname).describe(
    `Hostnames, 1 to ${LOOKUP_TARGETS_MAX}. Either these or ids.`,
  ),
}).check(({ value, issues }) => {
  if ((value.ids.length === 0) !== (value.domains.length === 0)) return;
  issues.push(customIssue(value, {
    sentence: "exactly one of ids and domains is required",
    code: "invalid_lookup",
  }));
}).describe("A lookup of known companies.");

const companyId = z.int().min(1);

/** Possible outcomes of a target. */
const LOOKUP_STATUSES = ["found", "not_found", "ambiguous", "unavailable"] as const;

const outcome = {
  status: z.enum(LOOKUP_STATUSES).describe(
    "found; not_found: no coverage; ambiguous: a hostname of several companies, none returned; " +
      "unavailable: found when the operation was settled, withheld now",
  ),
  company_id: companyId.optional().describe("Present if found."),
};
/** Outcome of an id. */
export const IdOutcome = z.strictObject({ id: companyId, ...outcome });
/** Outcome of a hostname. */
export const DomainOutcome = z.strictObject({ hostname: z.string(), ...outcome });
/** Outcome of a target. */
export const LookupOutcome = z.union([IdOutcome, DomainOutcome])
  .describe("The outcome of one target, with the requested id or hostname.");
export type IdOutcome = z.infer<typeof IdOutcome>;
export type DomainOutcome = z.infer<typeof DomainOutcome>;

/** The answer to a lookup. */
export const CompanyLookupResult = z.strictObject({
  ...delivered,
  delivery_unit: z.literal("company"),
  companies: z.array(Company).max(LOOKUP_TARGETS_MAX),
  lookups: z.array(LookupOutcome).min(1).max(LOOKUP_TARGETS_MAX)
    .describe("One outcome for each distinct target."),
}).describe("The companies that were found, and one outcome for each target.");
export type CompanyLookupResult = z.infer<typeof CompanyLookupResult>;
