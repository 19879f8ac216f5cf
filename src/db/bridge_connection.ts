/** One connection to the bridge: it collects the messages of a client into complete batches. */
import {
  concat,
  copyFail,
  fatalError,
  type Message,
  MessageReader,
  NEGOTIATE_3_0,
  STARTUP_CODES,
  textAt,
} from "./wire.ts";

/** The client's end of a connection. */
export interface Peer {
  send(bytes: Uint8Array): void;
  close(): void;
}

/** Functions of the bridge that a connection calls. */
export interface BridgeExchange {
  /** Answers the startup packet of the connection. */
  greet(connection: BridgeConnection): void;
  /** Runs the batches of the connection, now or when the session becomes free. */
  serve(connection: BridgeConnection): void;
  /** Removes a closed connection. */
  forget(connection: BridgeConnection): void;
}

/**
 * Message that ends a COPY FROM STDIN. Without it, a COPY would end the process for lack of input.
 * Outside of a COPY, the database ignores the message.
 */
const NO_COPY = copyFail("the embedded database does not support COPY FROM STDIN");

/** One connection of the bridge. `receive` reads the client's bytes. `peer` sends the answers. */
export class BridgeConnection {
  readonly id: number;
  readonly peer: Peer;
  readonly foreign: boolean;
  /**
   * Complete batches that wait for the session. `ready` is true if ReadyForQuery ends the answer to
   * the batch.
   */
  readonly pending: { bytes: Uint8Array; ready: boolean }[] = [];
  /**
   * Names of the prepared statements. The bridge closes them after the connection is closed.
   */
  readonly statements = new Set<string>();
  /** True while the connection keeps the session: in a transaction, or between Flush and Sync. */
  keepsSession = false;
  closed = false;
  #bridge: BridgeExchange;
  #reader = new MessageReader();
  #started = false;
  #batch: Uint8Array[] = [];

  constructor(bridge: BridgeExchange, options: { peer: Peer; foreign: boolean; id: number }) {
    this.#bridge = bridge;
    this.id = options.id;
    this.peer = options.peer;
    this.foreign = options.foreign;
  }

  /** Reads bytes of the client. Complete batches are passed to the bridge. */
  receive(bytes: Uint8Array): void {
    if (this.closed) return;
    this.#reader.push(bytes);
    try {
      while (!this.closed && !this.#started) {
        const code = this.#reader.startup();
        if (code === undefined) return;
        this.#start(code);
      }
      let message;
      while (!this.closed && (message = this.#reader.message())) this.#take(message);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.refuse("08P01", error.message);
    }
  }

  /** Closes the connection after its peer has disconnected. Rolls back an open transaction. */
  hangUp(): void {
    if (this.closed) return;
    this.closed = true;
    this.pending.length = 0;
    this.#bridge.forget(this);
  }

  /** Closes the connection, and tells the peer why. */
  refuse(code: string, message: string): void {
    if (this.closed) return;
    this.peer.send(fatalError(code, message));
    this.hangUp();
    this.peer.close();
  }

  #start(code: number): void {
    if (code === STARTUP_CODES.ssl || code === STARTUP_CODES.gss) {
      this.peer.send(new TextEncoder().encode("N"));
    } else if (code >> 16 === 3) {
      if ((code & 0xffff) > 0) this.peer.send(NEGOTIATE_3_0);
      this.#started = true;
      this.#bridge.greet(this);
    } else {
      // A request to cancel has no effect, because a running statement cannot be interrupted.
      this.hangUp();
      this.peer.close();
    }
  }

  #take({ type, bytes }: Message): void {
    if (type === "X") {
      this.hangUp();
      this.peer.close();
      return;
    }
    if (type === "P" && textAt(bytes, 5) !== "") this.statements.add(textAt(bytes, 5));
    if (type === "C" && bytes[5] === 0x53) this.statements.delete(textAt(bytes, 6));
    this.#batch.push(bytes);
    if (type === "E" || type === "Q") this.#batch.push(NO_COPY);
    if (type !== "S" && type !== "Q" && type !== "F" && type !== "H") return;
    this.pending.push({ bytes: concat(this.#batch), ready: type !== "H" });
    this.#batch = [];
    this.#bridge.serve(this);
  }
}
