/** Calls in words that every door can say: an action, its inputs, a key, a request key. */
import type { FailureCode } from "../../src/failures.ts";
import type { MeteredActionName, ReadActionName } from "../../src/operations/action.ts";
import type { World } from "./world.ts";

export type ActionName = MeteredActionName | ReadActionName;

export interface Call {
  action: ActionName;
  inputs?: Record<string, unknown>;
  key?: string;
  request_key?: string;
  /** Asks for background work; only searches know it. */
  background?: true;
}

/** Answer of a door to a call. */
export interface Answered {
  /** Status that HTTP would answer with, whichever the door. */
  status: number;
  /** True if an earlier request had started the operation, as the door says it. */
  replayed: boolean;
  // deno-lint-ignore no-explicit-any -- a case says itself what it expects of a body
  body: any;
}

export interface Door {
  (call: Call): Promise<Answered>;
  /** Returns whether it has a route or a tool for the action. */
  speaks(action: ActionName): boolean;
}

export interface Case {
  /** Begins with the action that it is about. */
  claim: `${ActionName}: ${string}`;
  /** Prepares what it needs and makes the call that is judged; earlier calls are judged alike. */
  ask(world: World, door: Door): Promise<Answered>;
  status: number;
  code?: FailureCode;
}

export function actionOf({ claim }: Case): ActionName {
  return claim.slice(0, claim.indexOf(":")) as ActionName;
}

export const METERED = [
  "search_companies",
  "get_companies",
  "list_observations",
  "search_observations",
  "diagnostic",
] as const;
export type Metered = (typeof METERED)[number];
export const READS = ["get_company", "get_observation", "get_operation", "get_usage"] as const;

export type Asked = (typeof METERED | typeof READS)[number];

const GOOD: Record<Asked, (world: World) => object> = {
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

/** A call that succeeds, under a new key. */
export function good(world: World, action: Asked): Call {
  const metered = (METERED as readonly string[]).includes(action);
  return {
    action,
    inputs: GOOD[action](world) as Record<string, unknown>,
    key: world.keys.entitled,
    ...metered && { request_key: world.newKey() },
  };
}
