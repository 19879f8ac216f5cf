/**
 * How good are the answers of the distributed retriever, compared with the index in memory?
 *
 * `deno run -A --config test/deno.json bench/distributed/relevance.ts [--only NAME]` loads every
 * collection into a temporary PostgreSQL and three search nodes. It asks both retrievers the same
 * questions, and prints one table. Questions about the real records use the public interface.
 */
import { parseArgs } from "node:util";
import { createLog } from "../../src/log.ts";
import { DistributedRetriever } from "../../src/search/distributed/distributed_retriever.ts";
import { createRetriever, type Retriever } from "../../src/search/retriever.ts";
import { type Cluster, startCluster } from "../../test/support/cluster.ts";
import { hasRealData } from "../../test/support/real_records.ts";
import { HAS_SPHINX, startSphinx } from "../../test/support/sphinx.ts";
import { say } from "../child.ts";
import { markdownTable } from "../floors.ts";
import { openDatabase } from "../ingest_database.ts";
import { openApi } from "../questions/api.ts";
import { askQuestions, realQuestions } from "../questions/ask.ts";
import { openRealDataset } from "../questions/dataset.ts";
import { readCollection, type Relevance } from "../relevance.ts";
import { askCollection, recordCollection } from "./collection_dataset.ts";

const DIRECTORY = new URL("../../../shared/data/ir/", import.meta.url).pathname;

const COLLECTIONS = [
  { name: "scifact", title: "SciFact" },
  { name: "cranfield", title: "Cranfield" },
  { name: "npl", title: "NPL" },
  { name: "cisi", title: "CISI" },
];

/** Min nDCG@10 of the distributed retriever, as a share of that of the index in memory. */
const FLOOR = 0.95;

interface Row {
  title: string;
  questions: number;
  memory: Partial<Relevance> & { ndcg_at_10: number };
  distributed: Partial<Relevance> & { ndcg_at_10: number };
}

const { values } = parseArgs({ args: Deno.args, options: { only: { type: "string" } } });
await main(values.only);

async function main(only?: string): Promise<void> {
  if (!hasRealData()) return say("skipped: ../shared/data does not contain the collections");
  if (!HAS_SPHINX) return say("skipped: searchd is not installed");
  await using cluster = await openCluster();
  if (cluster === undefined) return say("skipped: there are no binaries of a PostgreSQL server");
  const rows: Row[] = [];
  for (const { name, title } of COLLECTIONS) {
    if (only === undefined || only === name) rows.push(await compareOn(name, title, cluster));
  }
  if (only === undefined || only === "questions") rows.push(await compareOnQuestions());
  say(tableOf(rows));
  const missed = rows.filter(({ memory, distributed }) =>
    distributed.ndcg_at_10 < FLOOR * memory.ndcg_at_10
  );
  if (missed.length > 0) {
    say(`share under ${100 * FLOOR} %: ${missed.map(({ title }) => title).join(", ")}`);
    Deno.exitCode = 1;
  }
}

async function openCluster(): Promise<(Cluster & AsyncDisposable) | undefined> {
  const cluster = await startCluster();
  return cluster && Object.assign(cluster, { [Symbol.asyncDispose]: () => cluster.stop() });
}

async function compareOn(name: string, title: string, { url }: Cluster): Promise<Row> {
  const { documents, queries } = readCollection(`${DIRECTORY}${name}`);
  await using database = await openDatabase(url);
  const { sql } = database;
  const ids = await recordCollection(sql, documents);
  await using sphinx = await startSphinx();
  const log = createLog("error");
  const measure = async (retriever: Retriever): Promise<Relevance> => {
    try {
      await retriever.start();
      return await askCollection(retriever, { queries, ids });
    } finally {
      await retriever.close();
    }
  };
  return {
    title,
    questions: queries.length,
    memory: await measure(createRetriever({ sql, log })),
    distributed: await measure(new DistributedRetriever({ sql, log, search_url: sphinx.url })),
  };
}

async function compareOnQuestions(): Promise<Row> {
  await using dataset = (await openRealDataset())!;
  await using sphinx = await startSphinx();
  const { db, keys } = dataset;
  const measure = async (env: Record<string, string>) => {
    await using api = await openApi(db, { env });
    const answer = async (query: string, limit: number) =>
      (await api.search(query, limit)).companies.map(({ id }) => id);
    return await askQuestions(realQuestions(), { answer, keys });
  };
  const memory = await measure({});
  const distributed = await measure({ SEARCH_URL: sphinx.url, WORKERS: "1" });
  const mean = (scores: { score: number }[]) =>
    scores.reduce((sum, { score }) => sum + score, 0) / scores.length;
  return {
    title: "questions to the real records",
    questions: memory.length,
    memory: { ndcg_at_10: mean(memory) },
    distributed: { ndcg_at_10: mean(distributed) },
  };
}

function tableOf(rows: readonly Row[]): string {
  const digits = (value?: number) => value?.toFixed(3) ?? "";
  return markdownTable(
    [
      ...["collection", "questions", "memory, nDCG@10", "distributed, nDCG@10", "share"],
      ...["memory, recall@100", "distributed, recall@100"],
    ],
    rows.map(({ title, questions, memory, distributed }) => [
      title,
      String(questions),
      digits(memory.ndcg_at_10),
      digits(distributed.ndcg_at_10),
      `${(100 * distributed.ndcg_at_10 / memory.ndcg_at_10).toFixed(1)} %`,
      digits(memory.recall_at_100),
      digits(distributed.recall_at_100),
    ]),
  );
}
