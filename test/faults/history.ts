/** Records the requests of clients and their answers, in the form that the checker compares. */
import { createHash } from "node:crypto";
import type { Operation } from "../../src/contract/operation.ts";
import type { ActionName } from "../support/calls.ts";

/** Answer to a client. Texts that may be long are kept as digests. */
export interface Answer {
  status: number;
  /** Error code; null for a success. */
  code: string | null;
  replayed: boolean;
  usage: Operation | null;
  /** Number of delivered units that this answer shows. */
  shown_units: number;
  /** Number of delivered units that this answer withholds; null if it delivers nothing. */
  withheld_units: number | null;
  /** Shown observations in their order: `company/observation`, with a digest of the content. */
  entries: readonly (readonly [place: string, digest: string])[];
  /** Outcome of each lookup target. */
  lookups: readonly (readonly [target: string, outcome: string])[];
  /** Digest of all members that no withdrawal may change. */
  frame: string;
}

/** One call by one client. */
export interface CallRecord {
  account_id: number;
  /** Null for reads, which have no request key. */
  request_key: string | null;
  action: ActionName;
  /** Digest of action and normalized inputs: equal for equal requests. */
  meaning: string;
  replica: string;
  door: "http" | "mcp";
  /** Milliseconds since the start of the history. */
  started: number;
  ended: number;
  /** Null if the answer was lost: the client hung up, or the connection broke. */
  answer: Answer | null;
}

/** Everything that clients did and saw, and what operators changed meanwhile. */
export class History {
  readonly calls: CallRecord[] = [];
  /** Companies and observations that were hidden for a while, or changed: `c7`, `o12`. */
  readonly disturbed = new Set<string>();
  /** Records whose writing was acknowledged: `source/external_id`. */
  readonly acknowledged = new Set<string>();
  /** Request keys whose operations may fail or expire: `account_id/request_key`. */
  readonly may_fail = new Set<string>();
  readonly #start = performance.now();

  /** Returns the milliseconds since the start of the history. */
  now(): number {
    return performance.now() - this.#start;
  }
}

/** Returns the digest of a value, independent of the order of an object's members. */
export function digest(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex").slice(0, 16);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => a < b ? -1 : 1);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)}}`;
}

// deno-lint-ignore no-explicit-any -- any body of the service
type Body = any;

/**
 * Reduces a body to the parts that are compared. The `limitations` of a company are left out,
 * because they depend on the observations that are shown of it.
 */
export function readAnswer(status: number, body: Body, replayed: boolean): Answer {
  const {
    usage = null,
    request_allowance: _allowance,
    error,
    withheld_units = null,
    companies,
    observations,
    lookups = [],
    coverage,
    ...frame
  } = body ?? {};
  const isDelivered = usage?.status === "delivered" && error === undefined;
  const entries = isDelivered ? entriesOf(companies, observations) : [];
  return {
    status,
    code: error?.code ?? null,
    replayed,
    usage,
    shown_units: frame.delivery_unit === "observation"
      ? entries.length
      : companies?.length ?? new Set(entries.map(([place]) => place.split("/")[0])).size,
    withheld_units,
    entries,
    lookups: lookups.map(({ id, hostname, status, company_id = null }: Body) =>
      [String(id ?? hostname), `${status} ${company_id}`] as const
    ),
    frame: isDelivered ? digest({ ...frame, stop_reason: coverage?.stop_reason }) : "",
  };
}

function entriesOf(companies: Body[] = [], observations: Body[] = []): [string, string][] {
  return [
    ...companies.flatMap(({ id, observations }) =>
      observations.map((one: Body) => [`c${id}/o${one.id}`, contentOf(one)])
    ),
    ...observations.map((one) => [`c${one.company.id}/o${one.id}`, contentOf(one)]),
  ] as [string, string][];
}

/** Returns the digest of an observation without `last_seen_at`, which may change after delivery. */
function contentOf({ evidence = [], company: _, ...observation }: Body): string {
  const stable = evidence.map(({ last_seen_at: _, ...rest }: Body) => rest);
  return digest({ ...observation, evidence: stable });
}
