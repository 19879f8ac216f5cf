/** Maps paths and methods to action names (specification 4). */
import type { MeteredActionName, ReadActionName } from "../operations/action.ts";

interface PathRoute {
  method: "GET" | "POST";
  /** Path in Hono's notation. */
  path: string;
}

/** A route of the table. */
export type Route =
  | PathRoute & { kind: "metered"; action: MeteredActionName; input: "json" | "query" }
  | PathRoute & { kind: "read"; action: ReadActionName; input: "id" | "none" };

/** All routes under `/api`. */
export const ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/api/companies/search",
    kind: "metered",
    action: "search_companies",
    input: "json",
  },
  {
    method: "GET",
    path: "/api/companies",
    kind: "metered",
    action: "get_companies",
    input: "query",
  },
  {
    method: "GET",
    path: "/api/observations",
    kind: "metered",
    action: "list_observations",
    input: "query",
  },
  { method: "GET", path: "/api/companies/:id", kind: "read", action: "get_company", input: "id" },
  {
    method: "GET",
    path: "/api/observations/:id",
    kind: "read",
    action: "get_observation",
    input: "id",
  },
  { method: "GET", path: "/api/usages/:id", kind: "read", action: "get_operation", input: "id" },
  { method: "GET", path: "/api/usage", kind: "read", action: "get_usage", input: "none" },
];
