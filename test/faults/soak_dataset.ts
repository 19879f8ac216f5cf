/**
 * The simulated operators of a soak. They record and withdraw observations, merge and split
 * companies, and change the permission of a source.
 */
import { connect, type Database, type Sql } from "../../src/db/connect.ts";
import type { Choose } from "../../src/demo/random.ts";
import { mergeCompanies, splitCompany } from "../../src/ingest/record/company_merges.ts";
import {
  setSource,
  withdrawEvidence,
  withdrawObservation,
} from "../../src/ingest/record/withdraw.ts";
import { createLog } from "../../src/log.ts";
import { inventRecord, recordAll } from "./dataset.ts";
import type { History } from "./history.ts";
import { type FaultProxy, startFaultProxy } from "./proxy.ts";

interface OperatorOptions {
  /** Address of the database itself. The operators start their own proxy. */
  url: string;
  history: History;
  observations: number;
  choose: Choose;
}

interface Place {
  company_id: number;
  observation_id: number;
  uri: string;
}

/** Source whose permission is withdrawn and restored. */
export const FLIPPED_SOURCE = "flipped";
export const FLIPPED_OBSERVATIONS = 400;
/** Max number of records that a soak adds, so that the memory of its quarters is comparable. */
const ADDED_MAX = 1_000;
const WITHDRAWN_MAX = 2_000;
const PAUSE_MILLISECONDS = 400;

export class Operators implements AsyncDisposable {
  /** Number of acknowledged changes by kind. */
  readonly changes: Record<string, number> = {};
  readonly proxy: FaultProxy;
  readonly #options: OperatorOptions;
  readonly #database: Database;
  #added = 0;
  #withdrawn = 0;
  #permitted = true;
  #merges: number[] = [];

  private constructor(options: OperatorOptions, proxy: FaultProxy, database: Database) {
    this.#options = options;
    this.proxy = proxy;
    this.#database = database;
  }

  static async open(options: OperatorOptions): Promise<Operators> {
    const proxy = startFaultProxy(options.url, options.choose);
    const database = await connect({
      database_url: proxy.url,
      data_dir: "",
      log: createLog("error", () => {}),
    });
    return new Operators(options, proxy, database);
  }

  get #sql(): Sql {
    return this.#database.sql;
  }

  /** Changes the dataset until the signal. A change that fails is not counted. */
  async run(signal: AbortSignal): Promise<void> {
    const steps = {
      recorded: () => this.#record(),
      revised: () => this.#revise(),
      seen_again: () => this.#seeAgain(),
      withdrawn: () => this.#withdraw(),
      permission_flipped: () => this.#flip(),
      merged: () => this.#merge(),
      split: () => this.#split(),
    };
    const weights = ["recorded", "recorded", "revised", "seen_again", "withdrawn"] as const;
    const names = [...weights, "permission_flipped", "merged", "split"] as const;
    while (!signal.aborted) {
      const name = this.#options.choose.from(names);
      const done = await steps[name]().catch(() => false);
      if (done) this.changes[name] = (this.changes[name] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  }

  async #record(): Promise<boolean> {
    const { observations, choose, history } = this.#options;
    const count = choose.integer(1, 5);
    if (this.#added + count > ADDED_MAX) return false;
    const first = observations + 1_000_000 + this.#added;
    this.#added += count;
    const records = Array.from({ length: count }, (_, n) => inventRecord(first + n, 0, "added"));
    await recordAll(this.#sql, records);
    for (const { source, external_id } of records) {
      history.acknowledged.add(`${source}/${external_id}`);
    }
    return true;
  }

  async #revise(): Promise<boolean> {
    const number = this.#number();
    if (!await this.#disturb(number)) return false;
    await recordAll(this.#sql, [inventRecord(number, this.#options.choose.integer(1, 1e6))]);
    this.#options.history.acknowledged.add(`invented/invented-${number}`);
    return true;
  }

  async #seeAgain(): Promise<boolean> {
    const number = this.#number();
    if (!await this.#disturb(number)) return false;
    await recordAll(this.#sql, [inventRecord(number)]);
    return true;
  }

  async #withdraw(): Promise<boolean> {
    if (this.#withdrawn >= WITHDRAWN_MAX) return false;
    const place = await this.#disturb(this.#number());
    if (!place) return false;
    this.#withdrawn++;
    if (this.#options.choose.integer(0, 1) === 0) {
      await withdrawObservation(this.#sql, place.observation_id);
    } else await withdrawEvidence(this.#sql, place.uri);
    return true;
  }

  async #flip(): Promise<boolean> {
    await setSource(this.#sql, FLIPPED_SOURCE, !this.#permitted);
    this.#permitted = !this.#permitted;
    return true;
  }

  async #merge(): Promise<boolean> {
    const places = [await this.#disturb(this.#number()), await this.#disturb(this.#number())];
    const [kept, merged] = places.map((place) => place?.company_id);
    if (!kept || !merged || kept === merged) return false;
    await this.#disturbCompanies([kept, merged]);
    this.#merges.push((await mergeCompanies(this.#sql, { kept, merged, reason: "one" })).merge);
    return true;
  }

  async #split(): Promise<boolean> {
    const merge = this.#merges.pop();
    return merge !== undefined && await splitCompany(this.#sql, merge) !== null;
  }

  #number(): number {
    return this.#options.choose.integer(0, this.#options.observations - 1);
  }

  /** Notes that answers may differ in an observation, before it is changed. */
  async #disturb(number: number): Promise<Place | undefined> {
    const [place] = await this.#sql<Place[]>`
      select o.company_id, o.id as observation_id, e.source_uri as uri
      from observations o
      join sources s on s.id = o.source_id
      join evidence e on e.observation_id = o.id
      where s.name = 'invented' and o.external_id = ${`invented-${number}`}
    `;
    if (place !== undefined) this.#options.history.disturbed.add(`o${place.observation_id}`);
    return place;
  }

  async #disturbCompanies(ids: readonly number[]): Promise<void> {
    const rows = await this.#sql<{ id: number }[]>`
      select id from observations where company_id = any(${ids as number[]})
    `;
    for (const id of ids) this.#options.history.disturbed.add(`c${id}`);
    for (const { id } of rows) this.#options.history.disturbed.add(`o${id}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.close();
    await this.proxy[Symbol.asyncDispose]();
  }
}
