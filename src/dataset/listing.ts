/** The observation listing as an action: `GET /api/observations`. */
import { noSuchField } from "../contract/invalid.ts";
import {
  type DomainStatus,
  LISTING_DOMAINS_MAX,
  LISTING_LIMIT_DEFAULT,
  LISTING_LIMIT_MAX,
  type ObservationListResult,
} from "../contract/listing.ts";
import { LIMITATIONS } from "../contract/result.ts";
import { type Kind, KINDS } from "../contract/vocabulary.ts";
import { Failure } from "../failures.ts";
import type {
  ClaimedOperation,
  Context,
  Frozen,
  MeteredAction,
  NormalizedRequest,
  Work,
} from "../operations/action.ts";
import { type Answer, shownEntries } from "../operations/answer.ts";
import { normalizeCursor } from "../operations/cursor.ts";
import { sortedSet } from "../operations/identity.ts";
import { normalizeHostname } from "./hostname.ts";
import { normalizeInstant } from "../contract/instant.ts";
import { observationWithCompany } from "./observation.ts";

export interface ObservationListing {
  /** Sorted, each once. */
  domains: string[];
  /** Strictly after; ISO 8601 in UTC with microseconds. */
  since: string;
  /** Sorted, each once; none: all. */
  kinds: Kind[];
  limit: number;
}

export const listObservations: MeteredAction<ObservationListing> = {
  name: "list_observations",
  delivery_unit: "company",
  invalid_input: "invalid_search",
  ready: () => true,
  normalize,
  pageLimit: ({ limit }) => limit,
  plan_limited: false,
  filters: ({ kinds }) => ({ kinds }),
  maximumUnits: ({ limit }) => limit,
  perform,
  present,
};

const FIELDS = ["domains", "since", "kinds", "limit", "cursor"];

function normalize(raw: unknown): NormalizedRequest<ObservationListing> {
  const given = raw as Record<string, unknown>;
  for (const field of Object.keys(given)) {
    if (!FIELDS.includes(field)) throw noSuchField("invalid_search", [field]);
  }
  return {
    inputs: {
      domains: sortedSet(list("domains", given.domains).map(hostname)),
      since: since(given.since),
      kinds: sortedSet(given.kinds === undefined ? [] : list("kinds", given.kinds).map(kind)),
      limit: limit(given.limit),
    },
    cursor: normalizeCursor(given.cursor),
    background: false,
  };
}

function list(field: string, raw: unknown): unknown[] {
  if (!Array.isArray(raw) || raw.length < 1 || raw.length > LISTING_DOMAINS_MAX) {
    throw invalid(field, `a list of 1 to ${LISTING_DOMAINS_MAX} is required`);
  }
  return raw;
}

function hostname(raw: unknown, place: number): string {
  const found = typeof raw === "string" ? normalizeHostname(raw) : undefined;
  if (found === undefined) {
    throw invalid(`domains[${place}]`, "a hostname is required, no URL or e-mail address");
  }
  return found;
}

function kind(raw: unknown, place: number): Kind {
  if (!KINDS.includes(raw as Kind)) throw invalid(`kinds[${place}]`, `one of ${KINDS.join(", ")}`);
  return raw as Kind;
}

function since(raw: unknown): string {
  const instant = typeof raw === "string" ? normalizeInstant(raw) : undefined;
  if (instant === undefined) {
    throw invalid("since", "a date and time with its offset is required: 2026-03-01T00:00:00Z");
  }
  return instant;
}

function limit(raw: unknown): number {
  if (raw === undefined) return LISTING_LIMIT_DEFAULT;
  const limit = typeof raw === "string" && /^[0-9]{1,4}$/.test(raw) ? Number(raw) : raw;
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= LISTING_LIMIT_MAX) {
    return Number(limit);
  }
  throw invalid("limit", `an integer of 1 to ${LISTING_LIMIT_MAX} is required`);
}

function invalid(field: string, expected: string): Failure {
  return new Failure("invalid_search", { message: `${field}: ${expected}.` });
}

/** Position after which the next page starts, and the moment at which it ends. */
interface Position {
  /** Moment at which the hostnames gained the last observation of the page before. */
  recorded_at: string;
  observation_id: number;
  until: string;
  /** Moment up to which the pages before have delivered everything. */
  complete: string;
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
  // Past every id: a first page starts strictly after the moment.
  const first = { recorded_at: since, observation_id: Number.MAX_SAFE_INTEGER, complete: since };
  const start = frozen as unknown as Position ?? first;
  const [row] = await sql<{ page: ListedPage }[]>`
    select list_observations(
      ${domains}::text[],
      ${kinds}::text[],
      ${start.recorded_at}::text::timestamptz,
      ${start.observation_id},
      ${frozen === null ? null : (start as Position).until}::text::timestamptz,
      ${limit}
    ) as page
  `;
  const { rows, until, domains: statuses } = row!.page;
  const listed = rows.slice(0, limit);
  const next = rows.length > limit ? positionAfter(rows, { limit, until, start }) : undefined;
  return {
    entries: listed.map((one) => ({
      company_id: one.company_id,
      observation_ids: [one.observation_id],
    })),
    // A page that is not the last has only reached what it holds: a poller may go on from its as_of
    // instead of its cursor.
    facts: { domains: statuses, as_of: next?.complete ?? until },
    next: next as unknown as Frozen,
    refresh_hostnames: statuses.flatMap(({ hostname, status }) =>
      status === "not_found" ? [hostname] : []
    ),
  };
}

function positionAfter(
  rows: ListedPage["rows"],
  { limit, until, start }: { limit: number; until: string; start: { complete: string } },
): Position {
  const last = rows[limit - 1]!;
  const cut = rows[limit]!;
  // Moments differ, so this is the last row's. Only batches of a database from before they did share
  // one: it is reached once all of its observations are delivered.
  const reached = rows.slice(0, limit).filter((row) => row.recorded_at < cut.recorded_at);
  return {
    recorded_at: last.recorded_at,
    observation_id: last.observation_id,
    until,
    complete: reached.at(-1)?.recorded_at ?? start.complete,
  };
}

type ListBody = Omit<ObservationListResult, "usage" | "request_allowance">;

function present(answer: Answer<ObservationListing>): ListBody {
  const { result, operation, next_cursor } = answer;
  const { as_of, domains } = result as typeof result & { domains: DomainStatus[] };
  const shown = shownEntries(answer).flat();
  const companies = new Set(shown.map((row) => row.company_id));
  return {
    as_of,
    coverage_status: "partial",
    limitations: LIMITATIONS,
    next_cursor,
    delivery_unit: "company",
    withheld_units: operation.delivered_units - companies.size,
    observations: shown.map(observationWithCompany),
    domains,
  };
}
