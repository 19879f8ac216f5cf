/** One connection through the proxy that injects faults. */
import type { Choose } from "../../src/demo/random.ts";
import { concat } from "../../src/db/wire.ts";
import { isEndOfAnswer, READY_BYTES, StatementReader } from "./statements.ts";

/** Faults of a connection: what happens to its bytes. None of them closes it. */
export type Fault =
  | { kind: "none" }
  /** Bytes that a side sends are dropped. `both` makes the connection half-open. */
  | { kind: "swallow"; side: "client" | "server" | "both" }
  /** Bytes are held back, and passed on when the fault ends. */
  | { kind: "hang" }
  | { kind: "delay"; max_milliseconds: number };

/** Rule of a trap: what happens to the first connection that executes the statement. */
export interface Rule {
  statement: string;
  kind: "cut" | "hold";
  spring(): void;
  /** Resolves when a held statement may be passed on. */
  released: Promise<void>;
}

interface LineOptions {
  /** Traps that are still set. A line removes each trap that it springs. */
  rules: Set<Rule>;
  choose: Choose;
  fault: Fault;
}

const HANG_STEP_MILLISECONDS = 20;
const BUFFER_BYTES = 65_536;

export class Line {
  fault: Fault;
  readonly #client: Deno.Conn;
  readonly #server: Deno.Conn;
  readonly #rules: Set<Rule>;
  readonly #choose: Choose;
  readonly #statements = new StatementReader();
  #open = true;
  /** Trap of the statement under way, whose answer is dropped. */
  #answerTrap: Rule | undefined;
  #tail = new Uint8Array(0);

  constructor(client: Deno.Conn, server: Deno.Conn, { rules, choose, fault }: LineOptions) {
    this.#client = client;
    this.#server = server;
    this.#rules = rules;
    this.#choose = choose;
    this.fault = fault;
  }

  /** Passes bytes both ways until either side ends or the line is cut. */
  async run(): Promise<void> {
    await Promise.all([
      this.#pump(this.#client, this.#server, "client"),
      this.#pump(this.#server, this.#client, "server"),
    ]);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#client.close();
    this.#server.close();
  }

  async #pump(from: Deno.Conn, to: Deno.Conn, side: "client" | "server"): Promise<void> {
    const buffer = new Uint8Array(BUFFER_BYTES);
    try {
      for (let size; (size = await from.read(buffer)) !== null;) {
        const bytes = buffer.subarray(0, size);
        if (side === "client") await this.#trap(bytes);
        else if (this.#isCutAt(bytes)) continue;
        if (await this.#isLost(side)) continue;
        for (let sent = 0; sent < size;) sent += await to.write(bytes.subarray(sent));
      }
    } catch {
      // The line is cut, so the other direction ends as well.
    }
    this.close();
  }

  /** Springs the first trap whose statement these bytes execute. */
  async #trap(bytes: Uint8Array): Promise<void> {
    const executed = this.#statements.read(bytes);
    const rule = [...this.#rules].find(({ statement }) =>
      executed.some((query) => query.includes(statement))
    );
    if (rule === undefined) return;
    this.#rules.delete(rule);
    if (rule.kind === "cut") {
      this.#answerTrap = rule;
      return;
    }
    rule.spring();
    await rule.released;
  }

  /** Returns whether an answer is withheld. Cuts the line once the answer is complete. */
  #isCutAt(bytes: Uint8Array): boolean {
    if (this.#answerTrap === undefined) return false;
    this.#tail = concat([this.#tail, bytes.slice(-READY_BYTES)]).slice(-READY_BYTES);
    if (isEndOfAnswer(this.#tail)) {
      this.close();
      this.#answerTrap.spring();
    }
    return true;
  }

  /** Waits as the fault requires. Returns whether the bytes are dropped. */
  async #isLost(side: "client" | "server"): Promise<boolean> {
    while (this.#open && this.fault.kind === "hang") await pause(HANG_STEP_MILLISECONDS);
    const { fault } = this;
    if (fault.kind === "delay") await pause(this.#choose.integer(0, fault.max_milliseconds));
    return fault.kind === "swallow" && (fault.side === side || fault.side === "both");
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
