/** Shares the only session of an embedded database among the connections of this process. */
import { BridgeConnection, type BridgeExchange, type Peer } from "./bridge_connection.ts";
import {
  closeStatement,
  concat,
  COPY_IN_RESPONSE,
  greeting,
  messagesIn,
  READY_FOR_QUERY,
  readyForQuery,
  simpleQuery,
  SYNC,
} from "./wire.ts";

interface BridgeOptions {
  /**
   * Executes a complete batch of messages in the only session, synchronously. Answers it when what
   * it has committed is on disk. Throws if the database has crashed.
   */
  execute: (batch: Uint8Array) => Uint8Array;
  /** Parameters in the answer to a startup packet, for instance `server_version`. */
  parameters: Record<string, string>;
  /**
   * Max seconds for which a connection in a transaction may occupy the session without sending
   * anything.
   */
  idle_seconds: number;
  /** Called when `execute` throws, after every connection has been closed. */
  onFailure: (error: unknown) => void;
}

/** Query that undoes all changes that a connection has made to the shared session. */
const RESTORE = simpleQuery(`
  set session authorization default;
  reset role;
  reset all;
  close all;
  unlisten *;
  select pg_advisory_unlock_all();
  discard temp;
  do $$
  declare
    statement record;
  begin
    -- Statements that a driver has prepared are closed with its connection.
    for statement in select name from pg_prepared_statements where from_sql loop
      execute format('deallocate %I', statement.name);
    end loop;
  end $$
`);

/**
 * Lets many connections share one session. A connection owns the session from its first batch until
 * the session is outside of a transaction. The other connections wait in the order of arrival.
 */
export class Bridge implements BridgeExchange {
  readonly #options: BridgeOptions;
  #connections = new Set<BridgeConnection>();
  #waiting: BridgeConnection[] = [];
  #owner?: BridgeConnection;
  #holdTimer?: ReturnType<typeof setTimeout>;
  #running = false;
  /** Foreign connection that may have changed the settings of the session. */
  #settingsOwner?: BridgeConnection;
  #down = false;
  #last_process_id = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /**
   * Adds a connection. A foreign one belongs to another process, and may change any setting. This
   * process changes settings only within transactions.
   */
  attach(peer: Peer, { foreign }: { foreign: boolean }): BridgeConnection {
    const connection = new BridgeConnection(this, { peer, foreign, id: ++this.#last_process_id });
    this.#connections.add(connection);
    return connection;
  }

  greet(connection: BridgeConnection): void {
    if (this.#down) connection.refuse("57P03", "the embedded database is not available");
    else connection.peer.send(greeting(this.#options.parameters, connection.id));
  }

  /** Runs the batches of a connection, now or when the session becomes free. */
  serve(connection: BridgeConnection): void {
    if (connection !== this.#owner && !this.#waiting.includes(connection)) {
      this.#waiting.push(connection);
    }
    this.#run();
  }

  forget(connection: BridgeConnection): void {
    this.#connections.delete(connection);
    if (!this.#down) this.serve(connection);
  }

  /** Continues when a crashed database is open again. */
  resume(): void {
    this.#down = false;
  }

  close(): void {
    this.#stop("57P01", "the embedded database is closing");
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    try {
      while (!this.#down) {
        this.#owner ??= this.#waiting.shift();
        if (this.#owner === undefined) break;
        clearTimeout(this.#holdTimer);
        if (!this.#step(this.#owner)) break;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = false;
    }
  }

  /** Runs a batch of the owner. Returns false if it keeps the session and has no pending batch. */
  #step(owner: BridgeConnection): boolean {
    if (owner.closed) {
      this.#cleanUp(owner);
      this.#owner = undefined;
      return true;
    }
    const batch = owner.pending.shift();
    if (batch === undefined) {
      if (owner.keepsSession) this.#expectMore(owner);
      else this.#owner = undefined;
      return !owner.keepsSession;
    }
    if (!owner.keepsSession) this.#restoreFor(owner);
    const answer = readAnswer(this.#options.execute(batch.bytes), batch.ready);
    if (owner.foreign) this.#settingsOwner = owner;
    owner.keepsSession = answer.status !== "I";
    if (!owner.keepsSession) {
      this.#owner = undefined;
      if (owner.pending.length > 0) this.#waiting.push(owner);
    }
    owner.peer.send(answer.bytes);
    return true;
  }

  #restoreFor(owner: BridgeConnection): void {
    if (this.#settingsOwner === undefined || this.#settingsOwner === owner) return;
    this.#settingsOwner = undefined;
    this.#options.execute(RESTORE);
  }

  #expectMore(owner: BridgeConnection): void {
    this.#holdTimer = setTimeout(() => {
      owner.refuse("25P03", "terminating connection due to idle-in-transaction timeout");
    }, this.#options.idle_seconds * 1000);
  }

  #cleanUp(owner: BridgeConnection): void {
    const { execute } = this.#options;
    if (owner.keepsSession) {
      execute(SYNC);
      execute(simpleQuery("rollback"));
    }
    if (owner.statements.size > 0) {
      execute(concat([...[...owner.statements].map(closeStatement), SYNC]));
    }
    if (this.#settingsOwner === owner) {
      this.#settingsOwner = undefined;
      execute(RESTORE);
    }
  }

  #fail(error: unknown): void {
    this.#stop("57P02", "the embedded database went down");
    this.#options.onFailure(error);
  }

  #stop(code: string, message: string): void {
    this.#down = true;
    clearTimeout(this.#holdTimer);
    this.#owner = undefined;
    this.#settingsOwner = undefined;
    this.#waiting = [];
    for (const connection of [...this.#connections]) connection.refuse(code, message);
  }
}

/**
 * Reads the answer to a batch, and omits two kinds of messages. PGlite reports "ready" after every
 * error, even if the protocol requires it to wait for Sync. The client would mistake that message
 * for the end of its next query, so only the last "ready" of a batch is passed on. The request for
 * rows of a COPY is omitted too, because NO_COPY of bridge_connection.ts already refuses them.
 */
function readAnswer(output: Uint8Array, ready: boolean) {
  const parts: Uint8Array[] = [];
  let status: string | undefined;
  let start = 0;
  for (const { type, offset, end } of messagesIn(output)) {
    if (type !== READY_FOR_QUERY && type !== COPY_IN_RESPONSE) continue;
    parts.push(output.subarray(start, offset));
    start = end;
    if (type === READY_FOR_QUERY) status = String.fromCharCode(output[offset + 5]!);
  }
  parts.push(output.subarray(start));
  if (!ready) return { bytes: concat(parts), status: undefined };
  if (status === undefined) throw new Error("The embedded database did not finish a batch.");
  parts.push(readyForQuery(status));
  return { bytes: concat(parts), status };
}
