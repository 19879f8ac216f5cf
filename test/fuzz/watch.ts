/** Conditions on units, rows and the log, in addition to those on answers. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { KINDS } from "../../src/contract/vocabulary.ts";
import { PAGES } from "../../src/http/pages.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { createLog, type Log } from "../../src/log.ts";
import { METERED } from "../support/calls.ts";
import { TOOL_NAMES } from "../support/mcp.ts";

/** Numbers of rows and units in the whole database. */
export interface Stored {
  operations: number;
  settlements: number;
  request_units: number;
  delivered_units: number;
  /** Number of rows that only a new operation may add. */
  others: number;
}

export async function readStored(sql: Sql): Promise<Stored> {
  const [row] = await sql<Stored[]>`
    select
      (select count(*) from operations) as operations,
      (select count(*) from ledger) as settlements,
      (select coalesce(sum(request_units), 0)::integer from ledger) as request_units,
      (select coalesce(sum(delivered_units), 0)::integer from ledger) as delivered_units,
      (select count(*) from hostname_refreshes) + (select count(*) from shortlists) as others
  `;
  return { ...row! };
}

/** Parts of an answer that determine its charge. */
export interface Charged {
  status: number;
  replayed: boolean;
  /** True if the request was for a metered action. */
  metered: boolean;
  usage?: { request_units: number; delivered_units: number };
}

/** Asserts that the rows before and after a request differ by the charge of its answer. */
export function assertCharged(
  before: Stored,
  after: Stored,
  { status, replayed, metered, usage }: Charged,
  claim: string,
): void {
  const isNew = metered && !replayed && (status === 200 || status === 202);
  const { request_units = 0, delivered_units = 0 } = isNew && status === 200 ? usage! : {};
  const expected = {
    ...before,
    operations: before.operations + (isNew ? 1 : 0),
    settlements: before.settlements + (isNew && status === 200 ? 1 : 0),
    request_units: before.request_units + request_units,
    delivered_units: before.delivered_units + delivered_units,
    others: isNew ? after.others : before.others,
  };
  assert.deepEqual(after, expected, claim);
  if (isNew && status === 200) assert.equal(request_units, 1, claim);
}

const LOGGED_ROUTES = [
  "/mcp",
  "/healthz",
  "/readyz",
  "/console/demo_key",
  "/docs/tools.json",
  ...PAGES.keys(),
  ...ROUTES.map(({ path }) => path),
];

const PATTERNS: Record<string, RegExp> = {
  time: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  level: /^(debug|info)$/,
  request_id: /^[0-9a-f-]{36}$/,
  method: /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|OTHER)$/,
  route: new RegExp(`^(null|${LOGGED_ROUTES.join("|").replaceAll(".", "\\.")})$`),
  tool: new RegExp(`^(${TOOL_NAMES.join("|")})$`),
  message: /^(request|background operation finished|operations swept|index [a-z ]+)$/,
  kinds: new RegExp(`^((${KINDS.join("|")}) ?)*$`),
  countries: /^((CA|US) ?)*$/,
  // A metered action.
  action: new RegExp(`^(${METERED.join("|")})$`),
  // An error code of the service or of JSON-RPC.
  code: /^([a-z_]+|-\d{5})$/,
  status: /^(\d{3}|delivered|failed)$/,
};

/** Pattern of the other members: counts, ids and durations. */
const NUMBER = /^-?[0-9.e+-]+$/;

/** Returns a log of all levels, and the list of its lines. */
export function watchedLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog("debug", (line) => void lines.push(line)), lines };
}

/**
 * Asserts that the values of every line come from closed sets, so that no line contains a key, a
 * query or a header. It also fails for warnings and errors, because no request may cause them.
 */
export function assertInnocent(lines: readonly string[]): void {
  for (const line of lines) {
    assert.match(line, /^\{.*\}\s*$/, `no line of the log: ${line}`);
    for (const [name, value] of Object.entries(JSON.parse(line))) {
      const pattern = PATTERNS[name] ?? NUMBER;
      assert.match(String(value), pattern, line);
    }
  }
}
