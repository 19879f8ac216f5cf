/** Runs tests on retrievers, each with a separate dataset. */
import type { Database, Sql } from "../../../src/db/connect.ts";
import { Retriever } from "../../../src/search/retriever.ts";
import { oneEngineTest } from "../../support/database.ts";
import { silent } from "../../support/operations.ts";

/** Dataset of a test, and a function that opens a retriever on it. */
export interface Subject {
  db: Database;
  sql: Sql;
  /**
   * Opens a loaded retriever. It follows changes only on `refresh()`, and is closed at the end of
   * its block. A second retriever continues where the first one has stopped.
   */
  open(): Promise<Retriever>;
}

/** Milliseconds between polls, longer than any test, so that only `refresh()` reads changes. */
const NEVER_POLLS = 3_600_000;

/** Registers a test of a retriever, as `name [memory]`. */
export function conformanceTest(name: string, body: (subject: Subject) => Promise<void>): void {
  oneEngineTest(`${name} [memory]`, async ({ db, sql }) => {
    const directory = Deno.makeTempDirSync({ prefix: "ce-conformance-" });
    try {
      const open = async () => {
        const retriever = new Retriever({
          ...{ sql, log: silent, poll_milliseconds: NEVER_POLLS },
          snapshot_path: `${directory}/index`,
        });
        await retriever.source.start();
        return retriever;
      };
      await body({ db, sql, open });
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  });
}
