/**
 * How long does a search take, over three corpora? `deno bench --config test/deno.json
 * bench/search_bench.ts` needs nothing but the repository. With leave to read `../shared` it times the
 * real records as well.
 *
 * In the first and the last group ours is a whole company search: it reads the question, finds, ranks
 * and groups. Peers only sum up words. All are in one process here, so that a peer's heap slows others
 * down. `search_peers_bench.ts` gives each a process of its own, and floors are measured there.
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

/** Peers are filled with numbered texts. */
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

/** Peers that take a minute to be filled with long texts are left out. */
async function benchReal(): Promise<void> {
  // Profiles of companies are half of the records, and alike.
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

/** Registers a case for ours, which is the baseline, and for each peer. Queries come in turn. */
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

function turns(queries: readonly Query[]): () => Query {
  let turn = 0;
  return () => queries[turn++ % queries.length]!;
}

/** Asks for nothing: who has not given leave is not asked for it. */
function mayReadRealData(): boolean {
  return Deno.permissions.querySync({ name: "read", path: REAL_DATA }).state === "granted";
}
