/** Runs tests on all retrievers, each with a separate dataset. All must behave alike. */
import { DistributedRetriever } from "../../../src/search/distributed/distributed_retriever.ts";
import type { Database, Sql } from "../../../src/db/connect.ts";
import type { Retriever } from "../../../src/search/retriever.ts";
import { createRetriever } from "../../../src/search/retriever.ts";
import { embeddedTest } from "../../support/database.ts";
import { silent } from "../../support/operations.ts";
import { HAS_SPHINX, startSphinx } from "../../support/sphinx.ts";

/** Dataset of a test, and a function that opens a retriever on it. */
export interface Subject {
  db: Database;
  sql: Sql;
  /**
   * Opens a loaded retriever. It follows changes only on `refresh()`, and is closed at the end of
   * its block. A second retriever continues where the first one has stopped.
   */
  open(): Promise<Retriever & AsyncDisposable>;
  /** Settings by which the service uses this retriever. */
  env: Record<string, string>;
}

/** Milliseconds between polls, longer than any test, so that only `refresh()` reads changes. */
const NEVER_POLLS = 3_600_000;

/**
 * Registers a test for each retriever, as `name [memory]` and `name [sphinx]`. If this machine
 * cannot start search nodes, the second is ignored.
 */
export function conformanceTest(name: string, body: (subject: Subject) => Promise<void>): void {
  embeddedTest(`${name} [memory]`, async ({ db, sql }) => {
    const directory = Deno.makeTempDirSync({ prefix: "ce-conformance-" });
    try {
      const open = async () =>
        await started(createRetriever({
          sql,
          log: silent,
          poll_milliseconds: NEVER_POLLS,
          snapshot_path: `${directory}/index`,
        }));
      await body({ db, sql, open, env: {} });
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  });
  embeddedTest(`${name} [sphinx]`, async ({ db, sql }) => {
    await using sphinx = await startSphinx();
    const search_url = sphinx.url;
    const open = async () =>
      await started(
        new DistributedRetriever({
          sql,
          log: silent,
          search_url,
          poll_milliseconds: NEVER_POLLS,
        }),
      );
    await body({ db, sql, open, env: { SEARCH_URL: search_url } });
  }, { ignore: !HAS_SPHINX });
}

async function started(retriever: Retriever): Promise<Retriever & AsyncDisposable> {
  await retriever.start();
  return Object.assign(retriever, { [Symbol.asyncDispose]: () => retriever.close() });
}
