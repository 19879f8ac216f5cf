import assert from "node:assert/strict";
import fc from "fast-check";
import { words } from "../../../src/search/engine/text.ts";
import { facetNameBit, type ObservationDocument } from "../../../src/search/index/document.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { observationDocument } from "../../support/documents.ts";
import { FACETS, follow, narrowed, NOW, step } from "./histories.ts";
import { naiveListing } from "./naive.ts";

function createIndex(...documents: ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex();
  for (const document of documents) index.put(document);
  return index;
}

const found = (index: ObservationIndex, query: string) => idsOf(index, words(query));

function idsOf(index: ObservationIndex, words: string[]): number[] {
  return index.searchObservations({ words, limit: 100 }).map(({ observation_id }) =>
    observation_id
  );
}

Deno.test("ObservationIndex distinguishes facets from words", () => {
  const index = createIndex(
    observationDocument(1, { facets: ["round:seed"], text: { observed_fact: "steel" } }),
    observationDocument(2, { text: { observed_fact: "seed round" } }),
  );
  const check = () => {
    assert.deepEqual(found(index, "seed"), [2]);
    assert.deepEqual(found(index, "round:seed"), [2]);
    assert.deepEqual(idsOf(index, ["round:seed"]), []);
    assert.equal(index.facetFrequency("round:seed"), 1);
    assert.equal(index.facetFrequency("seed"), 0);
    assert.equal(index.wordFrequency("seeds"), 1);
    assert.equal(index.wordFrequency("round:seed"), 0);
    assert.deepEqual(index.companiesWithFacet("round:seed", "2026-01-01T00:00:00.000000Z"), [1]);
  };
  check();
  index.engine.seal();
  check();
});

Deno.test("ObservationIndex lists all admitted records of a query without words, newest first", () => {
  const at = (day: number) => `2026-03-0${day}T00:00:00.000000Z`;
  const facets = ["region:US-CA"];
  const index = createIndex(
    observationDocument(1, { company_id: 7, facets, occurred_at: at(1) }),
    observationDocument(2, { company_id: 8, facets, occurred_at: at(3) }),
    observationDocument(3, { company_id: 7, facets, occurred_at: at(3) }),
    observationDocument(4, { company_id: 7, facets, occurred_at: null }),
    observationDocument(5, { company_id: 9, facets: ["region:US-NY"], occurred_at: at(4) }),
  );
  const question = { words: [], facets: [facets] };
  assert.deepEqual(
    index.searchObservations({ ...question, limit: 9 }),
    [[2, 8], [3, 7], [1, 7], [4, 7]]
      .map(([observation_id, company_id]) => ({ observation_id, company_id, score: 0 })),
  );
  assert.deepEqual(
    index.shortlist({ ...question, companies: 9, observations_per_company: 2 })
      .map(({ company_id, observations }) => [
        company_id,
        observations.map(({ observation_id }) => observation_id),
      ]),
    [[8, [2]], [7, [3, 1]]],
  );
  assert.deepEqual(index.searchObservations({ words: [], limit: 9 }), []);
  assert.equal(index.listObservations({ limit: 9 }).length, 5);
});

Deno.test("ObservationIndex admits documents with any of several words, sealed or not", () => {
  const index = createIndex(
    observationDocument(1, { text: { observed_fact: "crane fund" } }),
    observationDocument(2, { text: { observed_fact: "fund" } }),
    observationDocument(3, { text: { observed_fact: "Cranes" } }),
    observationDocument(4, { facets: ["industry:crane"], text: { observed_fact: "fund" } }),
    observationDocument(5, { text: { observed_fact: "snow fund" } }),
  );
  const request = { words: ["crane", "fund"], companies: 9, observations_per_company: 1 };
  const companies = (any_words: string[], facets: string[][] = []) =>
    index.shortlist({ ...request, any_words, facets })
      .flatMap(({ observations }) => observations.map(({ observation_id }) => observation_id))
      .toSorted();
  const check = () => {
    assert.deepEqual(companies([]), [1, 2, 3, 4, 5]);
    assert.deepEqual(companies(["crane"]), [1, 3]);
    assert.deepEqual(companies(["crane", "snow"]), [1, 3, 5]);
    assert.deepEqual(companies(["zzzqqq"]), []);
    assert.deepEqual(companies(["fund"], [["industry:crane"]]), [4]);
    const admitted = index.admitted({ any_words: ["crane"] });
    assert.deepEqual([1, 2, 3, 4, 5].filter((id) => admitted(id) !== undefined), [1, 3]);
  };
  check();
  index.engine.seal();
  check();
});

