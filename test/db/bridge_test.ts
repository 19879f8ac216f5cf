import assert from "node:assert/strict";
import { Bridge } from "../../src/db/bridge.ts";
import type { BridgeConnection } from "../../src/db/bridge_connection.ts";
import { compose, concat, messagesIn, readyForQuery, simpleQuery } from "../../src/db/wire.ts";

/**
 * Returns a session that answers each simple query with its text as the command tag.
 * @param states transaction status after a query, by its text; "I" (idle) by default
 */
function scriptedSession(states: Record<string, string> = {}) {
  const executed: string[] = [];
  return {
    executed,
    execute(batch: Uint8Array): Uint8Array {
      const texts = [...messagesIn(batch)].filter(({ type }) => type === 0x51)
        .map(({ offset, end }) => new TextDecoder().decode(batch.subarray(offset + 5, end - 1)));
      executed.push(...texts);
      if (texts.includes("crash")) throw new Error("exit(1)");
      return concat([
        ...texts.map((text) => compose("C", text)),
        readyForQuery(states[texts.at(-1) ?? ""] ?? "I"),
      ]);
    },
  };
}

function scriptedBridge(session = scriptedSession(), idle_seconds = 60) {
  const failures: unknown[] = [];
  const bridge = new Bridge({
    execute: session.execute,
    parameters: { server_version: "18.3" },
    idle_seconds,
    onFailure: (error) => failures.push(error),
  });
  return { bridge, session, failures };
}

interface Client {
  connection: BridgeConnection;
  /** Returns the types of the messages that were received since the last call. */
  received(): string;
  query(text: string): void;
  closed: boolean;
}

function connectTo(bridge: Bridge, { foreign = false } = {}): Client {
  let types = "";
  const peer = {
    send(bytes: Uint8Array) {
      for (const { type } of messagesIn(bytes)) types += String.fromCharCode(type);
    },
    close: () => void (client.closed = true),
  };
  const client = {
    connection: bridge.attach(peer, { foreign }),
    closed: false,
    received() {
      const received = types;
      types = "";
      return received;
    },
    query: (text: string) => client.connection.receive(simpleQuery(text)),
  };
  client.connection.receive(Uint8Array.of(0, 0, 0, 9, 0, 3, 0, 0, 0));
  assert.equal(client.received(), "RSKZ");
  return client;
}

const STATES = { begin: "T", insert: "T", broken: "E", commit: "I", rollback: "I" };

Deno.test("Bridge makes other connections wait until a transaction has ended", () => {
  const { bridge, session } = scriptedBridge(scriptedSession(STATES));
  const [first, second] = [connectTo(bridge), connectTo(bridge)];
  first.query("begin");
  second.query("select");
  first.query("insert");
  assert.equal(second.received(), "");
  first.query("commit");
  assert.equal(second.received(), "CZ");
  assert.deepEqual(session.executed, ["begin", "insert", "commit", "select"]);
});

Deno.test("Bridge rolls back an open or failed transaction whose connection hangs up", () => {
  for (const last of ["insert", "broken"]) {
    const { bridge, session } = scriptedBridge(scriptedSession(STATES));
    const [first, second] = [connectTo(bridge), connectTo(bridge)];
    first.query("begin");
    first.query(last);
    second.query("select");
    first.connection.hangUp();
    assert.deepEqual(session.executed, ["begin", last, "rollback", "select"]);
    assert.equal(second.received(), "CZ");
  }
});

Deno.test("Bridge ends an idle transaction", async () => {
  const { bridge, session } = scriptedBridge(scriptedSession(STATES), 0.05);
  const [first, second] = [connectTo(bridge), connectTo(bridge)];
  first.query("begin");
  second.query("select");
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(first.received(), "CZE");
  assert.equal(first.closed, true);
  assert.equal(second.received(), "CZ");
  assert.deepEqual(session.executed, ["begin", "rollback", "select"]);
});

Deno.test("Bridge closes all connections of a crashed session, and resumes when it is open again", () => {
  const { bridge, failures } = scriptedBridge();
  const [first, second] = [connectTo(bridge), connectTo(bridge)];
  first.query("crash");
  assert.equal(first.received(), "E");
  assert.equal(second.received(), "E");
  assert.deepEqual([first.closed, second.closed], [true, true]);
  assert.equal(failures.length, 1);

  let refused = "";
  const peer = { send: (bytes: Uint8Array) => void (refused += bytes[0]), close: () => {} };
  bridge.attach(peer, { foreign: false }).receive(Uint8Array.of(0, 0, 0, 9, 0, 3, 0, 0, 0));
  assert.equal(refused, String("E".charCodeAt(0)));

  bridge.resume();
  const third = connectTo(bridge);
  third.query("select");
  assert.equal(third.received(), "CZ");
});

Deno.test("Bridge restores the settings after statements of a foreign connection", () => {
  const { bridge, session } = scriptedBridge();
  const [trusted, foreign] = [connectTo(bridge), connectTo(bridge, { foreign: true })];
  const restored = () =>
    session.executed.splice(0).filter((text) => /reset role/.test(text)).length;
  trusted.query("select");
  trusted.query("select");
  assert.equal(restored(), 0);
  foreign.query("select");
  foreign.query("select");
  assert.equal(restored(), 0);
  trusted.query("select");
  assert.equal(restored(), 1);
  foreign.query("select");
  assert.equal(restored(), 0);
  foreign.connection.hangUp();
  assert.equal(restored(), 1);
});

Deno.test("Bridge refuses requests for encryption, and hangs up on other protocols", () => {
  const { bridge } = scriptedBridge();
  let sent = "";
  let closed = false;
  const peer = {
    send: (bytes: Uint8Array) => void (sent += new TextDecoder().decode(bytes)),
    close: () => void (closed = true),
  };
  const connection = bridge.attach(peer, { foreign: true });
  connection.receive(Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47));
  connection.receive(Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 48));
  assert.equal(sent, "NN");
  connection.receive(Uint8Array.of(0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 0));
  assert.equal(closed, true);
});
