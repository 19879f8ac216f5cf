/** Requests of the contenders of a load, and the worker that sends them. */
import type { Database } from "../../src/db/connect.ts";
import { record, type TestCaller } from "../../test/support/factories.ts";
import { shuffled } from "../measure.ts";
import { Random } from "../random.ts";
import { Connection } from "./connection.ts";
import type { Load, Loaded } from "./generator.ts";
import { runPgbench } from "./pgbench.ts";
import type { Listening } from "./process.ts";
import { KEY_PLACE, modernToolText, requestText, searchText, toolText } from "./requests.ts";

/** Number of connections that send one request after the other. */
export const CLIENTS = 16;
/** Records that the feed writes at once, and milliseconds between two writes. */
const FEED = { records: 20, milliseconds: 250 };
/** The SQL of the floor, a minimal metered request, and the questions. Both are outside. */
export const FLOOR = "../shared/floor";
export const QUESTIONS = "../shared/load/questions.txt";

/** Questions of the contender that repeats itself. */
const REPEATED = [
  "software company series a round",
  "biotech funding in Massachusetts",
  "advertising startup in New York",
  "construction services tender",
  "road maintenance Toronto",
  "appointment of a chief financial officer",
  "remote software engineers",
  "clean energy venture round",
];

/** One kind of request, which is sent for a while. */
export interface Contender {
  name: string;
  run(seconds: number): Promise<number>;
}

interface Parts {
  db: Database;
  callers: readonly TestCaller[];
  service: Listening;
  bare: Listening;
  url: string;
}

/** Writes the requests of all contenders, and checks one answer of each before anything is timed. */
export async function prepare({ db, callers, service, bare, url }: Parts) {
  const questions = shuffled(
    (await Deno.readTextFile(QUESTIONS)).split("\n").filter((line) => line !== ""),
    new Random(1),
  );
  const textsOf = (keys: readonly TestCaller[], asked: readonly string[]) =>
    asked.map((query, at) => searchText(keys[at % keys.length]!.key, query));
  const distinct = endless(textsOf(callers, questions));
  const ids = (await db.sql<{ id: number }[]>`
    select company_id as id from deliverable_observations
    group by 1 order by md5(company_id::text) limit 640
  `).map(({ id }) => id);
  const lookups = callers.map(({ key }, at) => {
    const query = ids.slice(10 * at, 10 * at + 10).map((id) => `ids[]=${id}`).join("&");
    return requestText({
      path: `/api/companies?${query}`,
      key,
      headers: { "idempotency-key": KEY_PLACE },
    });
  });
  const replays = callers.map(({ key }, at) =>
    searchText(key, REPEATED[at % REPEATED.length]!, "replayed")
  );
  const shown: number[][] = [];
  const connection = await Connection.open(service.port);
  for (const text of replays) {
    const body = JSON.parse((await connection.ask(text, { decoded: true }))!);
    check(body.usage.status === "delivered", "a search is delivered");
    shown.push(
      body.companies.flatMap((one: { match: { observation_ids: number[] } }) =>
        one.match.observation_ids
      ),
    );
  }
  const company = callers.map(({ key }, at) =>
    requestText({ path: `/api/companies/${ids[at]}`, key })
  );
  const usage = callers.map(({ key }) => requestText({ path: "/api/usage", key }));
  const bareTexts = (path: string, of: readonly unknown[]) =>
    of.map((one) => requestText({ path: `${path}?of=${one}` }));
  const mcp = (text: typeof toolText) =>
    endless(questions.map((query, at) => {
      const request_key = KEY_PLACE;
      const { key } = callers[at % callers.length]!;
      return text(key, "search_companies", { query, limit: 10, request_key });
    }));
  const sends = (name: string, texts: () => readonly string[], port = service.port): Contender => ({
    name,
    run: async (seconds) =>
      (await generate({ port, requests: texts(), clients: CLIENTS, seconds })).rate,
  });
  const always = (texts: readonly string[]) => () => texts;
  const feed: Contender = {
    name: "distinct questions while records come in",
    run: (seconds) => whileRecording(db, () => sends("", distinct).run(seconds)),
  };
  const contenders = [
    {
      name: "floor",
      run: (seconds: number) =>
        runPgbench(url, { script: `${FLOOR}/request.sql`, clients: CLIENTS, seconds }),
    },
    sends("distinct questions", distinct),
    feed,
    sends("eight repeated questions", always(textsOf(callers, REPEATED))),
    sends("lookup by ids", always(lookups)),
    sends("replay", always(replays)),
    sends("replay, bare", always(bareTexts("/replay", shown)), bare.port),
    sends("company", always(company)),
    sends("company, bare", always(bareTexts("/company", ids.slice(0, 64))), bare.port),
    sends("usage", always(usage)),
    sends(
      "usage, bare",
      always(bareTexts("/usage", callers.map((c) => c.subscription_id))),
      bare.port,
    ),
    sends("MCP 2025-11-25", mcp(toolText)),
    sends("MCP 2026-07-28", mcp(modernToolText)),
  ];
  for (
    const text of [distinct()[0]!, lookups[0]!, mcp(toolText)()[0]!, mcp(modernToolText)()[0]!]
  ) {
    const fresh = text.replaceAll(KEY_PLACE, crypto.randomUUID());
    const answer = (await connection.ask(fresh, { decoded: true }))!;
    check(/"status\\?":\\?"delivered/.test(answer), answer.slice(0, 300));
  }
  connection.close();
  return {
    contenders,
    distinct,
    textsOf: (at: number, n: number) =>
      textsOf([callers[at]!], questions.slice(n * 1_000, n * 1_000 + 1_000)),
  };
}

/** Returns a function that gives the next part of the texts at each call, so that none repeats soon. */
function endless(texts: readonly string[]): () => readonly string[] {
  let start = 0;
  return () => {
    start = (start + 7_000) % texts.length;
    return [...texts.slice(start), ...texts.slice(0, start)];
  };
}

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`not so: ${what}`);
}

/** Runs work while records are written, a batch at a time. */
async function whileRecording<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await record(db.sql, Array.from({ length: FEED.records }, () => ({})));
      await new Promise((resolve) => setTimeout(resolve, FEED.milliseconds));
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await writing;
  }
}

/** Sends requests from a worker. */
export async function generate(load: Load): Promise<Loaded> {
  const worker = new Worker(new URL("./generator.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) =>
        "error" in data ? reject(new Error(data.error)) : resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(load);
    });
  } finally {
    worker.terminate();
  }
}
