/**
 * Runs the feed that is due of the database DATABASE_URL, of the sources for tests at ADDRESS.
 * A process of its own, so that it can be killed in the middle.
 */
import { connect } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { runDueFeed } from "../../src/ingest/refresh/run_feed.ts";
import { refreshContext } from "./publisher.ts";

const log = createLog("error");
const db = await connect({ database_url: Deno.env.get("DATABASE_URL")!, data_dir: "", log });
await runDueFeed(
  refreshContext(db.sql, { address: Deno.env.get("ADDRESS")! }),
  new AbortController().signal,
);
await db.close();
