/** Two replicas and a worker that use one PostgreSQL, each through a separate proxy. */
import assert from "node:assert/strict";
import { createAccount, type PlanTerms, setPlan } from "../../src/accounts/account.ts";
import { createApiKey } from "../../src/accounts/key.ts";
import { connect, type Database, type Sql } from "../../src/db/connect.ts";
import { type Choose, createChoose } from "../../src/demo/random.ts";
import { createLog } from "../../src/log.ts";
import { runCommand } from "../support/command.ts";
import { eventually } from "../support/waiting.ts";
import { findViolations, type Violation } from "./checker.ts";
import { type Account, Client } from "./client.ts";
import { word } from "./dataset.ts";
import { History } from "./history.ts";
import { type LedgerState, readLedgerState } from "./ledger_state.ts";
import { LogScanner } from "./log_scanner.ts";
import { type ServiceProcess, startProcess } from "./process.ts";
import { type FaultProxy, startFaultProxy } from "./proxy.ts";

export interface WorldOptions {
  /** Address of a database for a superuser. No other process uses the database. */
  url: string;
  seed: number;
  /** Settings of all processes. */
  env?: Record<string, string>;
  /** Seconds by which the clocks of processes are ahead, by name. */
  skews?: Record<string, number>;
}

/** A name and a proxy for a process, which may be killed and started again. */
export interface Post {
  name: string;
  command: "start" | "work";
  proxy: FaultProxy;
  process: ServiceProcess;
}

/** Seconds of a window: a week, so that no window ends during a scenario. */
const WINDOW_SECONDS = 604_800;
const AMPLE_UNITS = 1_000_000;
/** Name of the connections of the test itself. Scenarios do not terminate their backends. */
export const CHECKING_NAME = "fault-checks";
/** Max number of starts of a process, more than faults of the database can end. */
const STARTS_MAX = 3;
/** Max number of attempts to get a report, more than a restart of the database needs. */
const REPORT_TRIES = 400;

export class World implements AsyncDisposable {
  readonly history = new History();
  readonly logs = new LogScanner();
  readonly client = new Client(this.history);
  readonly choose: Choose;
  readonly sql: Sql;
  readonly accounts: Account[] = [];
  /** The two replicas, the worker, and then the posts that a scenario adds. */
  readonly posts: Post[] = [];
  /** Seconds by which the clock of the next process at a post is ahead, by name of the post. */
  readonly skews: Record<string, number>;
  readonly #options: WorldOptions;
  readonly #database: Database;
  readonly #directory: string;
  /** Violations that were already reported for a scenario, and are not reported for later ones. */
  readonly #blamed = new Set<string>();
  #serial = 0;

  private constructor(options: WorldOptions, database: Database) {
    this.#options = options;
    this.#database = database;
    this.sql = database.sql;
    this.choose = createChoose(options.seed);
    this.skews = { ...options.skews };
    this.#directory = Deno.makeTempDirSync({ prefix: "ce-faults-" });
  }

