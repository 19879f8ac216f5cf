/** Defines actions. An action is one kind of request that a caller can make through any door. */
import type { z } from "zod";
import type { Sql } from "../db/connect.ts";
import type { Answer } from "./answer.ts";

export type MeteredActionName =
  | "search_companies"
  | "get_companies"
  | "list_observations"
  | "search_observations"
  | "diagnostic";
export type ReadActionName = "get_company" | "get_observation" | "get_operation" | "get_usage";

/**
 * A caller, identified by the SHA-256 of the key. Every statement that answers a caller checks the
 * key again.
 */
export interface Caller {
  key_hash: Uint8Array;
}

/** Context in which an action works. */
export interface Context {
  sql: Sql;
  /** Clock of a test. Absent: the database's clock, the only one that metering trusts. */
  now?: () => Date;
}

/** A company (or the company of one observation) with the observations that support it. */
export interface DeliveryEntry {
  company_id: number;
  observation_ids: number[];
}

/** Result of perform: the ids of entries in the order of the answer, without bodies. */
export interface Work {
  entries: DeliveryEntry[];
  /** Further facts for a replay, stored unchanged. */
  facts: Record<string, unknown>;
  /** Observations that this attempt has acquired from sources. A later attempt finds them stored. */
  fresh_observation_ids?: number[];
  /** State from which the next page starts. Absent: the next page continues with these entries. */
  next?: Frozen;
  /** Hostnames without coverage, for which sources may be asked. */
  refresh_hostnames?: string[];
}

/** State that is stored for the next page: `next` of a page's work, or its facts and entries. */
export type Frozen = Record<string, unknown>;

/**
 * Inputs that choose the page and the mode (direct or background). They are not part of an action's
 * own inputs.
 */
interface Paging {
  cursor?: string | null;
  background?: boolean;
}

/** A request whose inputs are normalized, so that equal requests are equal values. */
export interface NormalizedRequest<Inputs extends object> {
  inputs: Inputs;
  cursor: string | null;
  background: boolean;
}

/** The operation to perform. */
export interface ClaimedOperation {
  operation_id: number;
  /** State that the previous page has frozen; null for a first page. */
  frozen: Frozen | null;
}

/** A metered action. All metered actions share claim, settle and replay. */
export interface MeteredAction<Inputs extends object = object> {
  name: MeteredActionName;
  /** Meaning of one delivered unit. */
  delivery_unit: "company" | "observation";
  /** Code of the failure for invalid inputs. */
  invalid_input: "invalid_search" | "invalid_lookup";
  /**
   * Returns whether this process can perform the action already. Its index may still be loading.
   */
  ready(): boolean;
  /** Checks raw inputs and normalizes them, so that equal requests are equal values. */
  input: z.ZodType<Inputs & Paging>;
  /**
   * Refuses requests that the schema accepts but the service does not support, before anything is
   * stored. The request may be refused later for another reason, so this must cost next to nothing.
   *
   * @throws Failure unsupported_request
   */
  refuse?(request: NormalizedRequest<Inputs>): void;
  /** Returns the max number of entries per page; null if the action has no pages. */
  pageLimit(inputs: Inputs): number | null;
  /** True if the subscription's plan limits the page size. */
  plan_limited: boolean;
  /**
   * Returns the filters that are checked again when entries are settled. Default: the input
   * `filters`, if there is one.
   */
  filters?(inputs: Inputs): object;
  /** Returns the max number of units that a request can deliver. */
  maximumUnits(inputs: Inputs): number;
  /**
   * Performs an operation.
   * @throws Failure other than `unavailable` to end the operation; after any other error, the
   * operation is retried in the background
   */
  perform(context: Context, inputs: Inputs, claimed: ClaimedOperation): Promise<Work>;
  /** Returns the body of a delivered operation, without its usage and allowance. */
  present(answer: Answer<Inputs>): object;
}

/** An unmetered read. */
export interface ReadAction<Inputs> {
  name: ReadActionName;
  /** Code of the failure for invalid inputs. */
  invalid_input: "invalid_search" | "invalid_lookup";
  /** Checks raw inputs and normalizes them. */
  input: z.ZodType<Inputs>;
  read(context: Context, caller: Caller, inputs: Inputs): Promise<Reply>;
}

/** Answer that a door turns into bytes. */
export interface Reply {
  status: 200 | 202;
  body: object;
  /** True if the operation was started by an earlier request. */
  replayed?: boolean;
  allowance?: AllowanceState;
  /** Times of the operation that is answered. */
  times?: OperationTimes;
}

/** Times of an operation as instants in ISO 8601. */
export interface OperationTimes {
  claimed_at: string;
  finished_at: string | null;
  /** True if the caller has cancelled the operation. */
  cancelled: boolean;
}

/** Remaining request allowance, with the other values of the RateLimit headers. */
export interface AllowanceState {
  window_seconds: number;
  window_limit: number;
  window_remaining: number;
  window_resets_in_seconds: number;
  weekly_limit: number;
  weekly_remaining: number;
  week_resets_in_seconds: number;
}
