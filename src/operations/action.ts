/** An action: one thing a caller can ask for, whichever door they came through. */
import type { z } from "zod";
import type { Sql } from "../db/connect.ts";
import type { ChargedUnits } from "../metrics.ts";
import type { Answer } from "./answer.ts";
import type { ObservationTexts } from "./observation_text.ts";

export type MeteredActionName =
  | "search_companies"
  | "get_companies"
  | "list_observations"
  | "search_observations"
  | "diagnostic";
export type ReadActionName = "get_company" | "get_observation" | "get_operation" | "get_usage";

/** The caller: the SHA-256 of their key. Every statement that answers them checks it anew. */
export interface Caller {
  key_hash: Uint8Array;
}

/** Context in which an action works. */
export interface Context {
  sql: Sql;
  /** Texts of observations that this process has written already. */
  texts: ObservationTexts;
  /** Fixes the clock in tests. Absent: the database's own, the only one that metering trusts. */
  now?: () => Date;
}

/** A company (or the company of one observation) with the observations that support it. */
export interface DeliveryEntry {
  company_id: number;
  observation_ids: number[];
}

/** Result of perform: ids in their order, no bodies. */
export interface Work {
  entries: DeliveryEntry[];
  /** Further facts for a replay; stored as they are. */
  facts: Record<string, unknown>;
  /** Observations that this operation itself acquired. */
  fresh_observation_ids?: number[];
  /** There is a next page, and it starts from this. Absent: it goes on with these entries. */
  next?: Frozen;
  /** Hostnames without coverage, which sources may be asked for. */
  refresh_hostnames?: string[];
}

/** State that a page has frozen for the next one: its `next`, or its facts and entries. */
export type Frozen = Record<string, unknown>;

/** A schema that parses raw inputs. Documents describe what it takes. */
export type InputSchema<Output> = z.ZodType<Output>;

/** Inputs that are no part of what is asked for. */
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

/** The operation that is performed. */
export interface ClaimedOperation {
  operation_id: number;
  /** State that the page before has frozen; null for a first page. */
  frozen: Frozen | null;
}

/** A metered action. Claim, settle and replay are the same for all. */
export interface MeteredAction<Inputs extends object = object> {
  name: MeteredActionName;
  /** Meaning of one delivered unit. */
  delivery_unit: "company" | "observation";
  /** The code of its bad inputs. */
  invalid_input: "invalid_search" | "invalid_lookup";
  /** Returns whether this process can perform it already: its index may still be loading. */
  ready(): boolean;
  /** Checks raw inputs and brings them into one form, so that equal requests are equal values. */
  input: InputSchema<Inputs & Paging>;
  /**
   * Refuses what the schema takes and the service does not do, before anything is stored.
   *
   * @param now see Context
   * @throws Failure unsupported_request
   */
  refuse?(request: NormalizedRequest<Inputs>, now?: () => Date): void;
  /** Entries a page; null where the action has no pages. */
  pageLimit(inputs: Inputs): number | null;
  /** True if a page may not be larger than the subscription's plan says. */
  plan_limited: boolean;
  /**
   * Returns the filters that entries are checked against again when they are settled. By default
   * the input `filters`, if there is one.
   */
  filters?(inputs: Inputs): object;
  /** The answer shows which hostnames companies hold. */
  shows_hostnames?: boolean;
  /** The most units that such a request can deliver. */
  maximumUnits(inputs: Inputs): number;
  /** @throws Failure where the operation ends by it; anything else is tried again in the background */
  perform(context: Context, inputs: Inputs, claimed: ClaimedOperation): Promise<Work>;
  /** The body of a delivered operation, without its usage and allowance. */
  present(answer: Answer<Inputs>): object;
}

/** An unmetered read. */
export interface ReadAction<Inputs> {
  name: ReadActionName;
  /** The code of its bad inputs. */
  invalid_input: "invalid_search" | "invalid_lookup";
  /** Checks raw inputs and brings them into one form. */
  input: InputSchema<Inputs>;
  read(context: Context, caller: Caller, inputs: Inputs): Promise<Reply>;
}

/** Answer that a door turns into bytes. */
export interface Reply {
  status: 200 | 202;
  body: object;
  /** The answer of an operation that an earlier request started. */
  replayed?: boolean;
  allowance?: AllowanceState;
  /** Units that this request was charged. Absent if it was not charged. */
  charged?: ChargedUnits;
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
