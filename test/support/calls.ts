/**
 * Describes calls independently of the door (HTTP or MCP): an action, its inputs, an API key, a
 * request key.
 */
import type { FailureCode } from "../../src/failures.ts";
import type { MeteredActionName, ReadActionName } from "../../src/operations/action.ts";
import type { World } from "./world.ts";

/** Name of any action of the contract. */
export type ActionName = MeteredActionName | ReadActionName;

/** A call of an action, for any door. */
export interface Call {
  action: ActionName;
  inputs?: Record<string, unknown>;
  key?: string;
  request_key?: string;
  /** Asks for work in the background. Only searches support it. */
  background?: true;
}

/** Answer of a door to a call. */
export interface DoorAnswer {
  /** HTTP status that the contract gives this answer, also at a door that does not send it. */
  status: number;
  /** True if the door states that an earlier request started the operation. */
  replayed: boolean;
  // deno-lint-ignore no-explicit-any -- each case checks the shape of the body
  body: any;
}

/** A door of the service: a function that sends calls through it. */
export interface Door {
  (call: Call): Promise<DoorAnswer>;
  /** Returns whether the door has a route or a tool for the action. */
  supports(action: ActionName): boolean;
}

/** A case of the contract: a call and its expected status. */
export interface Case {
  /** Title of the case. It begins with the tested action. */
  claim: `${ActionName}: ${string}`;
  /**
   * Prepares the case, makes the tested call, and returns its answer. The preparation may send
   * calls through the door, too.
   */
  ask(world: World, door: Door): Promise<DoorAnswer>;
  status: number;
  code?: FailureCode;
}

/** Names of the metered actions. */
export const METERED = [
  "search_companies",
  "get_companies",
  "list_observations",
  "search_observations",
  "diagnostic",
] as const;
/** Name of a metered action. */
export type Metered = (typeof METERED)[number];
/** Names of the actions that only read, and cost nothing. */
export const READS = ["get_company", "get_observation", "get_operation", "get_usage"] as const;

const GOOD: Record<ActionName, (world: World) => object> = {
  search_companies: () => ({ query: "freezer warehouse", limit: 2 }),
  get_companies: ({ north }) => ({ ids: [north.company_id] }),
  list_observations: () => ({ domains: ["north.example"], since: "2020-01-01T00:00:00Z" }),
  search_observations: () => ({ query: "freezer warehouse", limit: 2 }),
  diagnostic: () => ({}),
  get_company: ({ north }) => ({ id: north.company_id }),
  get_observation: ({ north }) => ({ id: north.observation_id }),
  get_operation: ({ delivered }) => ({ id: delivered.id }),
  get_usage: () => ({}),
};

/** Returns a call that succeeds, with a new request key. */
export function good(world: World, action: ActionName): Call {
  const metered = (METERED as readonly string[]).includes(action);
  return {
    action,
    inputs: GOOD[action](world) as Record<string, unknown>,
    key: world.keys.entitled,
    ...metered && { request_key: world.newKey() },
  };
}
