/** The clients of a soak: a random mix of calls through both doors, with retries and polls. */
import type { Choose } from "../../src/demo/random.ts";
import type { Account, Called, FaultCall, Replica } from "./client.ts";
import { companyOf, frequentWord, hostnameOf } from "./dataset.ts";
import { insist } from "./searching.ts";
import type { SoakAccounts } from "./soak_accounts.ts";
import type { World } from "./world.ts";

interface TrafficOptions {
  accounts: SoakAccounts;
  /** Number of invented observations. */
  observations: number;
  choose: Choose;
}

/** Max number of calls that are remembered for retries, polls and next pages. */
const REMEMBERED = 300;
/** Max milliseconds until a client hangs up on purpose, usually before it has an answer. */
const HANG_UP_MILLISECONDS = 30;
const PAUSE_MILLISECONDS = 40;
/** Number of calls that are repeated concurrently at the end. */
const REPEATERS = 16;
const COUNTRIES = [[], ["CA"], ["US"], ["CA", "US"]];

export class Traffic {
  /** Faults of the service that the history does not show. */
  readonly problems: string[] = [];
  readonly #world: World;
  readonly #options: TrafficOptions;
  readonly #recent: FaultCall[] = [];
  readonly #usages: { account: Account; id: number }[] = [];
  readonly #cursors: FaultCall[] = [];
  /** Calls whose operation may not have ended, by account and key. */
  readonly #open = new Map<string, FaultCall>();

