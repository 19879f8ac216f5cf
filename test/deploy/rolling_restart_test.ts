/** Restarts replicas behind each front proxy, one after the other, while clients send searches. */
import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { findCaddy, startCaddy } from "../support/caddy.ts";
import { withDataDir } from "../support/data_dir.ts";
import { createDatabase, HAS_SERVER } from "../support/database.ts";
import { AMPLE, createCaller, record } from "../support/factories.ts";
import type { FrontProxy } from "../support/front_proxy.ts";
import { findNginx, startNginx } from "../support/nginx.ts";
import { silent } from "../support/operations.ts";
import { findPort } from "../support/port.ts";
import { type Service, startService } from "../support/service.ts";

const CLIENTS = 16;
const RESTARTS = 2;

type StartProxy = (replicas: string[]) => Promise<FrontProxy>;

const nginx = findNginx();
const caddy = findCaddy();

rollingTest(
  "a rolling restart behind nginx costs no request",
  nginx === undefined
    ? undefined
    : ((replicas) => startNginx(nginx, { upstream: replicas[0]!, replicas })),
);

rollingTest(
  "a rolling restart behind Caddy costs no request",
  caddy === undefined
    ? undefined
    : ((replicas) => startCaddy(caddy, { upstream: replicas[0]!, replicas })),
);

function rollingTest(name: string, startProxy: StartProxy | undefined): void {
  Deno.test({
    name: `${name} [postgres]`,
    ignore: startProxy === undefined || !HAS_SERVER,
    fn: () =>
      withDataDir(async (directory) => {
        await using server = await createDatabase();
        const db = await connect({ database_url: server.url, data_dir: "", log: silent });
        await using stack = new AsyncDisposableStack();
        stack.defer(() => db.close());
        const replicas = [new Replica(directory, server.url), new Replica(directory, server.url)];
        for (const replica of replicas) {
          stack.use(replica);
          await replica.start();
        }
        const { key } = await createCaller(db.sql, { terms: AMPLE });
        await record(db.sql, [{ observed_fact: "A freezer warehouse." }]);
        const proxy = stack.use(await startProxy!(replicas.map(({ url }) => url)));
        const over = new AbortController();
        const clients = Array.from(
          { length: CLIENTS },
          (_, client) => searchUntil(over.signal, { url: proxy.url, key, client }),
        );
        for (let n = 0; n < RESTARTS; n++) await replicas[n % replicas.length]!.restart();
        over.abort();
        const answers = (await Promise.all(clients)).flat();
        const failed = answers.filter((answer) => answer !== "200");
        const warnings = replicas.flatMap((replica) => replica.warnings()).slice(0, 5);
        assert.deepEqual(failed.slice(0, 5), [], `${failed.length} failed: ${warnings.join("\n")}`);
        // Each request was charged once, even if two replicas received it.
        const [charged] = await db.sql`select count(*)::integer as operations from ledger`;
        assert.equal(charged!.operations, answers.length);
        assert.ok(answers.length > CLIENTS * RESTARTS, `${answers.length} answers`);
      }),
  });
}

/** A replica that keeps its port. */
class Replica {
  readonly #env: Record<string, string>;
  readonly url: string;
  #service: Service | undefined;
  /** Output of earlier processes. */
  #printed = "";

  constructor(directory: string, database_url: string) {
    const PORT = `${findPort()}`;
    this.url = `http://127.0.0.1:${PORT}`;
    this.#env = { PORT, DATABASE_URL: database_url, DATA_DIR: `${directory}/${PORT}` };
  }

  async start(): Promise<void> {
    this.#service = await startService({ env: this.#env });
  }

  async restart(): Promise<void> {
    await this.#service!.stop();
    this.#printed += this.#service!.stderr;
    await this.start();
  }

  /** Returns the logged warnings and errors. */
  warnings(): string[] {
    const lines = (this.#printed + this.#service!.stderr).split("\n");
    return lines.filter((line) => /"level":"(warn|error)"/.test(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]();
  }
}

/** Sends searches one after the other. Returns the status or the error of each of them. */
async function searchUntil(
  over: AbortSignal,
  { url, key, client }: { url: string; key: string; client: number },
): Promise<string[]> {
  const answers: string[] = [];
  for (let n = 0; !over.aborted; n++) {
    try {
      const response = await fetch(`${url}/api/companies/search`, {
        method: "POST",
        headers: {
          "authorization": `Bearer ${key}`,
          "idempotency-key": `${client} ${n}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ query: "freezer warehouse" }),
      });
      const text = await response.text();
      answers.push(response.status === 200 ? "200" : `${response.status} ${text}`);
    } catch (error) {
      answers.push(String(error));
    }
  }
  return answers;
}