  /** Starts all processes. Resolves when they are ready. */
  static async open(options: WorldOptions): Promise<World> {
    const log = createLog("error");
    const world = new World(
      options,
      await connect({
        database_url: options.url,
        data_dir: "",
        log,
        application_name: CHECKING_NAME,
      }),
    );
    try {
      const posts = [["a", "start"], ["b", "start"], ["worker", "work"]] as const;
      await Promise.all(posts.map(([name, command]) => world.post(name, command)));
      const place = (post: Post) => posts.findIndex(([name]) => name === post.name);
      world.posts.sort((one, two) => place(one) - place(two));
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  get replicas(): Post[] {
    return this.posts.filter(({ command }) => command === "start");
  }

  get worker(): Post {
    return this.posts.find(({ command }) => command === "work")!;
  }

  /** Starts a process at a new post. Resolves when it is ready. */
  async post(name: string, command: Post["command"], env: Record<string, string> = {}) {
    const proxy = startFaultProxy(this.#options.url, createChoose(this.choose.integer(1, 1e9)));
    try {
      const post: Post = {
        name,
        command,
        proxy,
        process: await this.#start(name, command, proxy, env),
      };
      this.posts.push(post);
      return post;
    } catch (error) {
      await proxy[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Starts a new process at the post of one that has ended. A process ends with an error if the
   * database fails while it starts. Then it is started again, as a supervisor does.
   */
  async restart(post: Post): Promise<void> {
    for (let attempt = 1;; attempt++) {
      try {
        post.process = await this.#start(post.name, post.command, post.proxy, {});
        return;
      } catch (error) {
        if (attempt === STARTS_MAX) throw error;
      }
    }
  }

  /** Stops the process of a post by SIGTERM, asserts that it exits with 0, and removes the post. */
  async retire(post: Post): Promise<void> {
    assert.equal(await post.process.stop(), 0, `${post.name}: ${this.logs.last(post.name)}`);
    this.posts.splice(this.posts.indexOf(post), 1);
    await post.proxy[Symbol.asyncDispose]();
  }

  async #start(
    name: string,
    command: Post["command"],
    proxy: FaultProxy,
    env: Record<string, string>,
  ): Promise<ServiceProcess> {
    const DATA_DIR = `${this.#directory}/${name}`;
    // Each replica also does background work, so that operations end while the worker is down.
    const settings = { WORKERS: command === "work" ? "2" : "1", DATA_DIR, DATABASE_URL: proxy.url };
    return await startProcess({
      name,
      command,
      env: { ...settings, ...this.#options.env, ...env },
      flags: skewFlags(this.skews[name] ?? 0),
      logs: this.logs,
    });
  }

  /** Creates an account with a new plan, which has ample units unless `terms` changes them. */
  async account(
    { status = "active", terms = {} }: { status?: string; terms?: Partial<PlanTerms> } = {},
  ): Promise<Account> {
    const plan = `plan_${++this.#serial}`;
    const { sql } = this;
    await sql`
      insert into plans values
        (
          ${plan}, 50, ${WINDOW_SECONDS},
          ${AMPLE_UNITS}, ${AMPLE_UNITS}, ${AMPLE_UNITS}, ${AMPLE_UNITS}, 1000000
        )
    `;
    if (Object.keys(terms).length > 0) await setPlan(sql, plan, terms);
    const created = await createAccount(sql, { name: `Account ${this.#serial}`, plan, status });
    const { key, key_id } = await createApiKey(sql, { ...created, name: "first" });
    const account = { ...created, key, key_id };
    this.accounts.push(account);
    return account;
  }

  /** Returns an unused request key. It begins with zq, so that the log scanner recognizes it. */
  newKey(): string {
    return `${word(++this.#serial)}-${this.#serial}`;
  }

  /**
   * Waits until no operation is under way. Ends the leases of operations that were claimed more
   * than 8 seconds ago, because the processes that hold them may have been killed.
   */
  async settleDown(): Promise<void> {
    await eventually("no operation is under way", async () => {
      await this.sql`
        update operations set lease_expires_at = now()
        where status = 'processing' and claimed_at < now() - interval '8 seconds'
      `;
      const [row] = await this.sql<{ open: number }[]>`
        select (select count(*) from operations where finished_at is null)
          + (select count(*) from pgmq.q_operations) as open
      `;
      return row!.open === 0;
    });
  }

  /** Returns every breach of the conditions that have to hold after a scenario. */
  async findViolations(): Promise<Violation[]> {
    const { history, logs } = this;
    const ledger = await readLedgerState(this.sql, { history, reports: await this.#reports() });
    return findViolations({ history, ledger, leaks: logs.leaks });
  }

  /** Waits until no operation is under way. Returns the violations that are new. */
  async blame(): Promise<Violation[]> {
    await this.settleDown();
    const violations = await this.findViolations();
    const fresh = violations.filter((one) => !this.#blamed.has(JSON.stringify(one)));
    for (const one of fresh) this.#blamed.add(JSON.stringify(one));
    return fresh;
  }

  /** Asserts the conditions that have to hold after a scenario, and that no process has ended. */
  async assertRight(): Promise<void> {
    assert.deepEqual(await this.blame(), []);
    for (const { process, name } of this.posts) {
      assert.ok(process.alive, `${name} has ended:\n${this.logs.last(name)}`);
    }
  }

  /** Runs `admin usage verify` as an operator would. */
  async verify(): Promise<number> {
    const command = ["admin", "usage", "verify"];
    return (await runCommand(command, { DATABASE_URL: this.#options.url })).code;
  }

  /** Returns the reports of all accounts from all replicas. Refused accounts have none. */
  async #reports(): Promise<LedgerState["reports"]> {
    const reports = this.accounts.flatMap((account) =>
      this.replicas.map((post) => this.#report(account, post))
    );
    return (await Promise.all(reports)).flat();
  }

  async #report(account: Account, { name, process }: Post): Promise<LedgerState["reports"]> {
    const headers = { authorization: `Bearer ${account.key}` };
    for (let tries = 0; tries < REPORT_TRIES; tries++) {
      const replica = { name, url: process.url };
      const response = await this.client.fetch(replica, "/api/usage", { headers });
      const body = await response.json();
      if (response.status === 200) {
        return [{ account_id: account.account_id, replica: name, report: body }];
      }
      // The key may be revoked, or the subscription may have lapsed.
      if (response.status !== 503) return [];
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${name} does not recover`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client[Symbol.dispose]();
    await Promise.all(this.posts.map(({ process }) => process.kill()));
    await Promise.all(this.posts.map(({ proxy }) => proxy[Symbol.asyncDispose]()));
    await this.#database.close();
    await Deno.remove(this.#directory, { recursive: true }).catch(() => {});
  }
}

function skewFlags(seconds: number): string[] {
  if (seconds === 0) return [];
  return [`--preload=${new URL(`skewed_clock.ts?seconds=${seconds}`, import.meta.url).href}`];
}
