/** Runs cases on all retrievers, which must behave alike, each over a separate dataset. */
import { DistributedRetriever } from "../../../src/search/distributed/distributed_retriever.ts";
import type { Database, Sql } from "../../../src/db/connect.ts";
import type { Retriever } from "../../../src/search/retriever.ts";
import { createRetriever } from "../../../src/search/retriever.ts";
import { embeddedTest } from "../../support/database.ts";
import { silent } from "../../support/operations.ts";
import { HAS_SPHINX, startSphinx } from "../../support/sphinx.ts";

/** A dataset that a case asks about, and retrievers over it. */
export interface Subject {
  db: Database;
  sql: Sql;
  /**
   * Opens a loaded retriever over the dataset, which catches up only on `refresh()`. It is closed at
   * the end of its block. Opened again, it continues where the one before has stopped.
   */
  open(): Promise<Retriever & AsyncDisposable>;
  /** Settings by which the service uses this retriever. */
  env: Record<string, string>;
}

/** Milliseconds between polls, longer than any case, so that only the cases request changes. */
const NEVER_POLLS = 3_600_000;

/**
 * Registers a case for each retriever, as `name [memory]` and `name [sphinx]`. Without search nodes to
 * start, the second is registered as ignored.
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
