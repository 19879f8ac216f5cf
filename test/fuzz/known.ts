/** Keys, ids, hostnames, cursors and pages that exist, for generated requests. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Handler } from "../../src/http/handler.ts";
import { rpc, toolCall } from "../support/mcp.ts";
import type { World } from "../support/world.ts";
import { type JsonNode } from "./json_text.ts";
import type { Hint } from "./schema_values.ts";
import { hostileHostname, hostileNumber, hostileText } from "./values.ts";

/** A first page with a cursor to the next one. */
export interface Page {
  inputs: Record<string, unknown>;
  cursor: string;
}

export interface Known {
  /** API key of the account that makes most requests. */
  key: string;
  /** API keys of other accounts: entitled, without units, lapsed, revoked. */
  other_keys: string[];
  company_ids: number[];
  observation_ids: number[];
  /** Operations of `key`, and one of another account. */
  operation_ids: number[];
  /** The operation of the other account. */
  foreign_operation_id: number;
  hostnames: string[];
  /** First pages of `key`, by the action that continues them. */
  pages: { search_companies: Page; list_observations: Page; search_observations: Page };
  /** Cursors that belong to another account. */
  stolen: string[];
}

/** Makes operations and first pages for two accounts, and collects their ids and cursors. */
export async function collectKnown(fetch: Handler, world: World): Promise<Known> {
  const { keys, north, gone } = world;
  const entitled = await makePages(fetch, world, keys.entitled);
  const trialing = await makePages(fetch, world, keys.trialing);
  return {
    key: keys.entitled,
    other_keys: [
      keys.trialing,
      keys.without_requests,
      keys.without_deliveries,
      keys.lapsed,
      keys.revoked,
    ],
    company_ids: [1, 2, 3, north.company_id, gone.company_id, 999_999],
    observation_ids: [1, 2, north.observation_id, gone.observation_id, 999_999],
    operation_ids: [...entitled.operation_ids, trialing.operation_ids[0]!],
    foreign_operation_id: trialing.operation_ids[0]!,
    hostnames: ["north.example", "shared.example", "east.example", "gone.example"],
    pages: entitled.pages,
    stolen: Object.values(trialing.pages).map(({ cursor }) => cursor),
  };
}

/**
 * Asserts that a successful answer to `key` contains no operation of another account, and that its
 * request contained no cursor of another account.
 * @param text address and body of the request
 */
export function assertOwn(
  { key, stolen, foreign_operation_id }: Known,
  { headers, text, usage }: {
    headers: [string, string][];
    text: string;
    usage: { id: number } | undefined;
  },
  claim: string,
): void {
  const keys = headers.filter(([name]) => name === "authorization").map(([, value]) => value);
  if (usage === undefined || keys.some((one) => one !== `Bearer ${key}`)) return;
  assert.notEqual(usage.id, foreign_operation_id, `${claim}: an operation of another account`);
  for (const cursor of stolen) {
    assert.ok(!text.includes(cursor), `${claim}: a cursor of another account`);
  }
}

const QUERY = "freezer warehouse";
const SINCE = "2020-01-01T00:00:00Z";

async function makePages(
  fetch: Handler,
  world: World,
  key: string,
): Promise<Pick<Known, "pages" | "operation_ids">> {
  const page = async (answer: unknown, inputs: Record<string, unknown>) => {
    const { next_cursor, usage } = await answer as {
      next_cursor: string | null;
      usage: { id: number };
    };
    assert.ok(next_cursor);
    return { page: { inputs, cursor: next_cursor }, id: usage.id };
  };
  const call = async (name: string, inputs: object) => {
    const args = { ...inputs, request_key: world.newKey() };
    return (await rpc({ fetch }, toolCall(name, args), { key })).body.result.structuredContent;
  };
  const search = { query: QUERY, limit: 1 };
  const listing = { domains: ["north.example"], since: SINCE, limit: 1 };
  const companies = await page(call("search_companies", search), search);
  const observations = await page(call("search_observations", search), search);
  const response = await fetch(
    new Request(
      `http://127.0.0.1/api/observations?domains[]=north.example&since=${SINCE}&limit=1`,
      { headers: { "authorization": `Bearer ${key}`, "idempotency-key": world.newKey() } },
    ),
  );
  const listed = await page(response.json(), listing);
  return {
    operation_ids: [companies.id, observations.id, listed.id],
    pages: {
      search_companies: companies.page,
      search_observations: observations.page,
      list_observations: listed.page,
    },
  };
}

/** Hints for the fields of the documents, by name. */
export function hintsOf(known: Known): Record<string, Hint> {
  const hostnames: Hint = {
    clean: fc.constantFrom(...known.hostnames, "m\u00fcnchen.de", "no-such.example"),
    hostile: hostileHostname(known.hostnames),
  };
  const company_ids: Hint = { clean: fc.constantFrom(...known.company_ids) };
  const cursors = [
    ...Object.values(known.pages).map(({ cursor }) => cursor),
    ...known.stolen,
    "c".repeat(32),
    "",
  ];
  const queries: JsonNode[] = [QUERY, "un entrep\u00f4t frigorifique", "steel and rail", "North"];
  return {
    query: { clean: fc.constantFrom(...queries), hostile: hostileText },
    domains: hostnames,
    exclude_domains: hostnames,
    ids: company_ids,
    company_ids,
    exclude_company_ids: company_ids,
    id: {
      clean: fc.constantFrom(
        ...known.company_ids,
        ...known.observation_ids,
        ...known.operation_ids,
      ),
      hostile: hostileNumber,
    },
    // 26 is one more than the plan of the account allows.
    limit: { clean: fc.integer({ min: 1, max: 26 }), hostile: hostileNumber },
    cursor: {
      clean: fc.constant(null),
      hostile: fc.oneof(fc.constantFrom(...cursors), hostileText),
    },
  };
}
