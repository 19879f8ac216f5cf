import assert from "node:assert/strict";
import { readClock } from "../../../src/search/changes/history.ts";
import { Cluster, ClusterError } from "../../../src/search/remote/cluster.ts";
import { IndexWriter } from "../../../src/search/remote/index_writer.ts";
import { RemoteIndex } from "../../../src/search/remote/remote_index.ts";
import { oneEngineTest } from "../../support/database.ts";
import { record } from "../../support/factories.ts";
import { startSearchNodes, whyNoNodes } from "../../support/opensearch/nodes.ts";
import { silent } from "../../support/operations.ts";

const reason = whyNoNodes();
const NAME = "a process writes only under its lease, and late writes change nothing";

oneEngineTest(reason === undefined ? NAME : `${NAME} (skipped: ${reason})`, async ({ sql }) => {
  await using cluster = await startSearchNodes(1);
  const index = new RemoteIndex(new Cluster(cluster.urls));
  const writerOf = (writes = index) =>
    new IndexWriter({
      ...{ sql, log: silent, index: writes },
      ...{ shards: 1, replicas: 0 },
      signal: new AbortController().signal,
    });
  const [first] = await record(sql, [{ observed_fact: "A hall is planned." }, {}]);
  await sql`
    insert into search_writer (lease_token, leased_until)
    values (gen_random_uuid(), clock_timestamp() + interval '1 hour')
  `;
  const clock = await readClock(sql);
  const writer = writerOf();
  await writer.write(clock);
  assert.deepEqual(await index.list(), { names: [], current: undefined });

  // The other process has died after it had created an index.
  const created = await index.create({ shards: 1, replicas: 0 });
  await sql`update search_writer set leased_until = clock_timestamp() - interval '1 second'`;
  await writer.write(clock);
  const { names, current } = await index.list();
  assert.deepEqual({ names, current }, { names: [created], current: created });
  assert.equal(await index.count(), 2);
  const position = await index.position();
  assert.equal(position!.clock, clock.change_seq);

  // A process that has lost its lease is late with a deletion and a position.
  const records = [{ id: first!.observation_id, version: 0 }];
  await index.write(current!, { records });
  await index.refresh();
  assert.equal(await index.count(), 2);
  await assert.rejects(
    index.write(current!, { records: [], position: { ...position!, clock: -1 } }),
    (error) => error instanceof ClusterError && error.status === 409,
  );

  // Another process continues with the same index, and deletes one that was never filled.
  await writer.close();
  await index.create({ shards: 1, replicas: 0 });
  await record(sql, [{ observed_fact: "A greenhouse is planned." }]);
  const later = await readClock(sql);
  await writerOf().write(later);
  assert.deepEqual(await index.list(), { names, current });
  assert.equal(await index.count(), 3);
  assert.equal((await index.position())!.clock, later.change_seq);

  // A process that loses its lease while it writes stops after the page at hand.
  await record(sql, Array.from({ length: 501 }, () => ({})));
  const losing = new RemoteIndex(index.cluster);
  losing.write = async (...written) => {
    await index.write(...written);
    await sql`update search_writer set lease_token = gen_random_uuid()`;
  };
  await sql`update search_writer set lease_token = null, leased_until = null`;
  await writerOf(losing).write(await readClock(sql));
  assert.equal((await index.position())!.clock, later.change_seq);
}, { ignore: reason !== undefined });
