/** Every wire shape by the specification's word for it, and its JSON Schema. */
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

/** The body of whichever action an operation is of. */
export const OperationResult = z.union([
  CompanySearchResult,
  CompanyLookupResult,
  ObservationListResult,
  ObservationSearchResult,
  DiagnosticResult,
]).describe("The body that the operation's own action answers with.");

/** The shapes of answers, and of what they hold. */
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

/** Changes the output of zod for a schema into the form that readers need. */
export function render(
  { jsonSchema, zodSchema }: {
    jsonSchema: z.core.JSONSchema.BaseSchema;
    zodSchema: z.core.$ZodTypes;
  },
): void {
  // The alternatives exclude each other: every object says which fields it has, and has no others.
  if (zodSchema._zod.def.type === "union" && jsonSchema.anyOf) {
    jsonSchema.oneOf = jsonSchema.anyOf;
    delete jsonSchema.anyOf;
  }
  // A schema that normalizes loses its examples, which are of what it takes.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples;
  // The format says it all.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // What a JSON number can hold goes without saying.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
