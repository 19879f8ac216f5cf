/**
 * Writes the dataset of DATABASE_URL into the cluster at SEARCH_URL, but stops after the first page:
 * it prints a line and waits, so that a test can kill it in the middle.
 */
import { connect } from "../../../src/db/connect.ts";
import { createLog } from "../../../src/log.ts";
import { readClock } from "../../../src/search/changes/history.ts";
import { Cluster } from "../../../src/search/remote/cluster.ts";
import { IndexWriter } from "../../../src/search/remote/index_writer.ts";
import {
  type IndexPosition,
  RemoteIndex,
  type WrittenRecord,
} from "../../../src/search/remote/remote_index.ts";

class StoppingIndex extends RemoteIndex {
  override async write(
    index: string,
    page: { records: readonly WrittenRecord[]; position?: IndexPosition },
  ): Promise<void> {
    await super.write(index, page);
    if (page.records.length === 0) return;
    await Deno.stdout.write(new TextEncoder().encode("written\n"));
    await new Promise(() => setInterval(() => {}, 1000));
  }
}

const log = createLog("error");
const { sql } = await connect({ database_url: Deno.env.get("DATABASE_URL")!, data_dir: "", log });
const writer = new IndexWriter({
  ...{ sql, log },
  index: new StoppingIndex(new Cluster(Deno.env.get("SEARCH_URL")!.split(","))),
  ...{ shards: 2, replicas: 1 },
  signal: new AbortController().signal,
});
await writer.write(await readClock(sql));
