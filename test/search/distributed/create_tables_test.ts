import assert from "node:assert/strict";
import {
  createStatements,
  createTables,
  planNodes,
  searchdConfig,
} from "../../../src/search/distributed/create_tables.ts";
import { readNodeAddresses } from "../../../src/search/distributed/node_connection.ts";
import { HAS_SPHINX, startSphinx } from "../../support/sphinx.ts";

const SEARCH_URL = "mysql://one:9306,mysql://two:9400";

Deno.test("planNodes() spreads shards over the nodes in turn", () => {
  assert.deepEqual(planNodes(SEARCH_URL, 3), [
    { mysql: "one:9306", api: "one:9312", shards: [0, 2] },
    { mysql: "two:9400", api: "two:9406", shards: [1] },
  ]);
  assert.throws(() => planNodes(SEARCH_URL, 0), /1 to 256/);
  assert.throws(() => planNodes(SEARCH_URL, 257), /1 to 256/);
});

Deno.test("readNodeAddresses() refuses texts that are not addresses of nodes", () => {
  for (const text of ["", "one:9306", "http://one", "mysql://", "mysql://one/db", "mysql://one,"]) {
    assert.throws(() => readNodeAddresses(text), /mysql:\/\/host:9306/);
  }
  assert.deepEqual(readNodeAddresses("mysql://me:a%40b@one , mysql://[::1]:9400/"), [
    { host: "one", port: 9306, user: "me", password: "a@b" },
    { host: "::1", port: 9400 },
  ]);
});

Deno.test("searchdConfig() gives each node its own shards and the addresses of the others", () => {
  const nodes = planNodes(SEARCH_URL, 2);
  const [one, two] = nodes.map((_, index) => searchdConfig(nodes, index, "/data"));
  assert.match(
    one!,
    /index evidence_a_0 \{\n {2}type = rt\n {2}path = \/data\/evidence_a_0/,
  );
  assert.match(
    one!,
    /local = evidence_b_0\n {2}agent_persistent = two:9406:evidence_b_1/,
  );
  assert.match(
    two!,
    /agent_persistent = one:9312:evidence_a_0\n {2}local = evidence_a_1/,
  );
});

Deno.test("createStatements() creates shards before the distributed tables that contain them", () => {
  const statements = createStatements(planNodes(SEARCH_URL, 2), 0);
  assert.deepEqual(statements.map((sql) => sql.slice(0, 41)), [
    "CREATE TABLE IF NOT EXISTS evidence_a_0 (",
    "CREATE TABLE IF NOT EXISTS evidence_a typ",
    "CREATE TABLE IF NOT EXISTS evidence_b_0 (",
    "CREATE TABLE IF NOT EXISTS evidence_b typ",
  ]);
  assert.match(statements[1]!, /local='evidence_a_0' agent='two:9406:evidence_a_1'$/);
});

Deno.test({
  name: "createTables() returns false for Sphinx, which reads its tables from a file [sphinx]",
  ignore: !HAS_SPHINX,
  async fn() {
    await using sphinx = await startSphinx({ shards: 1 });
    assert.equal(await createTables(sphinx.url, planNodes(sphinx.url, 1)), false);
  },
});
