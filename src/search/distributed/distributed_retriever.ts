/**
 * Retriever over the tables of an external search engine: Manticore Search, or Sphinx, which has
 * the same SQL. The engine finds candidates among all observations. The candidates are read from
 * the database. The pipeline of an index in memory then ranks them, with the statistics of the
 * whole dataset.
 */
import type { Sql } from "../../db/sql.ts";
import { Failure } from "../../failures.ts";
import { errorFields, type Log } from "../../log.ts";
import { instantOf } from "../../contract/instant.ts";
import { microsecondsOf } from "../index/instants.ts";
import { type Clock, readClock } from "../changes/history.ts";
import type { IndexState } from "../engine/segmented_index.ts";
import { IndexWork } from "../index_work.ts";
import { rankCompanies, rankObservations } from "../ranking/rank.ts";
import { resolve } from "../reading/resolve.ts";
import {
  type ObservationRetrievalRequest,
  ofCompanies,
  ofObservations,
  type Retrieval,
  type RetrievalRequest,
  type Retriever,
} from "../retriever.ts";
import { pauseUntil, poll } from "../polling.ts";
import { DOCUMENTS_MIN, ModelFollower } from "../semantics/model_follower.ts";
import { CandidateIndex } from "./candidate_index.ts";
import { DatasetFacts } from "./dataset_facts.ts";
import { readNodeAddresses } from "./node_connection.ts";
import { SearchEngine } from "./search_engine.ts";
import { TableReader, TablesIncomplete, type TableState } from "./table_reader.ts";
import { TableWriter } from "./table_writer.ts";
import { WholeTables } from "./whole_tables.ts";

/** Milliseconds between two checks while waiting for the writing process. */
const WAIT_MILLISECONDS = 50;
/** Max milliseconds for which a refresh or the start waits for the writing process. */
const REFRESH_MILLISECONDS = 10_000;

interface DistributedRetrieverOptions {
  sql: Sql;
  log: Log;
  /** Addresses of all search nodes in the form `mysql://host:port`, separated by commas. */
  search_url: string;
  /**
   * True if this process may write the tables. Only one of the permitted processes writes at a
   * time. True by default.
   */
  writes?: boolean;
  /** Milliseconds between two queries for changes. */
  poll_milliseconds?: number;
  /** Receives the duration of each search in seconds. */
  searched?: (seconds: number) => void;
}

/**
 * Max number of observations from which a semantic model is learned. More would hardly change the
 * model (semantics/sample.ts).
 */
const SAMPLED_MAX = 20_000;
/** Number of sampled observations that one statement reads. */
const PAGE_IDS = 500;

/** Limitation of results ranked by words alone, although the dataset is big enough for a model. */
const REDUCED_RANKING = "reduced_ranking";

/** Parts of a request from which its question is resolved. */
type QuestionRequest = Pick<RetrievalRequest, "reading" | "filters" | "now">;

/** Retriever over the search nodes of `search_url`. */
export class DistributedRetriever implements Retriever {
  readonly #options: DistributedRetrieverOptions;
  readonly #engine: SearchEngine;
  readonly #reader: TableReader;
  readonly #writer: TableWriter | undefined;
  readonly #work = new IndexWork();
  readonly #semantics: ModelFollower;
  #tables: TableState | undefined;
  /** Reason why the state of the tables could not be read; absent if the last read succeeded. */
  #obstacle: string | undefined = "the search tables are loading";
  #caughtUpAt = performance.now();
  readonly #closing = new AbortController();
  /**
   * True once all changes from before the start can be found, or the wait for them has timed out.
   */
  #started = false;
  #loops: Promise<unknown> | undefined;
  #reading: Promise<Clock> | undefined;
  #writing: Promise<boolean> | undefined;
  readonly #first = Promise.withResolvers<void>();