Deno.test("ObservationIndex lists, counts and returns facets as a naive index does", () => {
  const steps = fc.array(step, { maxLength: 60 });
  const tails = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(steps, narrowed, tails, fc.nat({ max: 9 }), (steps, query, tail, limit) => {
      const { index, documents } = follow(steps, tail);
      const { words: _, ...conditions } = query;
      const expected = naiveListing(documents, query);
      const ids = expected.map(({ observation_id }) => observation_id);
      const listed = index.listObservations({ ...conditions, limit })
        .map(({ observation_id }) => observation_id);
      assert.deepEqual(listed, ids.slice(0, limit));
      const companies = index.listCompanies({
        ...conditions,
        companies: limit,
        observations_per_company: 2,
      }).map(({ company_id, observations }) => [
        company_id,
        ...observations.map(({ observation_id }) => observation_id),
      ]);
      const byCompany = Map.groupBy(expected, ({ company_id }) => company_id);
      assert.deepEqual(
        companies,
        [...byCompany].slice(0, limit).map(([company, of_company]) => [
          company,
          ...of_company.slice(0, 2).map(({ observation_id }) => observation_id),
        ]),
      );
      const admitted = index.admitted(conditions);
      for (const { observation_id, facets } of documents) {
        assert.deepEqual(index.facetsOf(observation_id), facets.toSorted());
        assert.equal(admitted(observation_id) !== undefined, ids.includes(observation_id));
      }
      for (const facet of FACETS) {
        const holding = documents.filter(({ facets }) => facets.includes(facet));
        assert.equal(index.facetFrequency(facet), holding.length);
        const alive = holding.filter(({ expires_at }) => expires_at === null || expires_at > NOW);
        assert.deepEqual(
          index.companiesWithFacet(facet, NOW).toSorted(),
          [...new Set(alive.map(({ company_id }) => company_id))].toSorted(),
        );
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("facetNamesOf() returns the names of facets as bits, in the tail and in segments", () => {
  const index = createIndex(
    observationDocument(1, { facets: ["region:US-CA", "technology:rust", "round:seed"] }),
    observationDocument(2, { facets: ["technology:rust"] }),
  );
  const check = () => {
    assert.equal(index.facetNamesOf(1), facetNameBit("region:") | facetNameBit("round:"));
    // The second call reads a cached facet.
    for (let turn = 0; turn < 2; turn++) assert.equal(index.facetNamesOf(2), 0);
    assert.equal(index.facetNamesOf(3), 0);
  };
  check();
  index.engine.compact();
  check();
});

Deno.test("ObservationIndex stores terms with a total length above 65,535", () => {
  const facetOf = (id: number) => `name:${String(id).padStart(400, "x")}`;
  const documents = Array.from(
    { length: 300 },
    (_, n) => observationDocument(n + 1, { facets: [facetOf(n + 1)] }),
  );
  const index = createIndex(...documents);
  index.engine.compact();
  for (const { observation_id, facets } of documents) {
    assert.deepEqual(index.facetsOf(observation_id), facets);
    assert.equal(index.facetFrequency(facets[0]!), 1);
  }
});

Deno.test("compact() merges segments into one, which gives the same answers", () => {
  const index = new ObservationIndex({ tail_documents: 10, merges: "elsewhere" });
  for (let id = 1; id <= 95; id++) {
    const text = { observed_fact: id % 3 === 0 ? "bridge repair" : "road repair" };
    index.put(observationDocument(id, { company_id: id % 7, text }));
  }
  const ask = () =>
    index.shortlist({ words: ["bridge", "repair"], companies: 5, observations_per_company: 3 });
  const before = ask();
  index.engine.compact();
  assert.equal(index.state().segments.length, 1);
  assert.deepEqual(ask(), before);
});
