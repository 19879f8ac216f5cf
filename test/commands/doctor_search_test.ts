import assert from "node:assert/strict";
import { checkSearch } from "../../src/commands/doctor_database.ts";
import type { Sql } from "../../src/db/connect.ts";
import { readClock } from "../../src/search/changes/history.ts";
import { INDEX_FORMAT } from "../../src/search/remote/stored_record.ts";
import { oneEngineTest } from "../support/database.ts";
import { record } from "../support/factories.ts";

/** Runs a node with a position and settings. Returns the level and message of the check. */
async function checked(sql: Sql, { position, blocks = {}, status = 200 }: {
  position: unknown;
  blocks?: Record<string, string>;
  status?: number;
}) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    if (request.url.includes("_settings")) {
      return Response.json({ "company-evidence-1": { settings: blocks } });
    }
    return Response.json({ _source: { position } }, { status });
  });
  const [finding] = await checkSearch(sql, [`http://127.0.0.1:${server.addr.port}`]);
  await server.shutdown();
  return `${finding!.level}: ${finding!.message}`;
}

oneEngineTest(
  "doctor says how far a search cluster is, and what keeps it back",
  async ({ sql }) => {
    await record(sql, [{}]);
    const { dataset_id, change_seq } = await readClock(sql);
    const position = {
      format: INDEX_FORMAT,
      dataset_id,
      vocabulary: "any",
      change_seq,
      id: 1,
      clock: change_seq,
    };
    assert.equal(await checked(sql, { position }), "ok: The search cluster contains all changes.");
    assert.equal(
      await checked(sql, { position: { ...position, clock: change_seq - 1 } }),
      "warning: The search cluster lacks the last 1 changes.",
    );
    const unwritten = "warning: The search cluster has no index of this dataset and version yet.";
    assert.equal(await checked(sql, { position: { ...position, format: "older" } }), unwritten);
    assert.equal(await checked(sql, { position: {}, status: 404 }), unwritten);
    assert.equal(
      await checked(sql, { position, blocks: { "index.blocks.read_only_allow_delete": "true" } }),
      "fault: The search cluster refuses writes, so searches find no new records.",
    );
    assert.equal(
      await checked(sql, { position: "none" }),
      "fault: The search cluster does not answer as expected: " +
        "the answer is not that of an OpenSearch.",
    );
  },
);
