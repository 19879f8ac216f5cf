/**
 * Embeds observations in the order of the dataset's changes. A worker holds the lease of a model
 * while it reads, embeds and stores one page after the other. If the worker dies, another worker
 * continues after the last complete page. Vectors that are stored already are not requested again.
 */
import { hash } from "node:crypto";
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import { type ChangePage, documentOf, parseChanges, readChanges } from "../changes/changes.ts";
import { ModelFault } from "../models/model_endpoint.ts";
import { embeddedText, type EmbeddingEndpoint, storedNameOf } from "./embedded_text.ts";
import { type EmbeddingRow, embeddingRow, FORMAT } from "../vectors/quantized.ts";
import { BATCH_TEXTS, embedTexts, type Text } from "./text_batches.ts";

interface EmbedderOptions {
  sql: Sql;
  log: Log;
  endpoint: EmbeddingEndpoint;
  /** Max milliseconds of a call to the endpoint. */
  milliseconds?: number;
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Number of rows per page: four batches, which are sent at the same time. */
const PAGE_ROWS = 4 * BATCH_TEXTS;

/**
 * Seconds of a lease. Each stored batch renews the lease. Between two stores, a batch may be
 * refused seven times, in ever smaller parts, and a probe may be sent. Each of these calls may take
 * the max time of an answer.
 */
const ENCODING_LEASE_SECONDS = 300;

/** Milliseconds of pause after a first failure. Each further failure in a row doubles it. */
const BACK_OFF_MILLISECONDS = 1_000;
const BACK_OFF_MILLISECONDS_MAX = 300_000;
/**
 * Upper bound of a pause that an endpoint requests, in milliseconds. It is well below one hour,
 * after which an unused model may be retired: see retire_embeddings().
 */
const RETRY_MILLISECONDS_MAX = 900_000;

/**
 * Number of failures of the endpoint in a row after which texts may be given up. A page then has
 * one row, because each failure has halved the number of rows.
 */
const FAILURES_MAX = 10;

/** Max number of outdated vectors that one statement deletes. */
const TIDIED_ROWS = 2_000;

/** A model, with the position after which its next page begins. */
interface Claimed {
  model_id: number;
  dimensions: number | null;
  change_seq: number;
  observation_id: number;
}

/** A worker that embeds observations. */
export class Embedder {
  readonly #lease = crypto.randomUUID();
  /** Number of rows per page. Each failure halves it, because the endpoint may be slow. */
  #rows = PAGE_ROWS;
  #failures = 0;
  /** Number of failures of the endpoint since its last success, without those of the database. */
  #faults = 0;
  #notBefore = -Infinity;

  constructor(private readonly options: EmbedderOptions) {}

  /**
   * Embeds the next page. After the last page, it deletes outdated vectors.
   *
   * @returns whether there may be more to do
   * @throws errors of the database. A failure of the endpoint is logged, and the page is retried
   * later
   */
  async step(signal: AbortSignal): Promise<boolean> {
    if (this.#now() < this.#notBefore) return false;
    const { sql, endpoint } = this.options;
    const name = storedNameOf(endpoint);
    const [{ claimed }] = await sql<[{ claimed: Claimed | null }]>`
      select claim_embedding(${name}, ${FORMAT}, ${this.#lease}, ${ENCODING_LEASE_SECONDS}) as claimed
    `;
    return claimed !== null && await this.#tryPage(claimed, signal) || await this.#tidy();
  }

  /** Gives the lease back, so that another worker can continue. */
  async release(): Promise<void> {
    await this.options.sql`select release_embedding(${this.#lease})`;
  }

  #now(): number {
    return this.options.now?.() ?? performance.now();
  }

  /** Embeds a page. An endpoint's failure is logged. @returns whether there may be another page */
  async #tryPage(claimed: Claimed, signal: AbortSignal): Promise<boolean> {
    try {
      const more = await this.#embedPage(claimed, signal);
      this.#failures = this.#faults = 0;
      this.#rows = Math.min(PAGE_ROWS, 2 * this.#rows);
      return more;
    } catch (error) {
      if (signal.aborted) return false;
      // The worker backs off after any failure, also of the database: each retry pays the endpoint
      // again for answers that could not be stored.
      this.#backOff(error);
      if (!(error instanceof ModelFault)) throw error;
      this.#faults++;
      // Another worker may be able to reach the endpoint.
      await this.release();
      return false;
    }
  }