  constructor(options: DistributedRetrieverOptions) {
    this.#options = options;
    this.#engine = new SearchEngine(readNodeAddresses(options.search_url));
    const parts = { ...options, engine: this.#engine };
    this.#reader = new TableReader(parts);
    this.#writer = options.writes === false ? undefined : new TableWriter(parts);
    this.#semantics = new ModelFollower({
      ...options,
      learn: (state) => this.#work.ask("learn", state),
    });
  }

  get state() {
    return {
      documents: this.#tables?.totals.documents ?? 0,
      bytes: 0,
      lag_seconds: (performance.now() - this.#caughtUpAt) / 1000,
      progress: this.#writer?.progress,
    };
  }

  get ready(): boolean {
    return this.#tables !== undefined;
  }

  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  get now(): Date {
    return new Date(this.#loadedTables().now);
  }

  search(request: RetrievalRequest): Promise<Retrieval> {
    return this.#timed(async () => {
      const { index, ranked, facts } = await this.#prepare(request);
      const ranking = () => rankCompanies(index, { ...request, ...ranked });
      return ofCompanies(await index.settle(ranking), facts);
    });
  }

  searchObservations(request: ObservationRetrievalRequest): Promise<Retrieval> {
    return this.#timed(async () => {
      const { index, ranked, facts } = await this.#prepare(request);
      const ranking = () => rankObservations(index, { ...request, ...ranked });
      return ofObservations(await index.settle(ranking), facts);
    });
  }

  start(): Promise<void> {
    this.#loops ??= Promise.all([
      this.#repeat("search tables cannot be read", () => this.#readFirst()),
      this.#writer !== undefined && this.#repeat("search tables cannot be written", async () => {
        if (await this.#write()) await this.#learn();
      }),
    ]).finally(() => this.#first.resolve());
    return this.#first.promise;
  }

  async refresh(): Promise<void> {
    const { change_seq } = await readClock(this.#options.sql);
    const until = performance.now() + REFRESH_MILLISECONDS;
    while (!this.#closed) {
      if (this.#writer !== undefined) {
        await this.#writing?.catch(() => {});
        await this.#write();
      }
      // A read that began before the write may miss its changes, so its result is ignored.
      await this.#reading?.catch(() => {});
      const isRead = await this.#read().then(() => true, (error) => {
        if (performance.now() > until) throw error;
        return false;
      });
      if (isRead && this.#tables!.followed.clock >= change_seq) return;
      if (performance.now() > until) throw new Failure("unavailable");
      await pauseUntil(this.#closing.signal, WAIT_MILLISECONDS);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#writer?.stop();
    this.#work.close();
    await this.#loops;
    await Promise.allSettled([this.#reading, this.#writing]);
    await this.#writer?.close().catch((error) =>
      this.#options.log.warn("lease of the search tables not released", errorFields(error))
    );
    await this.#engine.close();
    this.#work.close();
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  #loadedTables(): TableState {
    if (this.#tables === undefined) throw new Failure("retrieval_unavailable");
    return this.#tables;
  }

  /** Resolves the question by facts of the dataset. Returns everything that the ranking needs. */
  async #prepare(request: QuestionRequest) {
    const tables = this.#loadedTables();
    const now = request.now ? instantOf(request.now) : tables.now;
    const { table, totals } = tables;
    const engine = new WholeTables(this.#engine, tables);
    const facts = new DatasetFacts({ ...tables, engine, now: microsecondsOf(now) });
    const index = new CandidateIndex({ engine, sql: this.#options.sql, table, facts });
    const question = await index.settle(() => resolve(request.reading, index));
    const { model } = this.#semantics;
    const isReduced = model === undefined && totals.documents >= DOCUMENTS_MIN;
    const limitations = [
      ...isReduced ? [REDUCED_RANKING] : [],
      ...question.corrections.length > 0 ? ["spelling_changed"] : [],
    ];
    const retrieval: Retrieval["retrieval"] = model === undefined ? "lexical" : "hybrid";
    return {
      index,
      ranked: { question, filters: request.filters, now, model },
      facts: { retrieval, limitations },
    };
  }

  async #timed(find: () => Promise<Retrieval>): Promise<Retrieval> {
    const started = performance.now();
    const retrieval = await find();
    this.#options.searched?.((performance.now() - started) / 1000);
    return retrieval;
  }

  /**
   * Reads the state of the tables. The service starts once the state is known. It also starts if
   * the engine is unavailable, because lookups, reads and background work do not need the engine.
   */
  async #readFirst(): Promise<void> {
    try {
      const { change_seq } = await this.#read();
      const until = performance.now() + REFRESH_MILLISECONDS;
      // If no process writes in time, the service starts with the present rows.
      while (
        !this.#started && !this.#closed && this.#tables!.followed.clock < change_seq &&
        performance.now() < until
      ) {
        await pauseUntil(this.#closing.signal, WAIT_MILLISECONDS);
        await this.#read();
      }
      this.#started = true;
      this.#first.resolve();
    } catch (error) {
      if (!(error instanceof TablesIncomplete)) this.#first.resolve();
      throw error;
    }
  }

  /** Reads the state of the tables. Concurrent calls share one read. */
  #read(): Promise<Clock> {
    return this.#reading ??= this.#readTables().finally(() => this.#reading = undefined);
  }

  async #readTables(): Promise<Clock> {
    try {
      const { clock, state } = await this.#reader.read();
      await this.#semantics.follow(clock.model_id);
      this.#tables = state;
      this.#obstacle = undefined;
      if (state.followed.clock >= clock.change_seq) this.#caughtUpAt = performance.now();
      return clock;
    } catch (error) {
      this.#obstacle = error instanceof TablesIncomplete
        ? error.message
        : "the search engine is unavailable";
      throw error;
    }
  }

  /** Writes all changes. Concurrent calls share one write. @returns whether this process writes */
  #write(): Promise<boolean> {
    return this.#writing ??= this.#writer!.catchUp().finally(() => this.#writing = undefined);
  }

  /** Learns the semantic model if it is due. */
  async #learn(): Promise<void> {
    const { sql } = this.#options;
    await this.#semantics.keep({
      size: this.#tables?.totals.documents ?? 0,
      state: () => sampleDataset(sql, this.#work),
    });
    this.#work.release();
  }

  #repeat(complaint: string, work: () => Promise<void>): Promise<void> {
    return poll(work, {
      ...this.#options,
      signal: this.#closing.signal,
      complaint,
      isAwaited: (error) => error instanceof TablesIncomplete,
    });
  }
}

/**
 * Returns an index of up to 20,000 observations, whose ids are evenly spread over all ids.
 */
async function sampleDataset(sql: Sql, work: IndexWork): Promise<IndexState> {
  const [{ last }] = await sql<[{ last: number }]>`
    select coalesce(max(id), 0) as last from observations
  `;
  const count = Math.min(last, SAMPLED_MAX);
  // Discards the rows that an earlier sample added before it failed.
  await work.ask("take");
  for (let from = 0; from < count; from += PAGE_IDS) {
    const ids = Array.from(
      { length: Math.min(PAGE_IDS, count - from) },
      (_, n) => Math.ceil((from + n + 1) * last / count),
    );
    const [{ rows }] = await sql<[{ rows: string }]>`
      select coalesce(json_agg(r order by r.id), '[]')::text as rows from index_rows(${ids}) r
    `;
    await work.ask("add", { rows });
  }
  return await work.ask("take");
}
