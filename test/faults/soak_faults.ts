/** The random faults of a soak in the database, in connections, in processes and in leases. */
import type { Choose } from "../../src/demo/random.ts";
import type { Cluster } from "../support/cluster.ts";
import type { FaultProxy } from "./proxy.ts";
import { CHECKING_NAME, type Post, type World } from "./world.ts";

interface FaultsOptions {
  cluster: Cluster;
  choose: Choose;
  /** Proxies in addition to those of the world. */
  proxies: readonly FaultProxy[];
}

const TABLES = ["operations", "allowances", "ledger", "observations", "dataset_clock"];
const TRAPPED = ["settle_operation", "claim_operation", "take_operation", "give_back_lease"];
/** Max milliseconds that a trap waits for its statement. */
const TRAP_MILLISECONDS = 3_000;
const SECONDS_AHEAD = [-3_600, 0, 3_600];

type Faults = Record<string, { weight: number; happen(): Promise<unknown> }>;

export class SoakFaults {
  /** Number of faults that happened, by kind. */
  readonly counts: Record<string, number> = {};
  /** Errors that prevented a fault and are not due to another fault. Any of them fails the soak. */
  readonly problems: string[] = [];
  readonly #world: World;
  readonly #options: FaultsOptions;

  constructor(world: World, options: FaultsOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Causes faults of connections and, concurrently, faults of processes until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#loop(signal, this.#ofConnections(), [500, 3_000]),
      this.#loop(signal, this.#ofProcesses(), [8_000, 25_000]),
    ]);
  }

  async #loop(signal: AbortSignal, faults: Faults, pauses: [number, number]): Promise<void> {
    const { choose } = this.#options;
    const names = Object.entries(faults).flatMap(([name, { weight }]) => Array(weight).fill(name));
    while (!signal.aborted) {
      const name: string = choose.from(names);
      try {
        await faults[name]!.happen();
        this.counts[name] = (this.counts[name] ?? 0) + 1;
      } catch (error) {
        // A fault may fail because of another one, such as a stopped database.
        this.counts[`${name}, missed`] = (this.counts[`${name}, missed`] ?? 0) + 1;
        if (!isDatabaseDown(error)) this.problems.push(`${name}: ${error}`);
      }
      await pause(choose.integer(...pauses), signal);
    }
  }

  #ofConnections(): Faults {
    const { choose } = this.#options;
    const proxy = () => choose.from([...this.#world.posts, ...this.#options.proxies].map(proxyOf));
    return {
      "backends terminated": { weight: 4, happen: () => this.#terminate() },
      "connections cut": { weight: 4, happen: async () => await proxy().cut(0.5) },
      "connections refused": {
        weight: 2,
        happen: () => during(proxy(), (one) => one.refuse(), (one) => one.accept(), choose, 3_000),
      },
      "connections half-open": {
        weight: 1,
        happen: async () => await proxy().set({ kind: "swallow", side: "both" }, false),
      },
      "answers swallowed": {
        weight: 1,
        happen: async () => await proxy().set({ kind: "swallow", side: "server" }, false),
      },
      "connections hung": { weight: 3, happen: () => this.#bend(proxy(), { kind: "hang" }) },
      "connections delayed": {
        weight: 3,
        happen: () => this.#bend(proxy(), { kind: "delay", max_milliseconds: 60 }),
      },
      "cut at an answer": { weight: 8, happen: () => this.#cutAtAnswer() },
      "table locked": { weight: 3, happen: () => this.#lockTable() },
      "lease ended early": { weight: 3, happen: () => this.#endLease() },
      "message shown early": {
        weight: 2,
        happen: () => this.#world.sql`update pgmq.q_operations set vt = now()`,
      },
    };
  }

  #ofProcesses(): Faults {
    const post = () => this.#options.choose.from(this.#restartable());
    return {
      "SIGKILL": { weight: 4, happen: () => this.#restart(post(), (one) => one.process.kill()) },
      "SIGTERM": { weight: 2, happen: () => this.#restart(post(), (one) => one.process.stop()) },
      "SIGSTOP": { weight: 4, happen: () => this.#freeze(post()) },
      "PostgreSQL stopped": { weight: 1, happen: () => this.#bounce("SIGINT") },
      "PostgreSQL crashed": { weight: 1, happen: () => this.#bounce("SIGQUIT") },
    };
  }

  /**
   * Returns all posts but the first, whose replica runs for the whole soak so that it is measured.
   */
  #restartable(): Post[] {
    return this.#world.posts.slice(1);
  }

  async #terminate(): Promise<void> {
    const share = this.#options.choose.integer(1, 10) / 10;
    await this.#world.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> ${CHECKING_NAME}
        and hashtext(pid::text || ${String(share)}) % 10 < ${share * 10}
    `;
  }

  async #bend(proxy: FaultProxy, fault: Parameters<FaultProxy["set"]>[0]): Promise<void> {
    const { choose } = this.#options;
    const start = (one: FaultProxy) => one.set(fault);
    await during(proxy, start, (one) => one.set({ kind: "none" }), choose, 5_000);
  }

  async #cutAtAnswer(): Promise<void> {
    const { choose } = this.#options;
    const trap = choose.from(this.#world.posts).proxy.cutAtAnswer(choose.from(TRAPPED));
    await Promise.race([trap.sprung, pause(TRAP_MILLISECONDS)]);
    trap.release();
  }

  async #lockTable(): Promise<void> {
    const { choose } = this.#options;
    const table = choose.from(TABLES);
    const milliseconds = choose.integer(200, 6_000);
    await this.#world.sql.begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in exclusive mode`);
      await pause(milliseconds);
    });
  }

  async #endLease(): Promise<void> {
    await this.#world.sql`
      update operations set lease_expires_at = now()
      where id = (select max(id) from operations where status = 'processing')
        and status = 'processing'
    `;
  }

  async #restart(post: Post, end: (post: Post) => Promise<unknown>): Promise<void> {
    await end(post);
    this.#world.skews[post.name] = this.#options.choose.from(SECONDS_AHEAD);
    await this.#world.restart(post);
  }

  async #freeze(post: Post): Promise<void> {
    const { choose } = this.#options;
    post.process.signal("SIGSTOP");
    // Some pauses are longer than a lease.
    await pause(choose.integer(1, 12) === 1 ? 36_000 : choose.integer(200, 8_000));
    post.process.signal("SIGCONT");
  }

  async #bounce(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const { cluster, choose } = this.#options;
    await cluster.halt(signal);
    await pause(choose.integer(0, 3_000));
    await cluster.resume();
  }
}

/** Ends every lasting fault, so that the world can settle down. */
export async function heal(world: World, proxies: readonly FaultProxy[]): Promise<void> {
  for (const proxy of [...world.posts.map(proxyOf), ...proxies]) {
    await proxy.accept();
    proxy.set({ kind: "none" });
    // A connection whose bytes were swallowed can no longer be used.
    proxy.cut();
  }
  for (const post of world.posts) if (!post.process.alive) await world.restart(post);
}

const proxyOf = (one: FaultProxy | Post): FaultProxy => "proxy" in one ? one.proxy : one;

async function during(
  proxy: FaultProxy,
  start: (proxy: FaultProxy) => void,
  end: (proxy: FaultProxy) => void | Promise<void>,
  choose: Choose,
  max_milliseconds: number,
): Promise<void> {
  start(proxy);
  await pause(choose.integer(100, max_milliseconds));
  await end(proxy);
}

/** Returns whether an error means that the database is unreachable or ended the statement. */
function isDatabaseDown(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "unavailable" || code === "CONNECTION_CLOSED" ||
    /^(57|55|40|08)/.test(code ?? "");
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
}