  async #tidy(): Promise<boolean> {
    const { sql, endpoint } = this.options;
    const name = storedNameOf(endpoint);
    const [{ deleted }] = await sql<[{ deleted: number }]>`
      select
        retire_embeddings(${name}, ${FORMAT}, ${TIDIED_ROWS})
        + forget_expired(${name}, ${FORMAT}, ${TIDIED_ROWS}) as deleted
    `;
    return deleted > 0;
  }

  #backOff(error: unknown): void {
    const fault = error instanceof ModelFault ? error : undefined;
    const wait = Math.min(BACK_OFF_MILLISECONDS * 2 ** this.#failures++, BACK_OFF_MILLISECONDS_MAX);
    const requested = Math.min(fault?.retry_milliseconds ?? 0, RETRY_MILLISECONDS_MAX);
    this.#notBefore = this.#now() + Math.max(wait, requested);
    this.#rows = Math.max(1, Math.floor(this.#rows / 2));
    if (fault === undefined) return;
    this.options.log.warn("observations not embedded", {
      host: this.options.endpoint.url.host,
      fault: fault.message,
      failures: this.#failures,
    });
  }

  async #embedPage(claimed: Claimed, signal: AbortSignal): Promise<boolean> {
    const { sql, log, endpoint, milliseconds } = this.options;
    const { model_id, dimensions, change_seq, observation_id: id } = claimed;
    const limit = this.#rows;
    const page = await readChanges(sql, { after: { change_seq, id }, limit });
    const { texts, withdrawn } = await this.#changesToStored(model_id, page);
    // The rows of withdrawn texts lose their vectors, and every process drops these from memory.
    if (withdrawn.length > 0) await this.#store(model_id, withdrawn);
    const refusals: ModelFault[] = [];
    const gives_up = this.#faults >= FAILURES_MAX;
    try {
      await embedTexts(texts, {
        ...{ endpoint, milliseconds, signal, dimensions, gives_up },
        store: async (embedded) => {
          refusals.push(...embedded.flatMap(({ refusal }) => refusal ?? []));
          const rows = embedded.map(({ id, key, vector }) => embeddingRow(id, key, vector));
          // Dimensions are stored only with a vector, because a model without dimensions does not
          // serve, and a model without vectors must not serve.
          const hasVector = rows.some(({ vector }) => vector !== null);
          await this.#store(model_id, rows, hasVector ? embedded[0]!.vector!.length : null);
        },
      });
    } finally {
      const fault = refusals[0]?.message;
      const { host } = endpoint.url;
      if (fault) log.warn("texts refused by the model", { host, fault, texts: refusals.length });
    }
    const at_end = page.count < limit;
    const { last } = page;
    const [{ kept }] = await sql<[{ kept: boolean }]>`
      select advance_embedding(
        ${model_id}, ${this.#lease}, ${last.change_seq}, ${last.id}, ${at_end}
      ) as kept
    `;
    if (!kept) log.warn("embeddings not stored: the lease has run out");
    return !at_end;
  }

  /** Returns texts with a missing or outdated vector, and rows that may no longer have one. */
  async #changesToStored(
    model_id: number,
    page: ChangePage,
  ): Promise<{ texts: Text[]; withdrawn: EmbeddingRow[] }> {
    const changed = parseChanges(page);
    const stored = await this.options.sql<{ observation_id: number; key: string }[]>`
      select observation_id, encode(content_key, 'hex') as key
      from observation_embeddings
      where model_id = ${model_id} and observation_id = any(${changed.map(({ id }) => id)})
    `;
    const keys = new Map(stored.map(({ observation_id, key }) => [observation_id, key]));
    const texts: Text[] = [];
    const withdrawn: EmbeddingRow[] = [];
    for (const row of changed) {
      const document = documentOf(row);
      const text = document && embeddedText(document, this.options.endpoint);
      const key = text === undefined ? "" : contentKey(text);
      if (key === (keys.get(row.id) ?? "")) continue;
      if (text === undefined) withdrawn.push(embeddingRow(row.id, ""));
      else texts.push({ id: row.id, key, text });
    }
    return { texts, withdrawn };
  }

  async #store(
    model_id: number,
    rows: readonly EmbeddingRow[],
    dimensions: number | null = null,
  ): Promise<void> {
    const { sql } = this.options;
    await sql`
      select store_embeddings(
        ${model_id}, ${this.#lease}, ${ENCODING_LEASE_SECONDS}, ${dimensions}, ${
      sql.json(rows as never)
    }
      )
    `;
  }
}

/** Returns a hash of a text in hexadecimal, by which a changed text is recognized. */
export function contentKey(text: string): string {
  return hash("sha256", text).slice(0, 32);
}
