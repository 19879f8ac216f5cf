import assert from "node:assert/strict";
import { singleTermsOf } from "../../../src/search/engine/scoring.ts";
import { words } from "../../../src/search/engine/text.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { rankCompanies, rankObservations } from "../../../src/search/ranking/rank.ts";
import { SemanticModel } from "../../../src/search/semantics/model.ts";
import { learnEncoded } from "../../../src/search/semantics/sample.ts";
import { observationDocument } from "../../support/documents.ts";
import { questionOf } from "../../support/questions.ts";

/**
 * Number of words per kind (see craneOf). It is above the number of dimensions of a model (48), so
 * that some dimensions must combine several words.
 */
const WORDS_OF_A_KIND = 90;

/**
 * Returns a document with "crane" and eight words of one kind: "wing" for odd ids, "quay" for even
 * ones.
 */
function craneOf(id: number) {
  const kind = id % 2 === 1 ? "wing" : "quay";
  const kind_words = [1, 2, 3, 4, 5, 6, 7, 8]
    .map((n) => kind + (id * 7 + n * n * (id % 11 + 3)) % WORDS_OF_A_KIND);
  return observationDocument(id, {
    company_id: id % 40,
    text: { observed_fact: `crane ${kind_words.join(" ")}` },
  });
}

const SIZE = 600;
const ids = Array.from({ length: SIZE }, (_, n) => n + 1);

function createIndex(order: readonly number[], tail_documents?: number): ObservationIndex {
  const index = new ObservationIndex({ tail_documents });
  for (const id of order) index.put(craneOf(id));
  return index;
}

const modelOf = (index: ObservationIndex) => SemanticModel.decode(1, learnEncoded(index.state()));

const NOW = "2026-06-15T12:00:00.000000Z";

function ask(index: ObservationIndex, query: string, model?: SemanticModel) {
  const question = questionOf({ words: words(query) });
  const request = { question, filters: normalizeFilters({}), now: NOW, model };
  return {
    ...rankObservations(index, { ...request, observations: 100 }),
    ...rankCompanies(index, { ...request, companies: 40, observations_per_company: 3 }),
  };
}

Deno.test("rankObservations() ranks records of the same meaning above those with only a word", () => {
  const model = modelOf(createIndex(ids));
  // Each of these texts contains one word of the query: "crane".
  const index = new ObservationIndex();
  index.put(
    observationDocument(1, { text: { observed_fact: "crane wing3 wing14 wing50 wing61" } }),
  );
  index.put(
    observationDocument(2, { text: { observed_fact: "crane quay3 quay14 quay50 quay61" } }),
  );
  // These documents make the other words of the query so common that they have hardly any weight.
  for (let id = 3; id <= 60; id++) {
    index.put(observationDocument(id, { text: { observed_fact: "quay7 quay30" } }));
  }
  const { observations, companies } = ask(index, "crane quay7 quay30", model);
  assert.deepEqual(observations.map(({ observation_id }) => observation_id), [2, 1]);
  assert.deepEqual(companies.map(({ company_id }) => company_id), [2, 1]);
});

Deno.test("rankObservations() ranks lexically if the model does not know the words", () => {
  const index = createIndex(ids);
  const model = modelOf(index);
  index.put(observationDocument(1_001, { text: { observed_fact: "zeppelin" } }));
  index.put(observationDocument(1_002, { text: { texts: ["zeppelin"] } }));
  const byWords = ask(index, "zeppelin").observations;
  assert.deepEqual(byWords.map(({ observation_id }) => observation_id), [1_001, 1_002]);
  const byBoth = ask(index, "zeppelin", model).observations;
  assert.deepEqual(byBoth.map(({ observation_id }) => observation_id), [1_001, 1_002]);
});

Deno.test("replicas with different histories and the same model rank alike", () => {
  const straight = createIndex(ids);
  const model = modelOf(straight);
  // The replica has added documents in reverse order and in small segments, and has removed and
  // replaced some.
  const replica = createIndex([...ids, ...ids.map((id) => id + SIZE)].reverse(), 32);
  for (const id of ids) replica.remove(id + SIZE);
  for (const id of ids.filter((id) => id % 5 === 0)) replica.put(craneOf(id));
  for (const query of ["crane quay7", "crane wing3 quay14", "wing20 wing21"]) {
    const [one, two] = [ask(straight, query, model), ask(replica, query, model)];
    assert.ok(one.observations.length > 0);
    assert.deepEqual(two, one);
  }
});

Deno.test("readTerms() returns the same terms before and after documents are sealed", () => {
  const model = modelOf(createIndex(ids));
  const index = createIndex(ids.slice(0, 50));
  const fields = {
    company: "crane",
    observed_fact: "crane quay1 quay1",
    texts: ["quay1 wing2"],
  };
  index.put(observationDocument(51, { text: fields, hostnames: ["crane.example"] }));
  const allTerms = () =>
    [...ids.slice(0, 51), 999].map((id) => {
      const terms: [row: number, count: number][] = [];
      index.readTerms(id, model, (row, count) => terms.push([row, count]));
      return terms.sort(([a], [b]) => a - b);
    });
  const inTail = allTerms();
  assert.ok(inTail[50]!.length > 0);
  assert.deepEqual(inTail[51], []);
  index.engine.seal();
  assert.deepEqual(allTerms(), inTail);
});

Deno.test("SemanticModel.decode() restores an encoded model, and refuses damaged bytes", () => {
  const bytes = learnEncoded(createIndex(ids).state());
  const model = SemanticModel.decode(7, bytes);
  assert.equal(model.id, 7);
  assert.equal(model.parts.documents, SIZE);
  assert.deepEqual(model.encode(), bytes);
  assert.deepEqual(
    singleTermsOf(["quay7", "zeppelin"]).map(({ key }) => model.row(key) >= 0),
    [true, false, false, false],
  );
  // A database driver may return the bytes as a part of a larger buffer.
  const within = new Uint8Array(bytes.length + 20);
  within.set(bytes, 10);
  const part = within.subarray(10, 10 + bytes.length);
  assert.deepEqual(SemanticModel.decode(7, part).encode(), bytes);
  for (const damaged of [bytes.slice(1), bytes.slice(0, -1), bytes.slice(0, 3)]) {
    assert.throws(() => SemanticModel.decode(7, damaged), /not a model of this format/);
  }
});
