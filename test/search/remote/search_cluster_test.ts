import assert from "node:assert/strict";
import { DEMO_MOMENT, DEMO_QUESTIONS } from "../../../bench/demo_questions.ts";
import { checkSearch } from "../../../src/commands/doctor_database.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { recordDemo } from "../../../src/demo/demo.ts";
import { Failure } from "../../../src/failures.ts";
import { withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { Cluster } from "../../../src/search/remote/cluster.ts";
import { ALIAS, RemoteIndex } from "../../../src/search/remote/remote_index.ts";
import { Retriever } from "../../../src/search/retriever.ts";
import { record } from "../../support/factories.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { isFormed, type SearchNode } from "../../support/opensearch/nodes.ts";
import { clusterTest, find, openCluster } from "../../support/opensearch/searches.ts";
import { silent } from "../../support/operations.ts";
import { eventually } from "../../support/waiting.ts";

const CONTINUED =
  "a cluster whose writer was killed charges the same companies as the index in memory";
clusterTest(CONTINUED, async ({ db, sql, url }, cluster) => {
  await recordDemo(db, DEMO_MOMENT);
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
  let same = 0;
  let all = 0;
  for (const { text } of DEMO_QUESTIONS) {
    const [here, there] = await Promise.all(
      [local, remote].map(async (one) =>
        new Set((await find(one, text, NO_FILTERS, DEMO_MOMENT)).map((entry) => entry.company_id))
      ),
    );
    same += here!.intersection(there!).size;
    all += here!.union(there!).size;
  }
  assert.ok(all > 100);
  assert.ok(same / all >= 0.97, `${same} of ${all}`);
  // More records than are fetched meet an exclusion alone. The latest of them count.
  const filters = normalizeFilters({ demand_classes: ["proxy"] });
  const [here, there] = await Promise.all(
    [local, remote].map((one) => find(one, "not roofing", filters, DEMO_MOMENT)),
  );
  assert.deepEqual(there!.slice(0, 10), here!.slice(0, 10));
});

clusterTest("nothing is lost while the disk of a node is full", async ({ sql }, cluster) => {
  const [hall] = await record(sql, [{ observed_fact: "A cold storage hall is being built." }]);
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

clusterTest(
  "a service finds everything again after both nodes were killed",
  async ({ sql }, cluster) => {
    const [hall] = await record(sql, [{ observed_fact: "A cold storage hall is being built." }]);
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
  },
);

// This test is the last, because it kills the nodes.
clusterTest("a cluster follows changes, obeys filters, and survives a node", async (t, cluster) => {
  const { sql } = t;
  const [cold, steel] = await record(sql, [
    {
      observed_fact: "A cold storage hall is being built.",
      company: { domains: ["cold.example"] },
      facets: { place: { country: "CA", region: "QC", city: "Laval" } },
    },
    {
      country: "US",
      observed_fact: "Structural beams are wanted.",
      company: { name: "Steelworks" },
    },
  ]);
  await using remote = await openCluster(sql, { nodes: cluster.urls });
  const companies = async (query: string, filters: unknown = {}) =>
    (await find(remote, query, normalizeFilters(filters))).map(({ company_id }) => company_id);
  assert.deepEqual(await companies("storage hall"), [cold!.company_id]);
  assert.deepEqual(await companies("storage hall in Laval"), [cold!.company_id]);
  // A place after the last unit is a condition as well.
  const long = `${"storage hall ".repeat(25)}in Laval`;
  assert.deepEqual(await companies(long), [cold!.company_id]);
  assert.deepEqual(await companies("structural beams", { countries: ["US"] }), [steel!.company_id]);
  assert.deepEqual(await companies("structural beams", { countries: ["CA"] }), []);
  assert.deepEqual(await companies("storage hall", { domains: ["cold.example"] }), [
    cold!.company_id,
  ]);
  assert.deepEqual(await companies("storage hall", { domains: ["none.example"] }), []);
  assert.deepEqual(await companies("storage hall", { exclude_domains: ["cold.example"] }), []);
  assert.deepEqual(await companies('"hall storage"'), []);
  assert.deepEqual(await companies('"storage hall"'), [cold!.company_id]);
  assert.deepEqual(await companies("structurel beams"), [steel!.company_id]);

  // A hostname of an expired record is none of its company.
  const lasting = { name: "Lasting", external_id: "l" };
  const [passing] = await record(sql, [
    {
      observed_fact: "A mast is wanted.",
      company: { ...lasting, domains: ["mast.example"] },
      expires_at: "2199-01-01T00:00:00Z",
    },
    { observed_fact: "A mast is wanted.", company: lasting },
  ]);
  await remote.source.refresh();
  const later = async (filters: unknown) =>
    (await find(remote, "mast", normalizeFilters(filters), new Date("2199-01-02T00:00:00Z")))
      .map(({ company_id }) => company_id);
  assert.deepEqual(await later({ exclude_domains: ["mast.example"] }), [passing!.company_id]);
  assert.deepEqual(await later({ domains: ["mast.example"] }), []);

  // If more records are equal than are sought, those with the lowest ids are found. The shards on
  // which they lie make no difference.
  const lighthouse = { observed_fact: "A lighthouse is wanted." };
  const equal = await record(sql, Array.from({ length: 1_200 }, () => lighthouse));
  await remote.source.refresh();
  assert.deepEqual(
    await companies("lighthouse"),
    equal.slice(0, 100).map(({ company_id }) => company_id),
  );

  await withdrawObservation(sql, cold!.observation_id);
  await remote.source.refresh();
  assert.deepEqual(await companies("storage hall"), []);

  const { manager, other } = await rolesOf(cluster.nodes);
  await other.kill();
  await eventually("the cluster has noticed", () => isFormed(manager.url, 1));
  assert.deepEqual(await companies("structural beams"), [steel!.company_id]);
  await record(sql, [{ observed_fact: "A greenhouse is planned." }]);
  await remote.source.refresh();
  assert.equal((await companies("greenhouse")).length, 1);
  await manager.kill();
  await eventually(
    "the service has noticed",
    () => Promise.resolve(remote.source.obstacle !== undefined),
  );
  assert.equal(remote.source.obstacle, "the search cluster is unavailable");
  await assert.rejects(
    companies("structural beams"),
    (error) => error instanceof Failure && error.code === "retrieval_unavailable",
  );
});

/** Returns the node that manages the cluster, and the other one of two. */
async function rolesOf([first, second]: readonly SearchNode[]) {
  const response = await fetch(`${first!.url}/_cat/cluster_manager?h=node`);
  const isFirst = (await response.text()).trim() === first!.name;
  return { manager: (isFirst ? first : second)!, other: (isFirst ? second : first)! };
}
