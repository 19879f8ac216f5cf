/**
 * Runs the due feed of the database at DATABASE_URL. The feed reads the publisher of a test at
 * ADDRESS. This is a separate process, so that a test can kill it during the run.
 */
import { connect } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { runDueFeed } from "../../src/ingest/refresh/refresher.ts";
import { refreshContext } from "./publisher.ts";

const log = createLog("error");
const db = await connect({ database_url: Deno.env.get("DATABASE_URL")!, data_dir: "", log });
await runDueFeed(
  refreshContext(db.sql, { address: Deno.env.get("ADDRESS")! }),
  new AbortController().signal,
);
await db.close();
