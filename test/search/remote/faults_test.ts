import assert from "node:assert/strict";
import { DEMO_MOMENT } from "../../../bench/demo_questions.ts";
import { checkSearch } from "../../../src/commands/doctor_database.ts";
import { recordDemo } from "../../../src/demo/demo.ts";
import { Failure } from "../../../src/failures.ts";
import { Cluster } from "../../../src/search/remote/cluster.ts";
import { ALIAS, RemoteIndex } from "../../../src/search/remote/remote_index.ts";
import { Retriever } from "../../../src/search/retriever.ts";
import { record } from "../../support/factories.ts";
import { startSearchNodes } from "../../support/opensearch/nodes.ts";
import {
  clusterServerTest,
  clusterTest,
  find,
  openCluster,
} from "../../support/opensearch/searches.ts";
import { silent } from "../../support/operations.ts";
import { eventually } from "../../support/waiting.ts";

clusterServerTest("a process continues the index of a killed writer", async ({ db, sql, url }) => {
  await recordDemo(db, DEMO_MOMENT);
  await using cluster = await startSearchNodes();
  const index = new RemoteIndex(new Cluster(cluster.urls));
  const writer = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      "--allow-read=.",
      "--allow-env=DATABASE_URL,SEARCH_URL",
      "--ignore-env",
      "test/support/opensearch/writer_process.ts",
    ],
    env: { DATABASE_URL: url, SEARCH_URL: cluster.urls.join() },
    stdout: "piped",
  }).spawn();
  const output = writer.stdout.getReader();
  assert.equal(new TextDecoder().decode((await output.read()).value), "written\n");
  writer.kill("SIGKILL");
  await writer.status;
  await output.cancel();
  const { names, current } = await index.list();
  assert.equal(names.length, 1);
  assert.equal(current, undefined);
  assert.equal((await index.position(names[0]))!.clock, -1);

  await using remote = await openCluster(sql, { nodes: cluster.urls });
  assert.deepEqual(await index.list(), { names, current: names[0] });
  await using local = new Retriever({ sql, log: silent });
  await local.source.start();
  assert.ok(local.source.state.documents > 1_000);
  assert.equal(remote.source.state.documents, local.source.state.documents);
});

clusterTest("a service finds everything again after both nodes were killed", async ({ sql }) => {
  const [hall] = await record(sql, [{ observed_fact: "A cold storage hall is being built." }]);
  await using cluster = await startSearchNodes();
  await using remote = await openCluster(sql, { nodes: cluster.urls });
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  await assert.rejects(
    find(remote, "storage hall"),
    (error) => error instanceof Failure && error.code === "retrieval_unavailable",
  );
  const [greenhouse] = await record(sql, [{ observed_fact: "A greenhouse is planned." }]);
  for (const node of cluster.nodes) node.start();
  await eventually("both records are found", async () => {
    try {
      await remote.source.refresh();
      const found = [...await find(remote, "storage hall"), ...await find(remote, "greenhouse")];
      assert.deepEqual(
        found.map(({ company_id }) => company_id),
        [hall!.company_id, greenhouse!.company_id],
      );
      return true;
    } catch {
      return false;
    }
  });
  const { obstacle, state } = remote.source;
  assert.deepEqual([obstacle, state.documents], [undefined, 2]);
});

clusterTest("nothing is lost while the disk of a node is full", async ({ sql }) => {
  const [hall] = await record(sql, [{ observed_fact: "A cold storage hall is being built." }]);
  await using cluster = await startSearchNodes(1);
  await using remote = await openCluster(sql, { nodes: cluster.urls });
  // OpenSearch blocks the index in this way when less than 5 % of a disk are free.
  const block = async (value: true | null) => {
    const response = await fetch(`${cluster.urls[0]}/${ALIAS}/_settings`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ "index.blocks.read_only_allow_delete": value }),
    });
    assert.equal(response.status, 200, await response.text());
  };
  await block(true);
  const [greenhouse] = await record(sql, [{ observed_fact: "A greenhouse is planned." }]);
  await assert.rejects(remote.source.refresh(), /block/);
  assert.deepEqual(await find(remote, "greenhouse"), []);
  assert.deepEqual((await find(remote, "storage hall"))[0]!.company_id, hall!.company_id);
  await eventually("the index lags", () => Promise.resolve(remote.source.state.lag_seconds > 2));
  const [finding] = await checkSearch(sql, cluster.urls);
  assert.match(finding!.message, /refuses writes/);
  await block(null);
  await remote.source.refresh();
  assert.equal((await find(remote, "greenhouse"))[0]!.company_id, greenhouse!.company_id);
});
