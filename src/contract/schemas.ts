/** All wire shapes by their names in the specification, and the form of their JSON Schema. */
import { z } from "zod";
import { DomainStatus, ObservationListResult } from "./listing.ts";
import { CompanyLookupResult, LookupOutcome } from "./lookup.ts";
import {
  Company,
  CompanyIdentity,
  CompanyResult,
  Evidence,
  FoundCompany,
  NestedObservation,
  Observation,
  ObservationResult,
} from "./observation.ts";
import {
  Allowance,
  DiagnosticResult,
  ErrorEnvelope,
  Operation,
  PendingResult,
  UsageReport,
} from "./operation.ts";
import { CompanySearchResult, ObservationSearchResult } from "./search.ts";

/** The body of an operation, which depends on its action. */
export const OperationResult = z.union([
  CompanySearchResult,
  CompanyLookupResult,
  ObservationListResult,
  ObservationSearchResult,
  DiagnosticResult,
]).describe("The body that the operation's own action returns.");

/** The shapes of answers and of their parts. */
export const SCHEMAS = {
  Operation,
  Allowance,
  PendingResult,
  ErrorEnvelope,
  UsageReport,
  Evidence,
  CompanyIdentity,
  NestedObservation,
  Observation,
  Company,
  FoundCompany,
  CompanyResult,
  ObservationResult,
  CompanySearchResult,
  ObservationSearchResult,
  LookupOutcome,
  CompanyLookupResult,
  DomainStatus,
  ObservationListResult,
  DiagnosticResult,
  OperationResult,
};

/** Changes, in place, the JSON Schema that zod has written, for the programs that read it. */
export function adaptJsonSchema(
  { jsonSchema, zodSchema }: {
    jsonSchema: z.core.JSONSchema.BaseSchema;
    zodSchema: z.core.$ZodTypes;
  },
): void {
  // A value fits at most one alternative, because objects refuse unknown fields.
  if (zodSchema._zod.def.type === "union" && jsonSchema.anyOf) {
    jsonSchema.oneOf = jsonSchema.anyOf;
    delete jsonSchema.anyOf;
  }
  // zod omits the examples of schemas with a transform, so they are added here.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples;
  // The format replaces the pattern.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Bounds that only state the range of safe integers are left out.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
