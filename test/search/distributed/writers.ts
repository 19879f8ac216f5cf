/** Opens writers of search tables that compete, die or are delayed, and checks the tables. */
import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { mergeCompanies, splitCompany } from "../../../src/ingest/record/company_merges.ts";
import { readClock } from "../../../src/search/changes/history.ts";
import { readNodeAddresses } from "../../../src/search/distributed/node_connection.ts";
import { SearchEngine } from "../../../src/search/distributed/search_engine.ts";
import {
  markersStatement,
  originOf,
  readMarkers,
} from "../../../src/search/distributed/table_position.ts";
import { shardTable, type TableSet } from "../../../src/search/distributed/table_schema.ts";
import { TableWriter } from "../../../src/search/distributed/table_writer.ts";
import { record, type Recorded } from "../../support/factories.ts";
import { silent } from "../../support/operations.ts";

/** Number of rows per page, so small that a few records fill several pages. */
const PAGE_ROWS = 4;

/** Milliseconds that are longer than any lease. */
export const BEYOND_LEASE = 3_600_000;

/** A writer with its own connections and its own clock, as in a separate process. */
export interface TestWriter extends AsyncDisposable {
  writer: TableWriter;
  /** Milliseconds by which the writer's clock is ahead. */
  ahead: number;
  /** Called whenever the writer reads its clock, at least once before each statement. */
  onClock: () => void;
}

/** Opens a writer of the tables at the addresses. */
export function openWriter(sql: Sql, search_url: string): TestWriter {
  const engine = new SearchEngine(readNodeAddresses(search_url));
  const opened: TestWriter = {
    ahead: 0,
    onClock: () => {},
    writer: new TableWriter({
      sql,
      engine,
      log: silent,
      page_rows: PAGE_ROWS,
      now: () => {
        opened.onClock();
        return performance.now() + opened.ahead;
      },
    }),
    // The lease is not released, as after a crash.
    [Symbol.asyncDispose]: () => engine.close(),
  };
  return opened;
}

/** Sets the end of the lease to the past. */
export async function endLease(sql: Sql): Promise<void> {
  await sql`
    update search_tables set leased_until = clock_timestamp() - interval '1 second'
    where lease_token is not null
  `;
}

/** Columns of a row that tests compare. Each version of a record has another `occurred_at`. */
type Row = { id: number; company_id: number; occurred_at: number };

/** Reads the tables of all nodes, shard by shard. */
export class Tables implements AsyncDisposable {
  readonly engine: SearchEngine;
  readonly #sql: Sql;

  constructor(sql: Sql, search_url: string) {
    this.#sql = sql;
    this.engine = new SearchEngine(readNodeAddresses(search_url));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.engine.close();
  }

  async serving(): Promise<TableSet | null> {
    const [{ serving }] = await this.#sql<[{ serving: TableSet | null }]>`
      select serving from search_tables
    `;
    return serving;
  }

  /** Returns the number of rows of a set, including its markers. */
  async size(set: TableSet): Promise<number> {
    return (await this.#rowsOf(set, "id > 0")).length;
  }

  /**
   * Asserts that the serving set contains each observation once, in its newest version. Also
   * asserts that each shard has followed all changes and has the marker of only one session.
   */
  async assertWhole(): Promise<void> {
    const set = await this.serving();
    assert.ok(set !== null);
    const rows = await this.#rowsOf(set, `id < ${2 ** 52}`);
    const expected = await this.#sql<Row[]>`
      select id, company_id, (extract(epoch from occurred_at) * 1000000)::bigint as occurred_at
      from observations
      order by id
    `;
    assert.deepEqual(
      rows.toSorted((a, b) => a.id - b.id || a.company_id - b.company_id),
      expected.map((row) => ({ ...row })),
    );
    const clock = await readClock(this.#sql);
    const positions = await this.positions(set);
    assert.deepEqual(
      positions.map(({ followed, sessions }) => [followed?.clock, sessions.length]),
      positions.map(() => [clock.change_seq, 1]),
    );
  }

  async positions(set: TableSet) {
    const { shards } = await this.engine.readLayout();
    const origin = originOf(await readClock(this.#sql), shards);
    const [answer] = await this.engine.search([markersStatement(set)]);
    return readMarkers(answer!.rows, { shards, origin });
  }

  async #rowsOf(set: TableSet, condition: string): Promise<Row[]> {
    const { holders } = await this.engine.readLayout();
    const rows = await Promise.all([...holders[set]].map(async ([shard, [node]]) => {
      const [found] = await node!.select([
        `SELECT id, company_id, occurred_at FROM ${shardTable(set, shard)} WHERE ${condition} ` +
        "ORDER BY id ASC LIMIT 1000",
      ]);
      return found!.map((row) => ({
        id: Number(row.id),
        company_id: Number(row.company_id),
        occurred_at: Number(row.occurred_at),
      }));
    }));
    return rows.flat();
  }
}

/** Records a version of several records, each of a separate company. */
export async function recordVersion(
  sql: Sql,
  { names, version }: { names: readonly string[]; version: number },
): Promise<Recorded[]> {
  return await record(
    sql,
    names.map((name) => ({
      external_id: name,
      company: { name: `Works of ${name}` },
      observed_fact: `A crane for ${name}, for the ${version}th time.`,
      occurred_at: `2026-01-${String(version).padStart(2, "0")}T00:00:00Z`,
    })),
  );
}

/**
 * Returns a function that moves a record to the other shard at each call. It merges the record's
 * company with another one, or splits them again.
 */
export function moverOf(sql: Sql, [one, next]: readonly Recorded[]): () => Promise<void> {
  const [kept, merged] = [one!.company_id, next!.company_id];
  assert.notEqual(kept % 2, merged % 2);
  let merge: number | undefined;
  return async () => {
    if (merge === undefined) {
      ({ merge } = await mergeCompanies(sql, { kept, merged, reason: "one and the same" }));
    } else {
      await splitCompany(sql, merge);
      merge = undefined;
    }
  };
}

/** Returns `count` different names of records. */
export const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `record-x${n}`);
