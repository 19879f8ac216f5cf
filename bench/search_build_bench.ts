/**
 * How many documents per second does our engine index, compared with Orama and its English stemmer?
 *
 * Both engines index the same texts, which are generated in advance. The engines take turns batch
 * by batch, on one core.
 */
import assert from "node:assert/strict";
import { count, create, insert } from "@orama/orama";
import { stemmer } from "@orama/stemmers/english";
import type { ObservationDocument } from "../src/search/index/document.ts";
import { ObservationIndex } from "../src/search/index/observation_index.ts";
import { benchInChild, say } from "./child.ts";
import { Corpus } from "./corpus.ts";
import { OBSERVATION_SCHEMA } from "./engines/orama.ts";
import { observations } from "./engines/ours.ts";
import { formatNumber, markdownTable, ratioFloor } from "./floors.ts";
import { sizeName, SIZES } from "./sizes.ts";

const WORDS = 60;
const BATCHES = 20;
/** Number of batches at the start that are not timed, because V8 still compiles code. */
const WARM_UP_BATCHES = 2;

// deno-lint-ignore require-await -- benchInChild() requires a promise
await benchInChild(import.meta.url, async () => {
  const documents = SIZES.large / 10;
  const corpus = new Corpus({ documents, words: WORDS });
  const { ours, orama } = build(corpus);
  say(`\n${sizeName(documents)} documents of ${WORDS} words\n`);
  const rows = Object.entries({ ours, Orama: orama })
    .map(([name, rate]) => [name, formatNumber(rate)]);
  say(markdownTable(["engine", "documents a second"], rows));
  const of = `${formatNumber(ours)} and ${formatNumber(orama)}`;
  return [ratioFloor("build, documents a second against Orama", ours / orama, { min: 5, of })];
});

/** Builds both indexes. @returns documents per second */
function build(corpus: Corpus): { ours: number; orama: number } {
  const index = ObservationIndex.toFill();
  const orama = create({
    schema: OBSERVATION_SCHEMA,
    components: { tokenizer: { language: "english", stemming: true, stemmer } },
    sort: { enabled: false },
  });
  const taken = { ours: 0, orama: 0 };
  const size = corpus.size / BATCHES;
  for (let batch = 0; batch < BATCHES; batch++) {
    const documents = received(observations(corpus, batch * size, (batch + 1) * size));
    const rows = documents.map(({ observation_id, country, kind, text }) => ({
      ...text,
      id: String(observation_id),
      texts: text.texts.join(" "),
      country,
      kind,
    }));
    const spent = {
      ours: spend(() => documents.forEach((document) => index.put(document))),
      orama: spend(() => rows.forEach((row) => void insert(orama, row))),
    };
    if (batch < WARM_UP_BATCHES) continue;
    taken.ours += spent.ours;
    taken.orama += spent.orama;
  }
  // Indexes the documents that are still in the tail.
  taken.ours += spend(() => index.engine.seal());
  assert.equal(index.size, corpus.size);
  assert.equal(count(orama), corpus.size);
  const timed = size * (BATCHES - WARM_UP_BATCHES);
  return { ours: timed / taken.ours, orama: timed / taken.orama };
}

/** Copies documents. A generated text is a rope that V8 would flatten at the first read. */
function received(documents: ObservationDocument[]): ObservationDocument[] {
  return JSON.parse(JSON.stringify(documents));
}

/** Runs `work`. @returns seconds */
function spend(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1_000;
}
