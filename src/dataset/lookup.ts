/** Company lookup as an action: `GET /api/companies`, `get_companies`. */
import { noSuchField } from "../contract/invalid.ts";
import {
  type CompanyLookupResult,
  type DomainOutcome,
  type IdOutcome,
  LOOKUP_TARGETS_MAX,
} from "../contract/lookup.ts";
import { LIMITATIONS } from "../contract/result.ts";
import { Failure } from "../failures.ts";
import type {
  Context,
  Entry,
  MeteredAction,
  NormalizedRequest,
  Work,
} from "../operations/action.ts";
import { type Answer, shownEntries } from "../operations/answer.ts";
import { sortedSet } from "../operations/identity.ts";
import { presentCompany } from "./company.ts";
import { normalizeHostname } from "./hostname.ts";
import { normalizeId } from "./id.ts";

/** Exactly one of the two holds something; sorted, each target once. */
export interface CompanyLookup {
  ids: number[];
  domains: string[];
}

type Outcome = IdOutcome | DomainOutcome;

export const getCompanies: MeteredAction<CompanyLookup> = {
  name: "get_companies",
  delivery_unit: "company",
  invalid_input: "invalid_lookup",
  ready: () => true,
  normalize,
  pageLimit: () => null,
  plan_limited: false,
  shows_hostnames: true,
  maximumUnits: ({ ids, domains }) => ids.length + domains.length,
  perform,
  present,
};

function normalize(raw: unknown): NormalizedRequest<CompanyLookup> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new Failure("invalid_lookup");
  }
  for (const field of Object.keys(raw)) {
    if (field === "ids" || field === "domains") continue;
    throw noSuchField("invalid_lookup", [field]);
  }
  const { ids, domains } = raw as { ids?: unknown; domains?: unknown };
  if (isAbsent(ids) === isAbsent(domains)) throw new Failure("invalid_lookup");
  const inputs = isAbsent(ids)
    ? { ids: [], domains: targets("domains", domains, hostnameOf) }
    : { ids: targets("ids", ids, idOf), domains: [] };
  return { inputs, cursor: null, background: false };
}

/** An empty list is as none. */
function isAbsent(list: unknown): boolean {
  return list === undefined || (Array.isArray(list) && list.length === 0);
}

/** 1 to 20 targets, sorted, each once. */
function targets<Target extends string | number>(
  field: string,
  raw: unknown,
  normalizeTarget: (raw: unknown) => Target,
): Target[] {
  if (!Array.isArray(raw) || raw.length < 1 || raw.length > LOOKUP_TARGETS_MAX) {
    throw invalid(`${field}: a list of 1 to ${LOOKUP_TARGETS_MAX} is required.`);
  }
  const normalized = raw.map((one, place) => {
    try {
      return normalizeTarget(one);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw invalid(`${field}[${place}]: ${error.message.replace(/^id: /, "")}`);
    }
  });
  return sortedSet(normalized);
}

function idOf(raw: unknown): number {
  // A larger number would be taken for another one.
  if (typeof raw === "number" && Number.isInteger(raw) && !Number.isSafeInteger(raw)) {
    throw invalid("an integer of less than 2^53 is required.");
  }
  return normalizeId(raw, "invalid_lookup");
}

function hostnameOf(raw: unknown): string {
  const hostname = typeof raw === "string" ? normalizeHostname(raw) : undefined;
  if (hostname === undefined) throw invalid("a hostname is required, no URL or e-mail address.");
  return hostname;
}

function invalid(message: string): Failure {
  return new Failure("invalid_lookup", { message });
}

async function perform({ sql }: Context, { ids, domains }: CompanyLookup): Promise<Work> {
  const [row] = await sql<{ found: { entries: Entry[]; lookups: Outcome[] } }[]>`
    select look_up_companies(${ids}::bigint[], ${domains}::text[]) as found
  `;
  const { entries, lookups } = row!.found;
  const refresh_hostnames = lookups.flatMap((outcome) =>
    "hostname" in outcome && outcome.status === "not_found" ? [outcome.hostname] : []
  );
  return { entries, facts: { lookups }, refresh_hostnames };
}

type LookupBody = Omit<CompanyLookupResult, "usage" | "request_allowance">;

function present(answer: Answer<CompanyLookup>): LookupBody {
  const { result, operation, holders } = answer;
  const { as_of, lookups } = result as typeof result & { lookups: Outcome[] };
  // A hostname has to be the company's still, or it is as if the company could not be shown.
  const holds = (outcome: Outcome) =>
    outcome.company_id !== undefined &&
    (!("hostname" in outcome) || holders![outcome.hostname]?.includes(outcome.company_id));
  const named = new Set(lookups.filter(holds).map(({ company_id }) => company_id));
  const companies = shownEntries(answer)
    .map((rows) => presentCompany(rows, as_of))
    .filter(({ id }) => named.has(id));
  const ids = new Set(companies.map(({ id }) => id));
  return {
    as_of,
    coverage_status: "partial",
    limitations: LIMITATIONS,
    delivery_unit: "company",
    withheld_units: operation.delivered_units - companies.length,
    companies,
    lookups: lookups.map((outcome) => {
      const { company_id, ...target } = outcome;
      return company_id === undefined || (holds(outcome) && ids.has(company_id))
        ? outcome
        : { ...target, status: "unavailable" as const };
    }),
  };
}
