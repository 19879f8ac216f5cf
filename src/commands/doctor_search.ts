/** The check of `doctor` for a search cluster. */
import type { Sql } from "../db/connect.ts";
import { readClock } from "../search/changes/history.ts";
import { Cluster, ClusterError } from "../search/remote/cluster.ts";
import { isUsable, RemoteIndex } from "../search/remote/remote_index.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";

const CHECK = "search";

/** Tells whether the cluster answers, can be written to, and contains all changes. */
export async function checkSearch(sql: Sql, nodes: readonly string[]): Promise<Finding[]> {
  const index = new RemoteIndex(new Cluster(nodes));
  try {
    const position = await index.position();
    if (await index.isReadOnly()) {
      return [fault(
        CHECK,
        "The search cluster refuses writes, so searches find no new records.",
        "Free disk space on its nodes. OpenSearch then lifts the block by itself.",
      )];
    }
    const { dataset_id, change_seq } = await readClock(sql);
    if (!isUsable(position, dataset_id)) {
      return [warning(
        CHECK,
        "The search cluster has no index of this dataset and version yet.",
        "A running service writes it. /readyz says how much of it is written.",
      )];
    }
    const behind = change_seq - position.clock;
    if (behind <= 0) return [ok(CHECK, "The search cluster contains all changes.")];
    return [warning(
      CHECK,
      `The search cluster lacks the last ${behind} changes.`,
      "Check that a service runs. If the number grows, read its log.",
    )];
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return [fault(
      CHECK,
      `The search cluster does not answer as expected: ${error.message}.`,
      "Check SEARCH_URL, and whether the nodes run and accept this machine.",
    )];
  }
}
