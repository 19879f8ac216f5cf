/** Observation listing as an action: `GET /api/observations`. */
import { INPUTS } from "../contract/inputs.ts";
import type { DomainStatus, ObservationListResult } from "../contract/listing.ts";
import { LIMITATIONS } from "../contract/result.ts";
import type { Kind } from "../contract/vocabulary.ts";
import type {
  ClaimedOperation,
  Context,
  Frozen,
  MeteredAction,
  Work,
} from "../operations/action.ts";
import { type Answer, shownEntries } from "../operations/answer.ts";
import { observationWithCompany } from "./present.ts";

interface ObservationListing {
  /** Sorted hostnames without duplicates. */
  domains: string[];
  /** Exclusive lower bound in ISO 8601, in UTC with microseconds. */
  since: string;
  /** Sorted kinds without duplicates; empty: all. */
  kinds: Kind[];
  limit: number;
}

export const listObservations: MeteredAction<ObservationListing> = {
  name: "list_observations",
  delivery_unit: "company",
  invalid_input: "invalid_search",
  ready: () => true,
  input: INPUTS.list_observations,
  pageLimit: ({ limit }) => limit,
  plan_limited: false,
  filters: ({ kinds }) => ({ kinds }),
  maximumUnits: ({ limit }) => limit,
  perform,
  present,
};

/** Position after which the next page starts, and the end of the whole listing. */
interface ListingPosition {
  /**
   * Moment at which the last observation of the previous page was recorded or listed again for one
   * of the hostnames (list_observations).
   */
  recorded_at: string;
  observation_id: number;
  /** Moment that the dataset had reached at the first page. Later pages list nothing newer. */
  until: string;
}

interface ListedPage {
  rows: { observation_id: number; company_id: number; recorded_at: string }[];
  until: string;
  domains: DomainStatus[];
}

async function perform(
  { sql }: Context,
  { domains, since, kinds, limit }: ObservationListing,
  { frozen }: ClaimedOperation,
): Promise<Work> {
  // The id is above every real id, so that a first page starts strictly after the moment `since`.
  const first = { recorded_at: since, observation_id: Number.MAX_SAFE_INTEGER };
  const start = frozen as unknown as ListingPosition ?? first;
  const [row] = await sql<{ page: ListedPage }[]>`
    select list_observations(
      ${domains}::text[],
      ${kinds}::text[],
      ${start.recorded_at}::text::timestamptz,
      ${start.observation_id},
      ${frozen === null ? null : (start as ListingPosition).until}::text::timestamptz,
      ${limit}
    ) as page
  `;
  const { rows, until, domains: statuses } = row!.page;
  const listed = rows.slice(0, limit);
  const next = rows.length > limit ? positionAfter(rows[limit - 1]!, until) : undefined;
  return {
    entries: listed.map((one) => ({
      company_id: one.company_id,
      observation_ids: [one.observation_id],
    })),
    // A page before the last one is complete only up to its last row. A poller may continue from
    // the page's as_of instead of its cursor.
    facts: { domains: statuses, as_of: next?.recorded_at ?? until },
    next: next as unknown as Frozen,
    refresh_hostnames: statuses.flatMap(({ hostname, status }) =>
      status === "not_found" ? [hostname] : []
    ),
  };
}

/** Returns the position after the last row of a page that another page follows. */
function positionAfter(last: ListedPage["rows"][number], until: string): ListingPosition {
  return { recorded_at: last.recorded_at, observation_id: last.observation_id, until };
}

type ListBody = Omit<ObservationListResult, "usage" | "request_allowance">;

function present(answer: Answer<ObservationListing>): ListBody {
  const { result, next_cursor } = answer;
  const { as_of, domains } = result as typeof result & { domains: DomainStatus[] };
  const shown = shownEntries(answer).flat();
  const companies = new Set(shown.map((row) => row.company_id));
  return {
    as_of,
    coverage_status: "partial",
    limitations: LIMITATIONS,
    next_cursor,
    delivery_unit: "company",
    withheld_units: answer.operation.delivered_units - companies.size,
    observations: shown.map(observationWithCompany),
    domains,
  };
}
