/** Provides the model that was learned last, and learns a new model when one is due. */
import type { Sql } from "../../db/sql.ts";
import { errorFields, type Log } from "../../log.ts";
import type { IndexState } from "../engine/segmented_index.ts";
import { FORMAT, SemanticModel } from "./model.ts";

/** Min number of documents for learning. Fewer documents do not show which words are related. */
export const DOCUMENTS_MIN = 300;

/**
 * Seconds of a lease for learning. Learning takes a few seconds. After a process dies, no other
 * process learns until its lease ends.
 */
const LEASE_SECONDS = 300;

/** Min milliseconds between two checks whether a model is due. */
const ASK_MILLISECONDS = 60_000;

interface ModelFollowerOptions {
  sql: Sql;
  log: Log;
  /** Learns a model from a state of an index, and encodes it. */
  learn(state: IndexState): Promise<Uint8Array>;
}

/** Index from which a model is learned. The state may be a sample of its `size` documents. */
interface LearnableIndex {
  readonly size: number;
  state(): IndexState | Promise<IndexState>;
}

/** Follows the semantic model of the dataset. */
export class ModelFollower {
  readonly #options: ModelFollowerOptions;
  #model: SemanticModel | undefined;
  /**
   * Id of the model that was read last, even if it is unusable; null: there is none; undefined: not
   * read yet.
   */
  #followed: number | null | undefined;
  #notBefore = 0;

  constructor(options: ModelFollowerOptions) {
    this.#options = options;
  }

  /** Present model; undefined if there is no usable one. */
  get model(): SemanticModel | undefined {
    return this.#model;
  }

  /** Reads the latest model if its id has changed. @param id its id; null if there is no model */
  async follow(id: number | null): Promise<void> {
    if (id === this.#followed) return;
    const { sql, log } = this.#options;
    const [row] = await sql<{ id: number; body: Uint8Array }[]>`
      select id, body from semantic_models where format = ${FORMAT} order by id desc limit 1
    `;
    this.#followed = row?.id ?? null;
    // If the model cannot be decoded, the earlier one is not kept. All replicas then rank equally,
    // because none of them has a model.
    this.#model = undefined;
    try {
      this.#model = row && SemanticModel.decode(row.id, row.body);
    } catch (error) {
      log.error("semantic model cannot be used", errorFields(error));
    }
  }

  /**
   * Makes follow() read the model again. In another database, its id may belong to another model.
   */
  forget(): void {
    this.#followed = undefined;
  }

  /** Learns a model of an index if one is due. Never throws: a failure is retried later. */
  async keep(index: LearnableIndex): Promise<void> {
    const { sql, log, learn } = this.#options;
    if (index.size < DOCUMENTS_MIN || performance.now() < this.#notBefore) return;
    this.#notBefore = performance.now() + ASK_MILLISECONDS;
    try {
      const [claim] = await sql<[{ due: boolean }]>`
        select claim_learning(${FORMAT}, ${index.size}, ${LEASE_SECONDS}) as due
      `;
      if (!claim.due) return;
      const started = performance.now();
      const documents = index.size;
      const body = await learn(await index.state());
      await sql`select store_model(${FORMAT}, ${documents}, ${body})`;
      log.debug("semantic model learned", {
        documents,
        ms: Math.round(performance.now() - started),
      });
    } catch (error) {
      log.warn("semantic model not learned", errorFields(error));
    }
  }
}
