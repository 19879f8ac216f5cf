/**
 * Company lookup as an action (`GET /api/companies`, `get_companies`), and unmetered reads of one
 * company or one observation.
 */
import { INPUTS } from "../contract/inputs.ts";
import type { CompanyLookupResult, DomainOutcome, IdOutcome } from "../contract/lookup.ts";
import { LIMITATIONS } from "../contract/result.ts";
import type {
  Context,
  DeliveryEntry,
  MeteredAction,
  ReadAction,
  Work,
} from "../operations/action.ts";
import {
  accepted,
  type Answer,
  type ObservationRow,
  type Refusal,
  shownEntries,
} from "../operations/answer.ts";
import { observationWithCompany, presentCompany } from "./present.ts";

/**
 * Targets of a lookup. Exactly one of the two lists is not empty. Both are sorted without
 * duplicates.
 */
interface CompanyLookup {
  ids: number[];
  domains: string[];
}

type TargetOutcome = IdOutcome | DomainOutcome;

export const getCompanies: MeteredAction<CompanyLookup> = {
  name: "get_companies",
  delivery_unit: "company",
  invalid_input: "invalid_lookup",
  ready: () => true,
  input: INPUTS.get_companies,
  pageLimit: () => null,
  plan_limited: false,
  maximumUnits: ({ ids, domains }) => ids.length + domains.length,
  perform,
  present,
};

async function perform({ sql }: Context, { ids, domains }: CompanyLookup): Promise<Work> {
  const [row] = await sql<{ found: { entries: DeliveryEntry[]; lookups: TargetOutcome[] } }[]>`
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
  const { result, holders } = answer;
  const { as_of, lookups } = result as typeof result & { lookups: TargetOutcome[] };
  // The company must still have the hostname. Otherwise the target is `unavailable`.
  const holds = (outcome: TargetOutcome) =>
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
    withheld_units: answer.operation.delivered_units - companies.length,
    companies,
    lookups: lookups.map((outcome) => {
      const { company_id, ...target } = outcome;
      return company_id === undefined || (holds(outcome) && ids.has(company_id))
        ? outcome
        : { ...target, status: "unavailable" as const };
    }),
  };
}

/** `GET /api/companies/{id}`: a company with its three latest observations. */
export const getCompany: ReadAction<{ id: number }> = {
  name: "get_company",
  invalid_input: "invalid_lookup",
  input: INPUTS.get_company,
  async read({ sql, now }, { key_hash }, { id }) {
    const [row] = await sql<{ answer: Found & { as_of: string } | Refusal }[]>`
      select read_company(${key_hash}, ${id}, ${now?.() ?? null}) as answer
    `;
    const { observations, as_of } = accepted(row!.answer);
    return { status: 200, body: { company: presentCompany(observations, as_of) } };
  },
};

/** `GET /api/observations/{id}`: an observation with its company. */
export const getObservation: ReadAction<{ id: number }> = {
  name: "get_observation",
  invalid_input: "invalid_search",
  input: INPUTS.get_observation,
  async read({ sql, now }, { key_hash }, { id }) {
    const [row] = await sql<{ answer: Found | Refusal }[]>`
      select read_observation(${key_hash}, ${id}, ${now?.() ?? null}) as answer
    `;
    const [observation] = accepted(row!.answer).observations;
    return { status: 200, body: { observation: observationWithCompany(observation!) } };
  },
};

/** Answer of read_company and read_observation. */
interface Found {
  outcome: "found";
  observations: ObservationRow[];
}