  constructor(world: World, options: TrafficOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** Makes calls until the signal, one at a time. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#step();
      await pause(PAUSE_MILLISECONDS);
    }
  }

  /** Repeats every call without a known outcome until it has one. */
  async finish(): Promise<void> {
    const open = [...this.#open.values()];
    const repeat = async () => {
      for (let call = open.pop(); call !== undefined; call = open.pop()) {
        this.#judge(call, await insist(this.#world, call));
      }
    };
    await Promise.all(Array.from({ length: REPEATERS }, repeat));
  }

  async #step(): Promise<void> {
    const { choose } = this.#options;
    const kind = choose.integer(1, 100);
    if (kind <= 12) return await this.#retry();
    if (kind <= 16) return await this.#conflict();
    if (kind <= 24) return await this.#poll();
    if (kind <= 32) return await this.#read();
    if (kind <= 36) return await this.#refused();
    const call = kind <= 40 ? this.#nextPage() : this.#fresh();
    if (call === undefined) return;
    const { account, request_key } = call;
    this.#open.set(`${account.account_id}/${request_key}`, call);
    this.#remember(call);
    await this.#make(
      choose.integer(1, 100) <= 5
        ? { ...call, hang_up_milliseconds: choose.integer(1, HANG_UP_MILLISECONDS) }
        : call,
    );
  }

  #fresh(): FaultCall {
    const { accounts, choose } = this.#options;
    const account = choose.integer(1, 10) === 1 ? accounts.small : choose.from(accounts.ample);
    const call = { account, request_key: this.#world.newKey() };
    const kind = choose.integer(1, 20);
    if (kind === 1) return { ...call, action: "diagnostic", door: "mcp" };
    const door = choose.from(["http", "mcp"] as const);
    if (kind <= 4) return { ...call, door, action: "get_companies", inputs: this.#targets() };
    if (kind <= 7) return { ...call, action: "list_observations", inputs: this.#listing() };
    const background = choose.integer(1, 3) === 1 ? { background: true as const } : {};
    const inputs = { query: this.#query(), limit: choose.integer(1, 10) };
    if (kind <= 10) {
      return { ...call, action: "search_observations", door: "mcp", inputs, ...background };
    }
    const filters = { countries: choose.from(COUNTRIES) };
    return {
      ...call,
      action: "search_companies",
      door,
      inputs: { ...inputs, filters },
      ...background,
    };
  }

  #query(): string {
    const { choose } = this.#options;
    return Array.from({ length: choose.integer(1, 5) }, () => frequentWord(choose)).join(" ");
  }

  #company(): number {
    return companyOf(this.#options.choose.integer(0, this.#options.observations - 1));
  }

  #targets(): Record<string, unknown> {
    const { choose } = this.#options;
    const count = choose.integer(1, 5);
    if (choose.integer(0, 1) === 0) {
      return { domains: Array.from({ length: count }, () => hostnameOf(this.#company())) };
    }
    return { ids: Array.from({ length: count }, () => this.#company() + 1) };
  }

  #listing(): Record<string, unknown> {
    const domains = Array.from({ length: 5 }, () => hostnameOf(this.#company()));
    return { domains, since: "2026-01-01T00:00:00Z", limit: this.#options.choose.integer(1, 20) };
  }

  #nextPage(): FaultCall | undefined {
    const call = this.#cursors.shift();
    return call && { ...call, request_key: this.#world.newKey() };
  }

  async #retry(): Promise<void> {
    const { choose } = this.#options;
    if (this.#recent.length === 0) return;
    const call = choose.from(this.#recent);
    // Sometimes several requests with one key compete.
    const rivals = choose.integer(1, 10) === 1 ? 5 : 1;
    await Promise.all(Array.from({ length: rivals }, () => this.#make(call)));
  }

  async #conflict(): Promise<void> {
    const call = this.#options.choose.from(
      this.#recent.length > 0 ? this.#recent : [this.#fresh()],
    );
    if (call.action !== "search_companies") return;
    const inputs = { ...call.inputs, query: `${call.inputs!.query} more` };
    // The checker judges the answer, because either request may be the first one with the key.
    await this.#send({ ...call, inputs });
  }

  async #poll(): Promise<void> {
    if (this.#usages.length === 0) return;
    const { account, id } = this.#options.choose.from(this.#usages);
    const door = this.#options.choose.from(["http", "mcp"] as const);
    await this.#send({ account, action: "get_operation", inputs: { id }, door });
  }

  async #read(): Promise<void> {
    const { accounts, choose } = this.#options;
    const account = choose.from(accounts.ample);
    const action = choose.from(["get_company", "get_observation", "get_usage"] as const);
    const inputs = action === "get_usage" ? {} : { id: this.#company() + 1 };
    await this.#send({ account, action, inputs });
  }

  async #refused(): Promise<void> {
    const { accounts, choose } = this.#options;
    const [account, expected] = choose.from(
      [[accounts.revoked, 401], [accounts.lapsed, 402]] as const,
    );
    const call = { ...this.#fresh(), account };
    const { status } = await this.#send(call);
    if (status !== null && status !== 503 && status !== expected) {
      this.problems.push(`the answer was ${status} instead of ${expected}`);
    }
  }

  async #make(call: FaultCall): Promise<void> {
    this.#judge(call, await this.#send(call));
  }

  async #send(call: FaultCall): Promise<Called> {
    return await this.#world.client.call(this.#replica(), call);
  }

  #replica(): Replica {
    const { name, process } = this.#options.choose.from(this.#world.replicas);
    return { name, url: process.url };
  }

  /**
   * Remembers ids and cursors of an answer, and forgets the open call if its operation has ended.
   */
  #judge(call: FaultCall, { status, body }: Called): void {
    if (status === null || status === 202 || body?.error?.code === "unavailable") return;
    this.#open.delete(`${call.account.account_id}/${call.request_key}`);
    if (typeof body?.usage?.id !== "number") return;
    push(this.#usages, { account: call.account, id: body.usage.id });
    if (typeof body.next_cursor === "string" && call.inputs?.cursor === undefined) {
      const { background: _, ...first } = call;
      push(this.#cursors, { ...first, inputs: { ...call.inputs, cursor: body.next_cursor } });
    }
  }

  #remember(call: FaultCall): void {
    push(this.#recent, call);
  }
}

function push<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > REMEMBERED) list.shift();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
