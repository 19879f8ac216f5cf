/**
 * How long does a search take in each of three corpora? `deno bench --config test/deno.json
 * bench/search_bench.ts` needs only the repository. With permission to read `../shared`, it also
 * times searches of the real records.
 *
 * In the first and the last group, ours is a whole company search: it reads the question, finds,
 * ranks and groups. Peers only add up the scores of words. All engines share one process, so the
 * heap of each slows the others down. `search_peers_bench.ts` gives each engine a separate process,
 * and checks the min ratios of the peers' times to ours.
 */
import { ownQuestions } from "../test/search/questions/own_questions.ts";
import { hasRealData, REAL_DATA, realFiles } from "../test/support/real_records.ts";
import { Corpus } from "./corpus.ts";
import { DEMO_MOMENT, DEMO_QUESTIONS } from "./demo_questions.ts";
import type { Engine, NumberedTexts } from "./engines/engine.ts";
import { createExhaustive } from "./engines/exhaustive.ts";
import { createMiniSearch } from "./engines/mini_search.ts";
import { createOrama } from "./engines/orama.ts";
import { createOurs } from "./engines/ours.ts";
import { createPipeline } from "./engines/pipeline.ts";
import { createSqlite } from "./engines/sqlite.ts";
import { LIMIT } from "./measure.ts";
import { RepeatedRecords } from "./numbered.ts";
import { queriesOf, type Query, SHAPES } from "./queries.ts";
import { realQuestions } from "./questions/ask.ts";
import { demoDocuments, demoObservations } from "./questions/demo_dataset.ts";
import { readRealDocuments } from "./rows.ts";

/** An engine that indexes numbered texts. */
type Peer = Engine<NumberedTexts>;

benchDemo();
await benchSynthetic();
if (mayReadRealData() && hasRealData()) await benchReal();

function benchDemo(): void {
  const records = new RepeatedRecords(demoDocuments(demoObservations()), 1);
  const pipeline = createPipeline(records.records(), { hybrid: true, now: DEMO_MOMENT });
  register("demo dataset", {
    ours: ({ text }) => pipeline.search(text),
    peers: [createExhaustive(), createSqlite(), createMiniSearch(), createOrama("Orama")],
    texts: records,
    queries: DEMO_QUESTIONS.map(({ text }) => records.query(text)),
  });
}

async function benchSynthetic(): Promise<void> {
  const corpus = new Corpus({ documents: 50_000, words: 60 });
  const ours = createOurs();
  await ours.fill(corpus);
  register("50k synthetic texts, four mixed terms", {
    ours: (query) => ours.search(query, LIMIT),
    peers: [createExhaustive(), createSqlite(), createMiniSearch(), createOrama("Orama")],
    texts: corpus,
    queries: queriesOf(corpus, SHAPES[2]),
  });
}

/** Times the real records. Peers that need a minute to index such long texts are left out. */
async function benchReal(): Promise<void> {
  // Profiles of companies are left out. They are half of the records, and resemble each other.
  const files = realFiles().filter(({ path }) => !path.endsWith("companies.csv"));
  const records = new RepeatedRecords(await readRealDocuments(files), 1);
  const pipeline = createPipeline(records.records(), { hybrid: true, now: new Date() });
  const questions = [...realQuestions(), ...await ownQuestions()];
  register("real records", {
    ours: ({ text }) => pipeline.search(text),
    peers: [createExhaustive(), createSqlite()],
    texts: records,
    queries: questions.map(({ query }) => records.query(query)).filter(({ words }) =>
      words.length > 0
    ),
  });
}

/** Registers a bench of our engine, which is the baseline, and one per peer. */
function register(
  group: string,
  { ours, peers, texts, queries }: {
    ours: (query: Query) => unknown;
    peers: readonly Peer[];
    texts: NumberedTexts;
    queries: readonly Query[];
  },
): void {
  const next = turns(queries);
  Deno.bench("ours", { group, baseline: true }, () => void ours(next()));
  for (const peer of peers) {
    peer.fill(texts);
    const nextOfPeer = turns(queries);
    Deno.bench(peer.name, { group }, () => void peer.search(nextOfPeer(), LIMIT));
  }
}

/** Returns a function that gives the queries in turn, over and over again. */
function turns(queries: readonly Query[]): () => Query {
  let turn = 0;
  return () => queries[turn++ % queries.length]!;
}

/** Returns whether reading is permitted, without a prompt. */
function mayReadRealData(): boolean {
  return Deno.permissions.querySync({ name: "read", path: REAL_DATA }).state === "granted";
}
