/** Tests connections to nodes of a search engine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { createServer } from "mysql2";
import { NodeConnection } from "../../../src/search/distributed/node_connection.ts";

/** Part of the driver's server that its types omit. */
interface ServerParts {
  _server: Server;
}

const noLeaks = { sanitizeOps: true, sanitizeResources: true };

Deno.test("a statement whose node dies fails at once and leaves no timer", noLeaks, async () => {
  const server = createServer((connection) => {
    connection.on("error", () => {});
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: "node",
      connectionId: 1,
      statusFlags: 2,
      characterSet: 45,
      capabilityFlags: 0xffffff,
    });
    connection.on("query", () => connection.destroy());
  });
  const { _server: listener } = server as unknown as ServerParts;
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;

  const node = new NodeConnection({ host: "127.0.0.1", port });
  await assert.rejects(node.run(["SELECT 1"]), { code: "PROTOCOL_CONNECTION_LOST" });
  await node.close();
  listener.close();
  await once(listener, "close");
});
