import { Duplex } from "node:stream";
import { setImmediate } from "node:timers";
import type { Bridge } from "./bridge.ts";
import type { BridgeConnection } from "./bridge_connection.ts";

/** A connection to the bridge within this process, in the form of a socket for the driver. */
export class BridgeSocket extends Duplex {
  #connection: BridgeConnection;

  constructor(bridge: Bridge) {
    super();
    const peer = {
      send: (bytes: Uint8Array) => void this.push(bytes),
      // Delayed, so that the driver still reads the bytes that were pushed before.
      close: () => queueMicrotask(() => this.destroy()),
    };
    this.#connection = bridge.attach(peer, { foreign: false });
  }

  /** Tells the driver that the connection is open, as a socket does after its handshake. */
  connect(): this {
    queueMicrotask(() => this.emit("connect"));
    return this;
  }

  /** Does nothing: there is no network that delays packets. */
  setNoDelay(): this {
    return this;
  }

  /** Does nothing: there is no network that loses a peer. */
  setKeepAlive(): this {
    return this;
  }

  /** Does nothing: the connection keeps no event loop alive. */
  ref(): this {
    return this;
  }

  /** Does nothing: the connection keeps no event loop alive. */
  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are not read on demand: `peer.send` pushes each of them into the stream.
  }

  override _write(bytes: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    // The answer must not arrive before the driver's call of write has returned. It takes a turn of
    // the event loop: otherwise, many statements in a row would keep the process from its timers and
    // its callers.
    setImmediate(() => {
      this.#connection.receive(bytes);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection.hangUp();
    done(error);
  }
}
