/**
 * Asks the questions of all sets or of those named, and prints one table:
 * `deno task evaluate [--sets NAMES]`. If the settings of an embedding endpoint are set, the service
 * also answers with it.
 *
 * The service answers over its public interface, with a temporary PostgreSQL. For each question of
 * a set that trains the judge, it has the weights of the other folds. Peers get the same records
 * and questions, and fill the same pages.
 */
import { parseArgs } from "node:util";
import { WEIGHTS, type Weights } from "../../src/search/judge/judge.ts";
import { startCluster } from "../../test/support/cluster.ts";
import { say } from "../child.ts";
import { markdownTable } from "../floors.ts";
import { openDatabase } from "../ingest_database.ts";
import { demo } from "./demo_set.ts";
import { FIGURE_HEADS, type Figures, meanCells, measure } from "./measures.ts";
import { embeddingVariables } from "./near.ts";
import { pageOf, PEERS } from "./peers.ts";
import { openService } from "./service.ts";
import { collection, type JudgedSet, realRecords, realTexts } from "./sets.ts";
import { ask, companyIn, crossValidated } from "./training.ts";

/** Sets that train the judge. */
const TRAINING = { texts: realTexts, records: realRecords, demo };
const COLLECTIONS = ["scifact", "cranfield", "npl", "cisi"];

const { values } = parseArgs({
  options: {
    sets: { type: "string", default: [...Object.keys(TRAINING), ...COLLECTIONS].join() },
  },
});
const names = values.sets.split(",");
const embeddings = embeddingVariables();

const training = new Map<string, JudgedSet>();
if (names.some((name) => name in TRAINING)) {
  for (const [name, load] of Object.entries(TRAINING)) training.set(name, await load());
}
const weights = crossValidated([...training.values()].flatMap(ask));
let isFirst = true;
for (const name of names) {
  const rows = await compare(training.get(name) ?? await collection(name));
  const lines = markdownTable(["set", "questions", "engine", ...FIGURE_HEADS], rows).split("\n");
  for (const line of isFirst ? lines : lines.slice(2)) say(line);
  isFirst = false;
}

/** Returns the rows of a set: those of the service, and those of its peers. */
async function compare(set: JudgedSet): Promise<string[][]> {
  const engines = new Map<string, Figures[]>();
  const served = await serve(set);
  if (served === undefined) say("no binaries of a PostgreSQL server: only peers are measured");
  else engines.set("**this service**", served);
  const embedded = embeddings.EMBEDDINGS_URL && await serve(set, embeddings);
  if (embedded) engines.set(`with ${embeddings.EMBEDDINGS_MODEL}`, embedded);
  for (const [name, create] of Object.entries(PEERS)) {
    const rank = create(set);
    engines.set(
      name,
      set.questions.map((question) =>
        measure(question, pageOf(rank(question.query), set), (record) => companyIn(set, record))
      ),
    );
  }
  return [...engines].map(([engine, figures]) => [
    set.name,
    String(set.questions.length),
    engine,
    ...meanCells(figures),
  ]);
}

async function serve(
  set: JudgedSet,
  env?: Record<string, string>,
): Promise<Figures[] | undefined> {
  const cluster = await startCluster();
  if (cluster === undefined) return;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => cluster.stop());
  const database = stack.use(await openDatabase(cluster.url));
  const db = await database.open();
  stack.defer(() => db.close());
  const service = stack.use(await openService(db, set, env));
  const final = { ...WEIGHTS };
  const figures: Figures[] = [];
  for (const question of set.questions) {
    useWeights(weights.get(question) ?? final);
    figures.push(measure(question, await service.answer(question.query), service.companyOf));
  }
  return figures;
}

/** Exchanges the weights of the judge in this process. */
function useWeights(weights: Weights): void {
  Object.assign(WEIGHTS, weights);
}
