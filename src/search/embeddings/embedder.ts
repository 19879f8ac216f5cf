/**
 * Has observations embedded, in the order of the dataset's changes: a page at a time is leased, read,
 * embedded and stored with the place it ends at. A worker that dies leaves its page to another one.
 */
import type { Sql } from "../../db/connect.ts";
import { type Log } from "../../log.ts";
import { documentOf, parseChanges, readChanges } from "../changes.ts";
import { type ModelEndpoint, ModelFault } from "../model_endpoint.ts";
import { contentKey, embeddedText } from "./embedded_text.ts";
import { embed } from "./endpoint.ts";
import { type EmbeddingRow, embeddingRow, FORMAT } from "./stored.ts";

export interface EmbedderOptions {
  sql: Sql;
  log: Log;
  endpoint: ModelEndpoint;
  /** What one answer may take. */
  milliseconds?: number;
}

const ANSWER_MILLISECONDS = 30_000;
/** Of a batch of long vectors, written out. */
const ANSWER_BYTES = 16_777_216;
const BATCH_TEXTS = 64;
const BATCH_CHARACTERS = 60_000;
/** Asked for at the same time. */
const BATCHES = 4;
const PAGE_ROWS = BATCHES * BATCH_TEXTS;

/** Longer than a page takes even where every answer is as late as it may be. */
const LEASE_SECONDS = 300;

/** After a first failure; each further one in a row doubles it. */
const BACK_OFF_MILLISECONDS = 1_000;
const BACK_OFF_MILLISECONDS_MAX = 300_000;

/** Vectors of a replaced model that are deleted at a time. */
const RETIRED_ROWS = 2_000;

/** Answers by which an endpoint refuses what it is sent, not whom. */
const REFUSALS: readonly (number | undefined)[] = [400, 413, 422];

interface Claimed {
  model_id: number;
  change_seq: number;
  observation_id: number;
}

interface Text {
  id: number;
  key: string;
  text: string;
}

export class Embedder {
  readonly #options: EmbedderOptions;
  readonly #lease = crypto.randomUUID();
  #failures = 0;
  #notBefore = 0;

  constructor(options: EmbedderOptions) {
    this.#options = options;
  }

  /**
   * Embeds the next page.
   *
   * @returns whether there may be more to do
   * @throws what the database throws; an endpoint that fails is logged, and asked again later
   */
  async step(signal: AbortSignal): Promise<boolean> {
    if (performance.now() < this.#notBefore) return false;
    const { sql, endpoint } = this.#options;
    const [{ claimed }] = await sql<[{ claimed: Claimed | null }]>`
      select claim_embedding(${endpoint.model}, ${FORMAT}, ${this.#lease}, ${LEASE_SECONDS}) as claimed
    `;
    if (claimed === null) return await this.#retire();
    try {
      const more = await this.#embedPage(claimed, signal);
      this.#failures = 0;
      return more;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof ModelFault)) throw error;
      this.#backOff(error);
      return false;
    }
  }

  /** Lets another worker go on. */
  async release(): Promise<void> {
    await this.#options.sql`select release_embedding(${this.#lease})`;
  }

  async #retire(): Promise<boolean> {
    const [{ gone }] = await this.#options.sql<[{ gone: number }]>`
      select retire_embeddings(${RETIRED_ROWS}) as gone
    `;
    return gone > 0;
  }

  #backOff(fault: ModelFault): void {
    const { log, endpoint } = this.#options;
    const wait = Math.min(BACK_OFF_MILLISECONDS * 2 ** this.#failures++, BACK_OFF_MILLISECONDS_MAX);
    this.#notBefore = performance.now() + wait;
    log.warn("observations not embedded", {
      host: endpoint.url.host,
      fault: fault.message,
      failures: this.#failures,
    });
  }

  async #embedPage(claimed: Claimed, signal: AbortSignal): Promise<boolean> {
    const { sql } = this.#options;
    const { model_id, change_seq, observation_id: id } = claimed;
    const page = await readChanges(sql, { after: { change_seq, id }, limit: PAGE_ROWS });
    const rows = parseChanges(page);
    const known = await this.#knownKeys(model_id, rows.map((row) => row.id));
    const texts: Text[] = [];
    const stored: EmbeddingRow[] = [];
    for (const row of rows) {
      const document = documentOf(row);
      if (document === undefined) {
        // What is withdrawn is forgotten, here and by every replica.
        if (known.has(row.id)) stored.push(embeddingRow(row.id, ""));
        continue;
      }
      const text = embeddedText(document);
      const key = contentKey(text);
      if (known.get(row.id) !== key) texts.push({ id: row.id, key, text });
    }
    const batches = inBatches(texts).map((batch) => this.#embedBatch(batch, signal));
    const embedded = (await Promise.all(batches)).flat();
    stored.push(...embedded.map(({ id, key, vector }) => embeddingRow(id, key, vector)));
    const at_end = page.count < PAGE_ROWS;
    const dimensions = embedded.find(({ vector }) => vector !== undefined)?.vector?.length ?? null;
    const [{ kept }] = await sql<[{ kept: boolean }]>`
      select store_embeddings(
        ${model_id}, ${this.#lease}, ${page.last.change_seq}, ${page.last.id},
        ${at_end}, ${dimensions}, ${sql.json(stored as never)}
      ) as kept
    `;
    if (!kept) this.#options.log.warn("embeddings not stored: the lease has run out");
    return !at_end;
  }

  async #knownKeys(model_id: number, ids: number[]): Promise<Map<number, string>> {
    const rows = await this.#options.sql<{ observation_id: number; key: string }[]>`
      select observation_id, encode(content_key, 'hex') as key
      from observation_embeddings
      where model_id = ${model_id} and observation_id = any(${ids})
    `;
    return new Map(rows.map(({ observation_id, key }) => [observation_id, key]));
  }

  /** A text that the endpoint refuses even alone goes without a vector: nothing waits for it. */
  async #embedBatch(
    batch: readonly Text[],
    signal: AbortSignal,
  ): Promise<(Text & { vector?: Float32Array })[]> {
    const { endpoint, milliseconds = ANSWER_MILLISECONDS } = this.#options;
    const bounds = { bytes: ANSWER_BYTES, milliseconds, signal };
    try {
      const vectors = await embed(endpoint, batch.map(({ text }) => text), bounds);
      return batch.map((text, n) => ({ ...text, vector: vectors[n] }));
    } catch (error) {
      if (!(error instanceof ModelFault) || !REFUSALS.includes(error.status)) throw error;
      if (batch.length === 1) return [...batch];
      const half = Math.ceil(batch.length / 2);
      const first = await this.#embedBatch(batch.slice(0, half), signal);
      return [...first, ...await this.#embedBatch(batch.slice(half), signal)];
    }
  }
}

function inBatches(texts: readonly Text[]): Text[][] {
  const batches: Text[][] = [];
  let characters = 0;
  for (const text of texts) {
    characters += text.text.length;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === BATCH_TEXTS || characters > BATCH_CHARACTERS) {
      batches.push([text]);
      characters = text.text.length;
    } else batch.push(text);
  }
  return batches;
}
